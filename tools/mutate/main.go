// Mutate plants faults in this module's code, one at a time, and says which of them no test finds.
//
//	go run ./tools/mutate -n 300 -o faults.tsv
//
// A fault is a small change of one expression or statement: see faults.go. Only lines of the areas in areas.go get
// faults. The program builds the tests of an area once with all its faults, each behind a switch, with overlays: see
// build.go. For each fault it runs the tests that reach the line, quick ones first, until one fails, and that one
// again, with the fault and without. It never writes into the source folder. With -again it tries only the faults that
// an earlier run has missed:
//
//	go run ./tools/mutate -again faults.tsv -o left.tsv
//
// The result has a line for each fault: found and by which test, survived, or not reached by any test. Survivors that
// were looked at stand in survivors.tsv, with the reason why no test can find them. The exit status is 1 if fewer
// than the wanted share of the other faults was found.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
)

// settings are the flags.
type settings struct {
	faults  int    // to plant
	seed    uint64 // of the choice
	area    string // names of the only areas, or empty
	earlier string // file of an earlier result, or empty
	workers int
	wanted  float64 // share of faults
	output  string
}

func main() {
	var s settings
	flag.IntVar(&s.faults, "n", 300, "`number` of faults")
	flag.Uint64Var(&s.seed, "seed", 1, "seed of the choice of faults")
	flag.StringVar(&s.area, "area", "", "plant faults only in the areas of these `names`, with commas between them")
	flag.StringVar(&s.earlier, "again", "", "plant only the faults that no test found in this `file` of a result")
	flag.IntVar(&s.workers, "workers", runtime.NumCPU(), "`number` of faults that are tried at once")
	flag.Float64Var(&s.wanted, "wanted", 0.9, "`share` of faults that tests must find")
	flag.StringVar(&s.output, "o", "faults.tsv", "`file` of the result")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}
