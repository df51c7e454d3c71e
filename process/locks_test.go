//go:build !iprof_off

package process_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The list of locks has, of random waits: how long, how often, who waited most, and who released it after most of that.
func TestLocksSayWhoWaitedForWhom(t *testing.T) {
	s, r := process.NewSession(), rand.New(rand.NewPCG(1, 2))
	for i := range uint64(60) {
		write(t, s, workerFrame(i, 100, 80))
	}
	var states []gather.LaneState
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	for i := range platform.Ticks(500) {
		states = append(states, gather.LaneState{Lane: gather.LaneID(1 + r.IntN(2)), Kind: gather.StateWaiting,
			Reason: pick("mutex", "lock scores", "chan receive", "sleep"), Begin: 1000 + i,
			End: 1001 + i + platform.Ticks(r.IntN(9)), Place: pick("", "world.go:42"),
			Waker: gather.LaneID(r.IntN(3)), By: "main.load", At: pick("a.go:1", "b.go:2")})
	}
	s.AddStates(0, 6000, states)
	d := s.Dump(report.DumpOptions{NoHistory: true, Locks: true})
	got := d.Locks()
	want := locksOf(states, map[report.LaneID]string{1: "main", 2: "worker 7"})
	if len(got) != 4 || d.Traced {
		t.Fatalf("got %d locks, traced %v; want four, of waits alone", len(got), d.Traced)
	}
	for i, k := range got {
		text := fmt.Sprintf("%s %s %d %.3f %s %d", k.Name, k.Place, k.Count, k.Time, k.Waiter, k.Waiters)
		if w := want[k.Name+k.Place]; text != w.text || k.Longest.Time != w.longest || k.Held != w.held ||
			w.ended[[2]string{k.Holder, k.At}] != k.Held {
			t.Errorf("got %s, longest %v, released by %s at %s after %v; want %+v", text, k.Longest.Time, k.Holder,
				k.At, k.Held, w)
		}
		if i > 0 && k.Time > got[i-1].Time {
			t.Errorf("got %v after %v; want the longest sum first", k.Time, got[i-1].Time)
		}
		if at := k.Longest.Frame; !k.Longest.HasFrame || at < 10 || at > 15 {
			t.Errorf("got frame %d of the longest wait; want one of 10 to 15", at)
		}
	}
	s.AddStates(0, 6000, append(states, gather.LaneState{Lane: 1, Begin: 1, End: 2})) // it ran: of a trace
	if !s.Dump(report.DumpOptions{}).Traced {
		t.Error("got no trace; want one, as a goroutine ran")
	}
}

// lockSums is what a naive sum has of a lock.
type lockSums struct {
	text          string
	longest, held float64
	ended         map[[2]string]float64
}

// locksOf sums waits naively. A tick is a millisecond.
func locksOf(states []gather.LaneState, names map[report.LaneID]string) map[string]lockSums {
	all := map[string]lockSums{}
	for _, of := range []string{"mutex", "lock scores"} {
		for _, place := range []string{"", "world.go:42"} {
			count, time, sums := 0, 0.0, lockSums{ended: map[[2]string]float64{}}
			waited := map[string]float64{}
			for _, q := range states {
				if q.Reason == of && q.Place == place {
					ms := float64(q.End - q.Begin)
					count, time, sums.longest = count+1, time+ms, max(sums.longest, ms)
					waited[names[q.Lane]] += ms
					by := [2]string{cmp.Or(names[q.Waker], q.By), q.At}
					sums.ended[by] += ms
					sums.held = max(sums.held, sums.ended[by])
				}
			}
			most := slices.MaxFunc([]string{"main", "worker 7"}, func(a, b string) int {
				return cmp.Compare(waited[a], waited[b])
			})
			sums.text = fmt.Sprintf("%s %s %d %.3f %s %d", of, place, count, time, most, len(waited))
			all[of+place] = sums
		}
	}
	return all
}
