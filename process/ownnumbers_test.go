//go:build !iprof_off

package process_test

import (
	"sync"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The program's own session: modes switch it, and counts reach it.
func TestProgramsOwnNumbers(t *testing.T) {
	s := process.Default()
	defer s.SetMemoryMode(s.MemoryMode())
	s.SetMemoryMode(gather.MemoryOwn)
	s.Update()
	measure.CountN("own numbers", 3)
	if d := s.Dump(report.DumpOptions{}); len(d.Values) == 0 {
		t.Errorf("unfinished frame: got no values; want what was counted")
	}
	s.Update()
	if got := valueNamed(s, instant, "own numbers"); got == nil || got.Value != 3 {
		t.Errorf("got %+v; want 3", got)
	}
	if got := valueNamed(s, instant, "heap allocated"); got != nil || s.MemoryMode() != gather.MemoryOwn {
		t.Errorf("got %+v, mode %v; want no heap", got, s.MemoryMode())
	}
	if other := process.NewSession(); other.MemoryMode() != gather.MemoryOff {
		t.Errorf("another session: got mode %v; want off", other.MemoryMode())
	}
}

// Goroutines count while frames end, modes change and others look; nothing is lost.
func TestNumbersWhileOthersMeasure(t *testing.T) {
	s := process.Default()
	s.Reset()
	defer s.SetMemoryMode(s.MemoryMode())
	const goroutines, rounds = 4, 2000
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for i := range rounds {
				measure.Count("concurrent count")
				measure.Value("concurrent level", float64(i))
				if i%500 == 0 {
					s.SetMemoryMode(gather.MemoryMode(i / 500 % measure.NumMemoryModes))
				}
				if g == 0 && i%100 == 0 {
					s.Update()
				}
				if g == 1 && i%200 == 0 {
					s.AppendValues(nil)
					s.AppendValueSeries(nil, 50)
					s.SetHistory(20+i%7, 20)
				}
			}
		})
	}
	all.Wait()
	s.Update()
	for _, v := range s.AppendValues(nil) {
		if v.Name == "concurrent count" && v.Total != goroutines*rounds {
			t.Errorf("got %v; want %d", v.Total, goroutines*rounds)
		}
		if v.Name == "concurrent level" && v.Value != rounds-1 {
			t.Errorf("got level %v; want %d", v.Value, rounds-1)
		}
	}
	s.SetHistory(300, 300)
}
