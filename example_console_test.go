//go:build !iprof_off

package iprof_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"example.com/iprof"
)

// steady replaces the numbers of an output that differ from run to run.
func steady(s string) string {
	s = regexp.MustCompile(`[0-9]+\.[0-9]+/[0-9]+ ms [0-9.]+%`).ReplaceAllString(s, "N/N ms N%")
	return regexp.MustCompile(`[0-9.]+ (ns|us|ms|s) \([0-9]+ ticks\)`).ReplaceAllString(s, "N ms (N ticks)")
}

var examplePool = iprof.Zone{Name: "memory pool"}

func ExampleLogEvery() {
	var log bytes.Buffer
	stop := iprof.LogEvery(&log, time.Hour, &examplePool)
	done := make(chan struct{})
	go func() {
		defer close(done)
		iprof.Register("worker 1")
		for range 3 {
			examplePool.Begin().End()
		}
	}()
	<-done
	stop() // the last lines
	fmt.Print(steady(log.String()))
	// Output: on "worker 1" zone "memory pool": N/N ms N% 3x
}

func ExampleLogScope() {
	load := func() {
		defer iprof.LogScope("load config").End()
	}
	var log bytes.Buffer
	iprof.SetLog(&log)
	defer iprof.SetLog(os.Stderr)
	load()
	fmt.Print(steady(log.String()))
	// Output: load config took N ms (N ticks)
}

func ExampleSetLog() {
	iprof.SetLog(io.Discard)
	defer iprof.SetLog(os.Stderr)
	iprof.LogScope("nobody reads this").End()
	// Output:
}

func ExampleCommand() {
	defer iprof.SetReportMode(iprof.ReportSelfTime)
	for _, line := range []string{"mode calltree", "pau", "resume", "mode dance"} {
		if err := iprof.Command(os.Stdout, line); err != nil {
			fmt.Println("not done")
		}
	}
	// Output:
	// mode calltree
	// paused
	// running
	// no mode "dance"; there are self, callees, callgraph, descendants, calltree, slow
	// not done
}

func ExampleTerminal() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// A program would give it os.Stdin and os.Stdout, on a goroutine of its own. This is no terminal, so it answers
	// lines.
	var out strings.Builder
	err := iprof.Terminal(ctx, strings.NewReader("average long\naverage short\nq\n"), &out)
	for line := range strings.Lines(out.String()) {
		if answer, ok := strings.CutPrefix(line, "iprof> "); ok {
			fmt.Print(answer)
		}
	}
	fmt.Println(err)
	// Output:
	// average long
	// average short
	// <nil>
}

func ExampleWriteOnExit() {
	var table bytes.Buffer
	program := func() {
		defer iprof.WriteOnExit(&table) // in main, to os.Stderr
		defer iprof.Begin("convert").End()
	}
	program()
	row := regexp.MustCompile(`(?m)([0-9]+ +[0-9]+ +convert) +\S+ +(\S+)\.go`).FindStringSubmatch(table.String())
	fmt.Println(strings.Join(strings.Fields(row[1]), " "), "in", row[2])
	// Output: 1 0 convert in example_console_test
}

func ExampleExit() {
	run := func() error { return errors.New("no such file") }
	if err := run(); err != nil {
		fmt.Println(err)
		_ = func() { iprof.Exit(1) } // called here, it would end this example, too
	}
	// Output: no such file
}

func ExampleWriteOnSignal() {
	defer iprof.WriteOnSignal(os.Stderr, os.Interrupt)()
	fmt.Println("Ctrl+C now writes where the time went, and then ends the program")
	// Output: Ctrl+C now writes where the time went, and then ends the program
}
