package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"example.com/iprof/auto"
	"example.com/iprof/internal/instrument"
)

// launch writes the program's files with zones, builds the program, and runs it. It returns the exit status, which is
// the program's own if it ran.
func launch(verb string, args []string) int {
	a, err := parse(verb, args)
	if err != nil {
		return fail(err)
	}
	if a.list {
		return a.printPlan(stdout)
	}
	plan, build, err := a.plan.Start()
	if err == nil && verb == "run" {
		err = a.isProgram(plan.Programs)
	}
	if err != nil {
		return fail(err)
	}
	if (a.view || a.live) && len(plan.Frames) == 0 && a.every == 0 {
		a.every = watchedEvery
	}
	a.hasFrames, a.learn = a.every > 0 || len(plan.Frames) > 0, plan.Learned
	describe(stderr, plan, a)
	switch verb {
	case "build":
		return a.build(build, a.output)
	case "test":
		return a.test(build)
	}
	return a.run(build)
}

// isProgram returns an error unless there is one program to run.
func (a *arguments) isProgram(programs []string) error {
	named := strings.Join(a.plan.Packages, " ")
	switch {
	case len(programs) == 0:
		return fmt.Errorf("%s is no program, as its package is not main; name one that is, such as ./cmd/game, "+
			"or measure its tests with iprof test %[1]s", named)
	case len(programs) > 1:
		return fmt.Errorf("%s are several programs; name the one to run: %s", named, strings.Join(programs, ", "))
	}
	return nil
}

// run builds the program and runs it. The program gets the standard streams, its arguments and the working directory.
// run returns its exit status.
func (a *arguments) run(b *instrument.Build) int {
	program := filepath.Join(b.Dir, "bin") + string(filepath.Separator)
	if err := os.MkdirAll(program, 0o755); err != nil {
		return fail(err)
	}
	program += b.Program
	a.goFlags = append([]string{"-buildvcs=false"}, a.goFlags...) // as go run, which asks no git
	if code := a.build(b, program); code != 0 {
		return code
	}
	spare, err := os.MkdirTemp("", "iprof")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(spare)
	a.spare = filepath.Join(spare, "%p"+spareEnd)
	cmd := exec.Command(program, a.program...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), a.settings(a.report))
	code := a.start(cmd)
	a.writeSpares(spare)
	return code
}

// start runs the built program, and a viewer if one is asked for. It returns the exit status.
func (a *arguments) start(cmd *exec.Cmd) int {
	switch {
	case a.view:
		return a.runInWindow(cmd)
	case a.live:
		return a.runInTerminal(cmd)
	}
	return status(wait(cmd, exceptInterrupt))
}

// exceptInterrupt is true for signals that are passed on. In a terminal an interrupt reaches the program by itself.
func exceptInterrupt(s os.Signal) bool { return s != os.Interrupt }

// wait runs a command until it ends, so that it can write its report. It starts a command that does not run yet. It
// passes signals on for which pass is true.
func wait(cmd *exec.Cmd, pass func(os.Signal) bool) error {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, endings...)
	defer signal.Stop(signals)
	if cmd.Process == nil {
		if err := cmd.Start(); err != nil {
			return err
		}
	}
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case s := <-signals:
				if pass(s) {
					_ = cmd.Process.Signal(s)
				}
			case <-ended:
				return
			}
		}
	}()
	return cmd.Wait()
}

// test runs the tests. Then it prints the reports of their processes, because go test hides the output of passing
// tests.
func (a *arguments) test(b *instrument.Build) int {
	dir, err := os.MkdirTemp("", "iprof")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	a.spare = filepath.Join(dir, "%p"+spareEnd)
	args := append(slices.Clone(a.plan.Packages), a.program...)
	cmd := a.command(b, "test", args...)
	if a.report == "-" {
		cmd.Env = append(cmd.Env, a.settings(filepath.Join(dir, "%p.txt")))
	}
	code := status(wait(cmd, exceptInterrupt))
	reports, _ := filepath.Glob(filepath.Join(dir, "*.txt"))
	for _, name := range reports {
		text, err := os.ReadFile(name)
		if err != nil {
			return fail(err)
		}
		os.Stderr.Write(text)
	}
	a.writeSpares(dir)
	return code
}

// build builds the program.
func (a *arguments) build(b *instrument.Build, output string) int {
	var args []string
	if output != "" {
		args = append(args, "-o", output)
	}
	return status(a.command(b, "build", append(args, a.plan.Packages...)...).Run())
}

// command returns the go command with the flags and environment that the zones need.
func (a *arguments) command(b *instrument.Build, verb string, args ...string) *exec.Cmd {
	all := append([]string{verb}, b.Flags...)
	all = append(append(all, "-pgo=off"), a.goFlags...)
	all = slices.DeleteFunc(all, func(flag string) bool { return flag == "-mod=vendor" }) // see Plan.Write
	cmd := exec.Command("go", append(all, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, &originals{build: b, to: os.Stderr}
	cmd.Env = append(append(os.Environ(), b.Environment...), a.settings(a.report))
	return cmd
}

// originals replaces the names of rewritten files by those of the program's own files, in whole lines.
type originals struct {
	build *instrument.Build
	to    io.Writer
	rest  []byte
}

func (o *originals) Write(p []byte) (int, error) {
	o.rest = append(o.rest, p...)
	end := bytes.LastIndexByte(o.rest, '\n') + 1
	_, err := io.WriteString(o.to, o.build.Original(string(o.rest[:end])))
	o.rest = append(o.rest[:0], o.rest[end:]...)
	return len(p), err
}

// settings returns the environment variable for a program whose report goes to the given file.
func (a *arguments) settings(report string) string {
	s := auto.Settings{Report: report, Spare: a.spare, Every: a.every, Frames: a.hasFrames,
		Mute: !a.plan.Selection.All, Learn: a.learn,
		Record: a.record, Listen: a.listen, Token: a.token, CPUProfile: a.profile}
	if s.Report == "none" {
		s.Report = ""
	}
	text, _ := json.Marshal(s)
	return auto.Variable + "=" + string(text)
}

// status returns the exit status for the error of a command.
func status(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode()
	case exit != nil:
		if signal := killedBy(exit); signal > 0 {
			return 128 + signal // as shells have it
		}
	}
	return fail(err)
}

func fail(err error) int {
	stderr.Println("iprof:", err)
	return 1
}
