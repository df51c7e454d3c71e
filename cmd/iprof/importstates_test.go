package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/synth"
)

// TestImportOfStates: what goroutines did for the scheduler goes through Chrome JSON and back.
func TestImportOfStates(t *testing.T) {
	trace, path := filepath.Join(t.TempDir(), "trace.json"), filepath.Join(t.TempDir(), "capture")
	out := must.Get(os.Create(trace))(t)
	x, p, want := export.NewChrome(out, "test"), synth.New(1), []gather.LaneState{}
	for range 3 {
		f := p.Frame()
		main, worker := f.Lanes[0].ID, f.Lanes[1].ID
		f.States = []gather.LaneState{
			{Kind: gather.StateMarking, Begin: f.Begin, End: f.Begin + 50},
			{Lane: worker, Kind: gather.StateWaiting, Begin: f.Begin + 10, End: f.Begin + 90, Reason: "mutex <b>",
				Place: "a.go:1", Waker: main, By: "main.load", At: "b.go:2"},
			{Lane: main, Kind: gather.StateSyscall, Begin: f.Begin + 20, End: f.Begin + 30}}
		for _, q := range f.States {
			q.Begin, q.End = q.Begin-f.Begin, q.End-f.Begin // the file's times begin elsewhere
			want = append(want, q)
		}
		must.Do(t, x.WriteFrame(f))
	}
	must.Do(t, errors.Join(x.Close(), out.Close()))
	if importFile([]string{trace, path}) != 0 {
		t.Fatal("the status is not 0")
	}
	got, lanes := statesOf(t, path)
	sortStates(got)
	sortStates(want)
	if !slices.Equal(got, want) || lanes != len(p.Frame().Lanes) {
		t.Errorf("%d lanes: got\n%v\nwant\n%v", lanes, got, want)
	}
}

func sortStates(list []gather.LaneState) {
	slices.SortStableFunc(list, func(a, b gather.LaneState) int { return int(a.Begin - b.Begin) })
}

// statesOf returns the states of a capture, from the beginning of their frames, and the lanes of the last frame.
func statesOf(t *testing.T, path string) (list []gather.LaneState, lanes int) {
	t.Helper()
	eachFrame(t, path, func(f *gather.Frame) {
		for _, q := range f.States {
			q.Begin, q.End = q.Begin-f.Begin, q.End-f.Begin
			list = append(list, q)
		}
		lanes = len(f.Lanes)
	})
	return list, lanes
}
