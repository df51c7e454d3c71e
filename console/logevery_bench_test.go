//go:build !iprof_off

package console

import (
	"fmt"
	"io"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// manyZones make 64,000 distinct stacks, three deep.
var manyZones [40]gather.Zone

// enterAll enters every stack once.
func enterAll() {
	for a := range manyZones {
		outer := manyZones[a].Begin()
		for b := range manyZones {
			middle := manyZones[b].Begin()
			for c := range manyZones {
				manyZones[c].Begin().End()
			}
			middle.End()
		}
		outer.End()
	}
}

// BenchmarkUpdateBesideLogEvery is Update at 64,000 nodes on each of some lanes, while LogEvery reads them a hundred
// times a second, and without it. The metric is the longest Update.
func BenchmarkUpdateBesideLogEvery(b *testing.B) {
	for _, lanes := range []int{1, 4} {
		for _, log := range []bool{false, true} {
			b.Run(fmt.Sprintf("lanes=%d/log=%v", lanes, log), func(b *testing.B) { updateBeside(b, lanes, log) })
		}
	}
}

func updateBeside(b *testing.B, lanes int, log bool) {
	for i := range manyZones {
		manyZones[i].Name = fmt.Sprint("many ", i)
	}
	s, done, ended := process.Default(), make(chan bool), make(chan bool)
	s.Reset()
	for i := range lanes {
		go func() {
			lane := gather.Register(fmt.Sprint("many ", i))
			enterAll()
			ended <- true
			<-done
			lane.Close()
			ended <- true
		}()
		<-ended
	}
	s.Update()
	if log {
		defer LogEvery(s, io.Discard, 10*time.Millisecond, &manyZones[0])()
		time.Sleep(50 * time.Millisecond)
	}
	longest := time.Duration(0)
	for b.Loop() {
		time.Sleep(time.Millisecond)
		began := time.Now()
		s.Update()
		longest = max(longest, time.Since(began))
	}
	b.ReportMetric(float64(longest.Microseconds()), "longest-µs")
	close(done)
	for range lanes {
		<-ended
	}
	s.Update()
}
