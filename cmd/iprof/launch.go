package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/iprof/auto"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/scratch"
	"example.com/iprof/platform"
)

// launch writes the program's files with zones, builds the program, and runs it. It returns the exit status, which is
// the program's own if it ran.
func launch(verb string, args []string) int {
	if described != nil {
		described((&arguments{verb: verb}).flags())
		return 0
	}
	a, err := parse(verb, args)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		_ = fail(err)
		return 2
	}
	a.planning = newPlanning()
	a.plan.Context = a.planning
	started := false
	code := a.launch(&started)
	if !started {
		code = a.planning.close(code)
	}
	return code
}

// launch is launch for parsed arguments. It sets started if it has started the program, or tried it.
func (a *arguments) launch(started *bool) int {
	if a.isVersioned() {
		restore, err := a.fetch()
		defer restore()
		if err != nil {
			return fail(err)
		}
	}
	if a.list {
		return a.printPlan(stdout)
	}
	done := a.sayWorking("choosing functions; go compiles packages the first time")
	plan, build, err := a.plan.Start()
	done()
	if err == nil && a.verb == "run" {
		err = a.isProgram(plan.Programs)
	}
	if a.planning.Err() != nil {
		return 1
	}
	if err != nil {
		return fail(err)
	}
	a.use(plan)
	if a.report != "none" {
		describe(stderr, plan, a)
	}
	switch a.verb {
	case "build":
		return a.build(build, a.output)
	case "test":
		return a.test(build)
	}
	return a.run(build, started)
}

// heeded returns the signals that this program was not started to ignore, as nohup does. Programs that it starts then
// ignore them, too.
func heeded(list []os.Signal) []os.Signal {
	return slices.DeleteFunc(slices.Clone(list), signal.Ignored)
}

// use takes the settings of the program from the plan.
func (a *arguments) use(plan *instrument.Plan) {
	a.hasFrames = a.every > 0 || len(plan.Frames) > 0
	if (a.view || a.live) && !a.hasFrames {
		a.every = watchedEvery
	}
	a.learned, a.left = plan.Learned, plan.Muted
	a.muted, a.module = instrument.Pending(plan.Learned), plan.Module
	if !a.noLines {
		a.whyNoLines = linesRefused(runtime.GOOS, plan.ProfilesItself)
		a.noLines = a.whyNoLines != ""
	}
}

// isProgram returns an error unless there is one program to run.
func (a *arguments) isProgram(programs []string) error {
	named := strings.Join(a.plan.Packages, " ")
	switch {
	case len(programs) == 0:
		return fmt.Errorf("%s is not a program: its package is not main; name a program, such as ./cmd/game, "+
			"or measure its tests with iprof test %[1]s", named)
	case len(programs) > 1:
		return fmt.Errorf("%s are several programs; name the one to run: %s", named, strings.Join(programs, ", "))
	}
	return nil
}

