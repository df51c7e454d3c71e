package instrument_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
)

// profiling works, takes a CPU profile, and fails if that has no samples.
const profiling = `package main

import (
	"bytes"
	"log"
	"math"
	_ "net/http/pprof"
	"runtime/pprof"
)

func work(s float64) float64 {
	for i := range 60_000_000 { // about 0.2 s
		s += math.Sqrt(float64(i))
	}
	return s
}

func main() {
	s := work(1)
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		log.Fatal(err)
	}
	s = work(s)
	pprof.StopCPUProfile()
	if b.Len() < 600 || s < 0 { // one without samples has 400 bytes
		log.Fatal("the profile has ", b.Len(), " bytes")
	}
}
`

// TestAProgramThatProfilesItself: its profile is whole, and so are the samples before it. They are of a part of the
// run, and nobody says by them what waited. A program with net/http/pprof that takes no profile has all samples.
func TestAProgramThatProfilesItself(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": profiling})
	plan := planned(t, dir, instrument.Options{})
	if plan.ProfilesItself {
		t.Error("this version of Go is not known")
	}
	program := filepath.Join(built(t, dir, plan), "user")
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), `IPROF_RUN={"Lines":true,"Record":`+strconv.Quote(record)+`}`)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run := must.Get(runreport.Read(record))(t)
	if n := run.Notes; !n.Yielded || n.Sampled < 5 || n.Sampled > int(n.CPU.Milliseconds())/10-5 {
		t.Errorf("%d samples of %v, ended by the program's profile: %t", n.Sampled, n.CPU, n.Yielded)
	}
}
