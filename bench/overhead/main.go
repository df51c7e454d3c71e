// Command overhead compares the overhead that the profiler reports with the CPU time that it takes.
//
//	go run ./overhead
//
// Each program runs with zones and without, as processes of their own, in turn. The truth is the difference of their
// CPU times, in the median over the runs.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/process"
)

var (
	runs  = flag.Int("runs", 7, "runs of each program")
	only  = flag.String("only", "", "the program to run, empty for all")
	child = flag.String("child", "", "run a program in this process (internal)")
	zones = flag.Bool("zones", false, "with zones (internal)")
)

func main() {
	flag.Parse()
	if *child != "" {
		programs[*child]()
		d := process.Default().Dump(process.DumpOptions{NoFrames: true, NoHistory: true})
		fmt.Println("calls", d.Calls, "overhead", d.Overhead.Nanoseconds())
		return
	}
	fmt.Printf("%-14s %10s %10s %10s %8s %12s\n", "program", "without", "true", "said", "ratio", "calls")
	for _, name := range names {
		if *only == "" || *only == name {
			if err := compare(name); err != nil {
				fmt.Fprintln(os.Stderr, "overhead:", err)
				os.Exit(1)
			}
		}
	}
}

// run is one process.
type run struct {
	cpu, said time.Duration
	calls     int
}

// compare runs a program with zones and without, and prints a line.
func compare(name string) error {
	var without, with, said []time.Duration
	calls := 0
	for range *runs {
		for _, on := range []bool{false, true} {
			r, err := start(name, on)
			if err != nil {
				return err
			}
			if on {
				with, said, calls = append(with, r.cpu), append(said, r.said), r.calls
			} else {
				without = append(without, r.cpu)
			}
		}
	}
	base := median(without)
	truth, told := median(with)-base, median(said)
	fmt.Printf("%-14s %10s %10s %10s %8.2f %12d\n", name, short(base), short(truth), short(told),
		float64(told)/float64(max(truth, 1)), calls)
	return nil
}

func start(name string, on bool) (r run, err error) {
	cmd := exec.Command(os.Args[0], "-child", name, "-zones="+strconv.FormatBool(on))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	var ns int64
	if _, err := fmt.Sscanf(strings.TrimSpace(string(out)), "calls %d overhead %d", &r.calls, &ns); err != nil {
		return r, fmt.Errorf("%s: %q: %w", name, out, err)
	}
	r.said, r.cpu = time.Duration(ns), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	return r, nil
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func short(d time.Duration) string { return d.Round(100 * time.Microsecond).String() }