// run builds the program and runs it. The program gets the standard streams, its arguments and the working directory.
// run returns its exit status. It sets started as launch does.
func (a *arguments) run(b *instrument.Build, started *bool) int {
	own, err := ownFolder(b)
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(own)
	program := filepath.Join(own, b.Program)
	if code := a.buildIn(b, program); code != 0 {
		return code
	}
	if a.planning.Err() != nil {
		return 1
	}
	if a.dir, err = scratch.Folder("iprof"); err != nil {
		return fail(err)
	}
	defer os.RemoveAll(a.dir)
	cmd := exec.Command(program, a.program...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(a.environment(), a.settings())
	*started = true
	begun := time.Now()
	code := a.start(cmd)
	a.lasted = time.Since(begun)
	if end := cmd.ProcessState; end != nil {
		a.used = end.UserTime() + end.SystemTime()
	}
	if cmd.Process != nil {
		a.process = cmd.Process.Pid
		code = a.reports(code)
	}
	if a.first && a.report != "none" {
		os.RemoveAll(own) // it does not stay
		nameCache(filepath.Dir(b.Dir))
	}
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
	return status(wait(cmd, separateSignals(cmd), a.look(cmd), a.planning.end))
}

// look returns a function that reads how long the program had no processor. The system forgets it when the program
// ends, so a program that a signal ends has the latest reading. A program that ends by itself writes its own.
func (a *arguments) look(cmd *exec.Cmd) func() {
	return func() {
		if away, ok := platform.ProcessDelay(cmd.Process.Pid); ok {
			a.away = max(a.away, away)
		}
	}
}

// separateSignals prepares a command so that it gets each signal once. It returns the test for signals to pass on. In a
// terminal, typed signals reach the program directly. Without a terminal the command gets its own process group:
// otherwise a signal to the whole group would reach it twice, and many programs end at once on a second signal.
func separateSignals(cmd *exec.Cmd) (pass func(os.Signal) bool) {
	if ownsTerminal() {
		return exceptTyped
	}
	apart(cmd)
	return func(os.Signal) bool { return true }
}

// lookEvery is the time between two looks at a running command.
var lookEvery = time.Second

// wait runs a command until it ends. It passes on signals for which pass is true. It calls look each second, and before
// it passes on a signal. If the command does not run yet, wait starts it, unless planned, the end of the planning,
// returns an error. On Linux the command ends when this program is killed.
func wait(cmd *exec.Cmd, pass func(os.Signal) bool, look func(), planned func() error) error {
	signals := make(chan os.Signal, 8)
	for _, s := range heeded(passed) {
		signal.Notify(signals, s)
	}
	defer signal.Stop(signals)
	if cmd.Process == nil {
		if err := planned(); err != nil {
			return err
		}
		runtime.LockOSThread() // the command is a child of this thread
		defer runtime.UnlockOSThread()
		dieWithUs(cmd)
		if err := cmd.Start(); err != nil {
			return err
		}
		sendPending(cmd, signals)
	}
	signal.Notify(signals, passed...) // a program may heed what it was started to ignore, as jobs of scripts do
	ended, beside := make(chan struct{}), sync.WaitGroup{}
	defer beside.Wait()
	defer close(ended)
	beside.Go(func() {
		each := time.NewTicker(lookEvery)
		defer each.Stop()
		for {
			select {
			case s := <-signals:
				if look(); pass(s) {
					_ = cmd.Process.Signal(s)
				}
			case <-each.C:
				look()
			case <-ended:
				return
			}
		}
	})
	return cmd.Wait()
}

// sendPending passes on the signals that came while the command started. A terminal may have sent them to this program
// alone.
func sendPending(cmd *exec.Cmd, signals <-chan os.Signal) {
	for {
		select {
		case s := <-signals:
			_ = cmd.Process.Signal(s)
		default:
			return
		}
	}
}

// test runs the tests. Then it prints the reports of their processes, because go test hides the output of passing
// tests.
func (a *arguments) test(b *instrument.Build) (code int) {
	var err error
	if a.dir, err = scratch.Folder("iprof"); err != nil {
		return fail(err)
	}
	defer os.RemoveAll(a.dir)
	bad, ok := a.vetted()
	if !ok {
		return 1
	}
	flags := a.goFlags
	if !a.counted {
		flags = append(slices.Clone(flags), "-count=1") // a cached result has no report
	}
	if a.output != "" {
		flags = append(slices.Clone(flags), "-o="+a.output)
	}
	if named := a.without(bad); len(named) > 0 {
		code = a.runTests(a.command(b, "test", append(slices.Clone(flags), "-vet=off"), append(named, a.program...)...))
	}
	if len(bad) > 0 { // the go command reports their problems, and does not run their tests
		code = max(code, a.runTests(a.command(nil, "test", a.goFlags, append(bad, a.program...)...)))
	}
	return a.reports(code)
}

func (a *arguments) runTests(cmd *exec.Cmd) int {
	cmd.Env = append(cmd.Env, a.settings())
	return status(cmd.Run())
}

// build builds the program.
func (a *arguments) build(b *instrument.Build, output string) int {
	var args []string
	if output != "" {
		args = append(args, "-o", output)
	}
	defer a.sayWorking("building the program with zones")()
	return status(a.command(b, "build", a.goFlags, append(args, a.plan.Packages...)...).Run())
}

// command returns the go command with the flags and environment that the zones need. With a nil build it adds none.
func (a *arguments) command(b *instrument.Build, verb string, flags []string, args ...string) *exec.Cmd {
	all := append([]string{verb}, flags...)
	if b != nil {
		all = append(all, b.Flags...)
	}
	all = append(all, args...)
	cmd := exec.CommandContext(a.plan.Context, "go", all...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Dir, cmd.Env = a.plan.Dir, os.Environ()
	if b != nil {
		cmd.Stderr = &originals{build: b, to: os.Stderr}
		cmd.Env = append(cmd.Env, b.Environment...)
		if b.Command != "" {
			cmd.Path, cmd.Err = b.Command, nil
		}
	}
	instrument.End(cmd)
	return cmd
}

// originals replaces the names of rewritten files with the names of the program's own files. It works on whole lines.
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

// settings returns the environment variable for the program.
func (a *arguments) settings() string {
	s := auto.Settings{Record: a.record, Keep: a.record != "", Every: a.every, Frames: a.hasFrames,
		Mute: !a.plan.Selection.All, Muted: a.muted, Lines: !a.noLines, Module: a.module,
		Listen: a.listen, Token: a.token, CPUProfile: a.profile}
	s.Launcher, _ = os.Executable()
	own := filepath.Join(a.dir, "%p"+recordingEnd)
	if s.Record == "" {
		s.Record = own
	} else {
		s.Spare = own
	}
	text, _ := json.Marshal(s)
	return auto.Variable + "=" + string(text)
}

// status returns the exit status for the error of a command.
func status(err error) int {
	var exit *exec.ExitError
	var by signalled
	switch {
	case err == nil:
		return 0
	case errors.As(err, &by):
		return by.status()
	case errors.Is(err, context.Canceled): // by a signal
		return 1
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode()
	case exit != nil:
		if signal := killedBy(exit); signal > 0 {
			return bySignal + signal // as in shells
		}
	}
	return fail(err)
}

func fail(err error) int {
	stderr.Println("iprof:", err)
	return 1
}
