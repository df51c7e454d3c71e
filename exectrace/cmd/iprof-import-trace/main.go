// Command iprof-import-trace makes a capture of the user regions in an execution trace of Go 1.22 or newer: of
// runtime/trace.Start, of a FlightRecorder, or of go test -trace. "iprof import", "iprof top" and glviewer start it by
// themselves for such a file.
//
//	iprof-import-trace [-frame NAME | -every 16ms] [-json] [-limits …] trace.out regions.iprof
//
// The capture "-" is standard output; -json then writes to standard error.
//
// A region becomes a zone at its time, a goroutine with regions becomes a lane, with its states: verdicts and the
// timeline say what it waited for. A frame begins with each region NAME; without -frame, with each "frame" if there are
// any, else every 16.7 ms. The format has no frame budget, no heap and no places of regions. The time of a region is
// all time between its begin and its end, so waiting counts as busy.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"golang.org/x/exp/trace"

	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/importer"
	"example.com/iprof/platform"
)

func main() {
	var o importer.Frames
	flag.StringVar(&o.Name, "frame", "", "a frame begins with each region of this name")
	flag.DurationVar(&o.Every, "every", 0, "length of frames without -frame")
	asJSON := flag.Bool("json", false, "say as a JSON object what was written")
	o.Limits = budget.Usual
	flag.Var(&o.Limits, "limits", budget.Words)
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: iprof-import-trace [-frame NAME | -every 16ms] [-json] TRACE CAPTURE")
		os.Exit(2)
	}
	r, err := run(flag.Arg(0), flag.Arg(1), o)
	if err == nil && *asJSON && flag.Arg(1) == "-" {
		err = json.NewEncoder(os.Stderr).Encode(r)
	} else if err == nil && *asJSON {
		err = json.NewEncoder(os.Stdout).Encode(r)
	} else if err == nil {
		fmt.Fprint(os.Stderr, r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes a new file, and removes it after an error; or to standard output.
func run(from, to string, o importer.Frames) (r importer.Result, err error) {
	in, err := os.Open(from)
	if err != nil {
		return r, err
	}
	defer in.Close()
	out := os.Stdout
	if to != "-" {
		if out, err = os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
			return r, err
		}
		defer func() {
			if err = errors.Join(err, out.Close()); err != nil {
				os.Remove(to)
			}
		}()
	}
	if o.Limits == (budget.Budget{}) {
		o.Limits = budget.Usual
	}
	account := o.Limits.File()
	t, err := regions(account.Reader(in), account)
	if err == nil {
		err = states(t, in)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", from, err)
	}
	r, err = t.Save(out, from, o)
	r.Traced = true
	return r, err
}

// states adds the states of the goroutines that have regions. A trace without an end has those until then.
func states(t *importer.Trace, in io.ReadSeeker) error {
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return err
	}
	all, err := exectrace.Read(in)
	if all == nil {
		return err
	}
	lanes := map[uint64]gather.LaneID{0: 0}
	for _, thread := range t.Threads() {
		var g uint64
		if _, err := fmt.Sscanf(thread, goroutine, &g); err == nil {
			lanes[g] = t.Goroutine(thread, g)
		}
	}
	for g, id := range lanes {
		for _, s := range all.Of(g) {
			err := t.AddState(gather.LaneState{Lane: id, Kind: s.Kind, Reason: s.Reason, Place: s.Place,
				Begin: platform.Ticks(s.Begin), End: platform.Ticks(s.End), Waker: lanes[s.Waker], By: s.By, At: s.At})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// open is a region that has begun.
type open struct {
	name  string
	begin int64
}

// regions reads the regions of a trace.
func regions(in io.Reader, account *budget.Account) (*importer.Trace, error) {
	r, err := trace.NewReader(in)
	if err != nil {
		return nil, err
	}
	t, stacks, last, found := importer.New(account), map[trace.GoID][]open{}, int64(0), false
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
			if err := t.Add(lane(g), stacks[g][n].name, stacks[g][n].begin, now); err != nil {
				return nil, err
			}
			stacks[g] = stacks[g][:n]
		}
	}
	for g, stack := range stacks { // without an end
		for _, x := range stack {
			if err := t.Add(lane(g), x.name, x.begin, last); err != nil {
				return nil, err
			}
		}
	}
	if !found {
		return nil, errors.New("the trace has no user regions: see trace.WithRegion")
	}
	return t, nil
}

// goroutine is the name of a lane.
const goroutine = "goroutine %d"

func lane(g trace.GoID) string { return fmt.Sprintf(goroutine, g) }
