// Command overhead compares the overhead that the profiler reports with the CPU time that it takes.
//
//	cd bench && go run ./overhead
//	cd bench && go run ./overhead -only compiler -runs 15
//	cd bench && go run ./overhead -limit 0.02 -update 16ms
//	cd bench && go run ./overhead -sizes
//
// It builds itself with zones and with the tag iprof_off, and runs each program with both in turn. The truth is the
// median of the differences of CPU time (getrusage) between neighbouring runs, with an error of two standard errors.
// It prints the reported overhead beside it, and whether the truth lies in the reported interval: yes; perhaps, if only
// its error does; or no. With -sizes it measures an entry in programs of several sizes, with and without a limit.
package main

import (
	"flag"
	"fmt"
	"math"
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
	fmt.Println("cpu", took.Nanoseconds(), "calls", d.Calls, "overhead", d.Overhead.Nanoseconds(),
		"from", d.OverheadLow.Nanoseconds(), "to", d.OverheadHigh.Nanoseconds())
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
	fmt.Printf("%-11s %9s %9s %8s %8s %8s %8s %8s %5s %-7s %9s %8s\n", "program", "without", "with", "error", "true",
		"reported", "low", "high", "ratio", "inside", "calls", "ns/call")
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
	cpu, reported, low, high time.Duration
	calls                    int
}

// compare runs a program without zones and with them, and prints a line. The truth is the median of the differences of
// neighbours: what disturbs one of them for longer disturbs both.
func compare(name string, binaries [2]string) error {
	var all [2][]run
	for i := range 2 * *runs {
		zones := (i ^ i>>1) & 1 // 0 1 1 0: neither always comes first
		r, err := start(name, binaries[zones])
		if err != nil {
			return err
		}
		all[zones] = append(all[zones], r)
	}
	var truths []time.Duration
	for i := range all[0] {
		truths = append(truths, all[1][i].cpu-all[0][i].cpu)
	}
	truth, off := median(truths), uncertainty(truths)
	without, with := middle(all[0]), middle(all[1])
	fmt.Printf("%-11s %9s %9s %8s %8s %8s %8s %8s %5.2f %-7s %9d %8.0f\n", name, short(without.cpu), short(with.cpu),
		short(off), short(truth), short(with.reported), short(with.low), short(with.high),
		float64(with.reported)/float64(max(truth, 1)), inside(truth, off, with.low, with.high), with.calls,
		float64(truth)/float64(max(with.calls, 1)))
	return nil
}

// middle has the medians of the runs.
func middle(all []run) run {
	of := func(get func(r *run) time.Duration) time.Duration {
		list := make([]time.Duration, len(all))
		for i := range all {
			list[i] = get(&all[i])
		}
		return median(list)
	}
	return run{of(func(r *run) time.Duration { return r.cpu }), of(func(r *run) time.Duration { return r.reported }),
		of(func(r *run) time.Duration { return r.low }), of(func(r *run) time.Duration { return r.high }),
		all[0].calls}
}

// inside returns "yes" if the truth is in the interval, "perhaps" if only its error reaches it, else "no".
func inside(truth, off, low, high time.Duration) string {
	switch {
	case low <= truth && truth <= high:
		return "yes"
	case low <= truth+off && truth-off <= high:
		return "perhaps"
	}
	return "NO"
}

func start(name, binary string) (r run, err error) {
	cmd := exec.Command(binary, "-child", name, "-limit", fmt.Sprint(*limit), "-update", every.String())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	if _, err := fmt.Sscanf(strings.TrimSpace(string(out)), "cpu %d calls %d overhead %d from %d to %d", &r.cpu,
		&r.calls, &r.reported, &r.low, &r.high); err != nil {
		return r, fmt.Errorf("%s: %q: %w", name, out, err)
	}
	return r, nil
}

func median(d []time.Duration) time.Duration { return slices.Sorted(slices.Values(d))[len(d)/2] }

// uncertainty is twice the standard error of a median, from the distance of the quartiles.
func uncertainty(d []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(d))
	width := float64(sorted[len(d)*3/4] - sorted[len(d)/4])
	return time.Duration(2 * 1.25 * width / 1.35 / math.Sqrt(float64(len(d))))
}

func short(d time.Duration) string { return d.Round(100 * time.Microsecond).String() }
