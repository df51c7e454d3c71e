// Command overhead compares the overhead that the profiler reports with the CPU time that it takes.
//
//	cd bench && go run ./overhead
//	cd bench && go run ./overhead -only compiler -runs 15
//	cd bench && go run ./overhead -limit 0.02 -update 16ms
//	cd bench && go run ./overhead -sizes
//
// It builds itself with zones and with the tag iprof_off, and runs each program with both in turn. The truth is the
// difference of the least CPU times (getrusage). Programs on the same machine disturb it: read the spread, too. With
// -sizes it measures an entry in programs of several sizes, with and without a limit.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/iprof"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

var (
	runs  = flag.Int("runs", 9, "runs of each program")
	limit = flag.Float64("limit", 0, "the overhead limit, a `share` of the time; 0: none")
	every = flag.Duration("update", 0, "end a frame that often beside the program; 0: never")
	only  = flag.String("only", "", "the `program` to run, empty for all")
	sizes = flag.Bool("sizes", false, "instead: an entry by the size of the program and by the limit")
	span  = flag.Duration("span", 600*time.Millisecond, "with -sizes: the processor time of each measurement")
	one   = flag.String("size", "", "measure a `size` in this process (internal)")
	child = flag.String("child", "", "run a `program` in this process (internal)")
)

func main() {
	flag.Parse()
	if *child != "" {
		serveChild(*child)
		return
	}
	if *one != "" {
		serveSize(*one)
		return
	}
	do := compareAll
	if *sizes {
		do = measureSizes
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(1)
	}
}

// serveChild runs a program and prints its cost.
func serveChild(name string) {
	iprof.SetOverheadLimit(*limit)
	if *every > 0 {
		go update()
	}
	before := cpuTime()
	programs[name]()
	took := cpuTime() - before
	d := process.Default().Dump(report.DumpOptions{NoFrames: true, NoHistory: true})
	fmt.Println("cpu", took.Nanoseconds(), "calls", d.Calls, "overhead", d.Overhead.Nanoseconds())
}

// update ends frames.
func update() {
	for range time.Tick(*every) {
		iprof.Update()
	}
}

func compareAll() error {
	if !iprof.Enabled {
		return fmt.Errorf("build it without the tag iprof_off")
	}
	dir, err := os.MkdirTemp("", "iprof-overhead")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var binaries [2]string
	for i, tags := range []string{"iprof_off", ""} {
		binaries[i] = filepath.Join(dir, fmt.Sprintf("zones%d", i))
		build := exec.Command("go", "build", "-tags", tags, "-o", binaries[i], "./overhead")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("build in folder bench: %w", err)
		}
	}
	fmt.Printf("%-14s %9s %9s %9s %9s %9s %6s %10s %9s\n", "program", "without", "with", "spread", "true", "reported",
		"ratio", "calls", "ns/call")
	for _, name := range names {
		if *only == "" || *only == name {
			if err := compare(name, binaries); err != nil {
				return err
			}
		}
	}
	return nil
}

// run is the cost and the report of a process.
type run struct {
	cpu, reported time.Duration
	calls         int
}

// compare runs a program without zones and with them, and prints a line.
func compare(name string, binaries [2]string) error {
	var cpu [2][]time.Duration
	var reported []time.Duration
	calls := 0
	for i := range 2 * *runs {
		zones := (i ^ i>>1) & 1 // 0 1 1 0: neither always comes first
		r, err := start(name, binaries[zones])
		if err != nil {
			return err
		}
		cpu[zones] = append(cpu[zones], r.cpu)
		if zones == 1 {
			reported, calls = append(reported, r.reported), r.calls
		}
	}
	without, with := least(cpu[0]), least(cpu[1])
	truth, shown := with-without, least(reported)
	fmt.Printf("%-14s %9s %9s %9s %9s %9s %6.2f %10d %9.0f\n", name, short(without), short(with), short(spread(cpu[1])),
		short(truth), short(shown), float64(shown)/float64(max(truth, 1)), calls, float64(truth)/float64(max(calls, 1)))
	return nil
}

func start(name, binary string) (r run, err error) {
	cmd := exec.Command(binary, "-child", name, "-limit", fmt.Sprint(*limit), "-update", every.String())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	if _, err := fmt.Sscanf(strings.TrimSpace(string(out)), "cpu %d calls %d overhead %d", &r.cpu, &r.calls,
		&r.reported); err != nil {
		return r, fmt.Errorf("%s: %q: %w", name, out, err)
	}
	return r, nil
}

func least(d []time.Duration) time.Duration { return slices.Min(d) }

// spread is the distance of the lower quartile from the minimum.
func spread(d []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(d))[len(d)/4] - slices.Min(d)
}

func short(d time.Duration) string { return d.Round(100 * time.Microsecond).String() }
