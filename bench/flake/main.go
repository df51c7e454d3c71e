// Command flake measures what zones cost a program that does real work: a ray tracer of a sphere flake with about ten
// million zones, beside the same program with two bare timestamps wherever a zone is, and without either.
//
//	cd bench && go run ./flake                         # 25 runs, some seven minutes
//	cd bench && go run ./flake -pixels 256 -runs 9     # some seconds
//
// The three take turns scan line by scan line, in changing order, so that disturbances hit all three alike. The time of
// a program is the sum of its fastest scan lines. The spread is the range of the same ratio in parts of the runs.
//
// In a second round the governor (iprof.SetOverheadLimit) keeps the overhead low. The output has the overhead that is
// left, the profiler's own figure for it, and each zone's time in all runs against its time when every entry is timed.
// The last column is the difference between two measurements of the same zone. Each run has its own processes, which
// also trace all lines without zones: the overhead is that of the machine at that time.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"

	"example.com/iprof/internal/workload"
)

// programs are the measured programs. Each is compared with the ones before it.
var programs = []struct {
	name  string
	hooks workload.Hooks
}{
	{"nothing measured", workload.NoHooks},
	{"bare timestamp pairs", workload.Timestamps},
	{"iprof zones", workload.Zones},
}

func main() {
	runs := flag.Int("runs", 25, "`times` that each program runs")
	pixels := flag.Int("pixels", 1024, "of a side of the picture, 16 to 4096")
	levels := flag.Int("levels", 6, "of the flake, 1 to 7")
	limit := flag.Float64("limit", 0.02, "overhead limit, a `share`, for the second round; 0 for none")
	part := flag.Int("part", -1, "to be one of the second round's `programs`: what it starts itself")
	flag.Parse()
	if *runs < 1 || *pixels < 16 || *pixels > 4096 || *levels < 1 || *levels > 7 {
		fmt.Fprintln(os.Stderr, "flake: -runs, -pixels or -levels is out of range")
		os.Exit(2)
	}
	flake := workload.NewFlake(*levels, *pixels)
	if *part >= 0 && *part < len(limited) {
		if !limited[*part] {
			*limit = 0
		}
		exit(serve(flake, *limit))
	}
	zones := flake.Zones()
	t := measure(flake, *runs)
	fmt.Printf("%s %s/%s, %d processors; %d runs of %d zones\n", runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU(), *runs, zones)
	t.print(zones)
	if *limit > 0 {
		fmt.Println()
		g, err := govern(*pixels, *runs, *limit)
		if err != nil {
			exit(err)
		}
		g.print()
	}
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "flake:", err)
		os.Exit(1)
	}
	os.Exit(0)
}
