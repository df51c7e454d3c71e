// Command import makes a capture of the user regions in an execution trace of Go 1.22 or newer: of runtime/trace.Start,
// of a FlightRecorder, or of go test -trace.
//
//	go run example.com/iprof/exectrace/cmd/import [-frame NAME | -every 16ms] trace.out regions.iprof
//
// A region becomes a zone at its time, a goroutine becomes a lane. A frame begins with each region NAME, or every 16.7
// ms. The format has no frame budget, no heap and no places of regions. The time of a region is all time between its
// begin and its end, so waiting counts as busy.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/exp/trace"

	"example.com/iprof/capture"
	"example.com/iprof/internal/importer"
)

func main() {
	var o importer.Frames
	flag.StringVar(&o.Name, "frame", "", "a frame begins with each region of this name")
	flag.DurationVar(&o.Every, "every", time.Second/60, "length of frames without -frame")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: import [-frame NAME | -every 16ms] TRACE CAPTURE")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1), o, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes a new file, and removes it after an error. It says what was left out.
func run(from, to string, o importer.Frames, said io.Writer) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	t, err := regions(in)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	w := capture.NewWriter(out, capture.Info{Program: from, GoVersion: "not known", Machine: "not known"})
	frames, err := t.Write(o, func(t *importer.Trace) { w.TakeEvents(t) }, w.WriteFrame)
	if err = errors.Join(err, w.Close(), out.Close()); err != nil {
		os.Remove(to)
		return err
	}
	fmt.Fprintf(said, "%d frames; %d ends of regions that began before the trace left out.\n"+
		"The format has no frame budget, no heap, no places of regions; waiting in a region counts as busy.\n",
		frames, t.Skipped)
	if t.Unfinished {
		fmt.Fprintln(said, "The trace has no end; all before it is there.")
	}
	return nil
}

// open is a region that has begun.
type open struct {
	name  string
	begin int64
}

// regions reads the regions of a trace.
func regions(in io.Reader) (*importer.Trace, error) {
	r, err := trace.NewReader(in)
	if err != nil {
		return nil, err
	}
	t, stacks, last, found := importer.New(), map[trace.GoID][]open{}, int64(0), false
	for {
		e, err := r.ReadEvent()
		if t.Unfinished = err != nil && !errors.Is(err, io.EOF); err != nil {
			break
		}
		g, now := e.Goroutine(), int64(e.Time())
		last = now
		switch e.Kind() {
		case trace.EventRegionBegin:
			stacks[g] = append(stacks[g], open{e.Region().Type, now})
			found = true
		case trace.EventRegionEnd:
			n := len(stacks[g]) - 1
			if n < 0 || stacks[g][n].name != e.Region().Type {
				t.Skipped++
				continue
			}
			if !t.Add(lane(g), stacks[g][n].name, stacks[g][n].begin, now) {
				return nil, errors.New("the trace has too many regions")
			}
			stacks[g] = stacks[g][:n]
		}
	}
	for g, stack := range stacks { // without an end
		for _, x := range stack {
			t.Add(lane(g), x.name, x.begin, last)
		}
	}
	if !found {
		return nil, errors.New("the trace has no user regions: see trace.WithRegion")
	}
	return t, nil
}

func lane(g trace.GoID) string { return fmt.Sprint("goroutine ", g) }
