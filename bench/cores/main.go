// Command cores measures how much two goroutines on two cores slow each other down when they enter the same zones.
//
//	cd bench && go run ./cores
//
// Both run a burst of entries at the same time, again and again. Between these bursts each runs one alone. A burst
// counts only if the other goroutine ran during nine tenths of it: on a busy machine many bursts run one after the
// other and prove nothing. Two rows are controls. Raw timestamps share nothing; two atomic counters show the cost of
// sharing.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"

	"example.com/iprof"
	"example.com/iprof/platform"
)

// body is the code that a burst repeats.
type body struct {
	name string
	once func()
}

var bodies = []body{
	{"two raw timestamps", timestamps},
	{"two shared atomic counters", counters},
	{"iprof: defer z.Begin().End()", deferred},
	{"iprof: defer Begin(name).End()", named},
	{"iprof: two zones, nested", nested},
}

var (
	outer  = iprof.Zone{Name: "outer"}
	inner  = iprof.Zone{Name: "inner"}
	shared struct{ time, count atomic.Int64 }
)

//go:noinline
func timestamps() {
	begin := platform.Now()
	keep(platform.Now() - begin)
}

//go:noinline
func keep(platform.Ticks) {}

//go:noinline
func counters() {
	begin := platform.Now()
	shared.count.Add(1)
	shared.time.Add(int64(platform.Now() - begin))
}

//go:noinline
func deferred() { defer inner.Begin().End() }

//go:noinline
func named() { defer iprof.Begin("named").End() }

//go:noinline
func nested() {
	defer outer.Begin().End()
	deferred()
}

func main() {
	rounds := flag.Int("rounds", 4000, "pairs of bursts of each body")
	flag.Parse()
	if *rounds < 1 {
		fmt.Fprintln(os.Stderr, "cores: -rounds must be at least 1")
		os.Exit(2)
	}
	if runtime.GOMAXPROCS(0) < 2 {
		fmt.Fprintln(os.Stderr, "cores: this takes two processors")
		os.Exit(1)
	}
	fmt.Printf("%s %s/%s, %d processors; minimum ns an entry, alone and beside another\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Printf("%-32s %8s %8s %8s  %s\n", "", "alone", "beside", "ratio", "overlapped")
	for _, b := range bodies {
		measure(b, *rounds).print(b.name)
	}
}
