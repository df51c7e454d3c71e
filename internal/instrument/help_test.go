package instrument_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
)

// everything gives small functions zones, too.
var everything = instrument.Selection{All: true}

// copied returns a temporary copy of a folder in testdata.
func copied(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a folder")
	must.Do(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))))
	return dir
}

// planned returns the plan of all packages in a folder.
func planned(t *testing.T, dir string, o instrument.Options) *instrument.Plan {
	t.Helper()
	o.Dir, o.Packages, o.Cache = dir, []string{"./..."}, t.TempDir()
	plan := must.Get(o.Plan())(t)
	return plan
}

// built builds a plan's programs and returns their folder.
func built(t *testing.T, dir string, plan *instrument.Plan) string {
	t.Helper()
	written := must.Get(plan.Write())(t)
	to := t.TempDir()
	build(t, dir, to, written.Flags, written.Environment)
	return to
}

// reported runs a program and returns its report.
func reported(t *testing.T, program string) string { return reportedIn(t, program, "report.txt") }

// reportedIn is reported with the name of the file, whose end says the form.
func reportedIn(t *testing.T, program, name string) string {
	t.Helper()
	return reportOf(t, exec.Command(program), name)
}

// reportOf runs a program and returns its report.
func reportOf(t *testing.T, cmd *exec.Cmd, name string) string {
	t.Helper()
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd.Env = append(os.Environ(), `IPROF_RUN={"Frames":true,"Record":`+strconv.Quote(record)+`}`)
	_ = cmd.Run() // some end with a status of their own
	run := must.Get(runreport.Read(record))(t)
	var b bytes.Buffer
	write := func(w io.Writer) error { return run.WriteFull(w, true) }
	if filepath.Ext(name) == ".json" {
		write = run.WriteJSON
	}
	must.Do(t, write(&b))
	return b.String()
}

func build(t *testing.T, dir, to string, flags, environment []string) {
	t.Helper()
	must.Do(t, os.MkdirAll(to, 0o755))
	args := append(append([]string{"build"}, flags...), "-o", to, "./...")
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), environment...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// endOf runs a program and returns all that it writes and its end. Addresses and offsets in stack traces may differ.
func endOf(cmd *exec.Cmd) string {
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	end := "ended well"
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		end = exit.String()
		if s := exit.Sys().(syscall.WaitStatus); s.Signaled() {
			end = s.Signal().String()
		}
	}
	return out.String() + regexp.MustCompile(` ?\+?0x[0-9a-f]+|goroutine \d+`).ReplaceAllString(log.String(), "") + end
}
