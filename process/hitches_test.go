//go:build !iprof_off

package process_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// hitch is a frame that takes 100 ms longer than 59 usual ones, and what an execution trace knows of it.
type hitch struct {
	game, join, worker platform.Ticks // what the zones of workerFrame take longer
	working            bool           // join is no idle zone
	memory             gather.MemoryFrame
	state              gather.LaneState
	took               platform.Ticks // of the state; 0: 100
	innocent           bool           // a trace shows that the worker is
	without, with      string         // the end of the verdict without and with a trace
}

var plantedHitches = map[string]hitch{
	"lock": {game: 100, worker: 100, state: gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "mutex",
		Waker: 2, At: "world.go:88"},
		without: "game 104 (usually 4); meanwhile worker 7 was in simulate for 112 (usually 12).",
		with: "game 104 (usually 4); it waited for mutex for 100 (usually not); " +
			"worker 7 was in simulate for 112 (usually 12), then released it at world.go:88."},
	"late worker": {game: 100, worker: 100, state: gather.LaneState{Lane: 1, Kind: gather.StateWaiting,
		Reason: "chan receive", Waker: 2, By: "main.run", At: "main.go:104"},
		without: "game 104 (usually 4); meanwhile worker 7 was in simulate for 112 (usually 12).",
		with: "game 104 (usually 4); it waited for chan receive for 100 (usually not); " +
			"worker 7 was in simulate for 112 (usually 12), then ended it at main.go:104."},
	"late worker behind a goroutine without zones": {game: 100, worker: 100, state: gather.LaneState{Lane: 1,
		Kind: gather.StateWaiting, Reason: "chan receive", By: "main.collect"},
		without: "game 104 (usually 4); meanwhile worker 7 was in simulate for 112 (usually 12).",
		with: "game 104 (usually 4); it waited for chan receive for 100 (usually not), ended by main.collect; " +
			"meanwhile worker 7 was in simulate for 112 (usually 12)."},
	"disk": {game: 100, state: gather.LaneState{Lane: 1, Kind: gather.StateSyscall, Place: "save.go:7"},
		without: "game 104 (usually 4).",
		with:    "game 104 (usually 4); it was in a system call for 100 (usually not) at save.go:7."},
	"sleep": {game: 100, state: gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "sleep",
		Place: "game.go:12"},
		without: "game 104 (usually 4).",
		with:    "The program slept for 100 (usually not) in game at game.go:12."},
	"sleep beside a worker": {game: 100, worker: 100, state: gather.LaneState{Lane: 1, Kind: gather.StateWaiting,
		Reason: "sleep"},
		without: "game 104 (usually 4); meanwhile worker 7 was in simulate for 112 (usually 12).",
		with:    "The program slept for 100 (usually not) in game.", innocent: true},
	"ticker": {game: 100, state: gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "timer"},
		without: "game 104 (usually 4).",
		with:    "The program waited for the timer for 100 (usually not) in game."},
	"vertical sync": {game: 100, state: gather.LaneState{Lane: 1, Kind: gather.StateSyscall, Reason: "display"},
		without: "game 104 (usually 4).",
		with:    "The program waited for the display for 100 (usually not) in game."},
	"sleep beside work": {game: 60, join: 40, working: true, took: 60,
		state:   gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "sleep"},
		without: "game 64 (usually 4); join 52 (usually 12).",
		with:    "The program slept for 60 (usually not) in game; join 52 (usually 12)."},
	"sleep and work in one zone": {game: 100, took: 60,
		state:   gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "sleep"},
		without: "game 104 (usually 4).",
		with:    "The program slept for 60 (usually not) in game; game 44 (usually 4)."},
	"allocation": {game: 100, memory: gather.MemoryFrame{AllocBytes: 180e6, Cycles: 5, Assist: 6 * time.Millisecond},
		state: gather.LaneState{Lane: 1, Kind: gather.StateAssist},
		without: "game 104 (usually 4); meanwhile 180.0 MB were allocated (usually 0.0), " +
			"with 5 collections that took 6.0 ms of goroutines.",
		with: "game 104 (usually 4); it worked for the garbage collector for 100 (usually not)."},
	"collector": {game: 100, memory: gather.MemoryFrame{Pause: 100 * time.Millisecond, Cycles: 1},
		state:   gather.LaneState{Kind: gather.StateStopped},
		without: "The garbage collector stopped it for 100 (usually not), in game.",
		with: "The garbage collector stopped it for 100 (usually not), in game; " +
			"the runtime stopped all goroutines for 100 (usually not)."},
	"two zones": {game: 45, join: 55, working: true, state: gather.LaneState{Lane: 1, Kind: gather.StateWaiting,
		Reason: "mutex", By: "main.load"},
		without: "join 67 (usually 12); game 49 (usually 4).",
		with: "join 67 (usually 12); game 49 (usually 4); " +
			"it waited for mutex for 100 (usually not), released by main.load."},
}

// verdict returns the verdict on the hitch, with or without a trace.
func (h *hitch) verdict(t *testing.T, traced bool) string {
	s := process.NewSession()
	var states []gather.LaneState
	for i := range uint64(60) {
		f := workerFrame(i, 16, 12)
		f.Memory.Mode = gather.MemoryHeapPerFrame
		main := &f.Lanes[0]
		main.Nodes[1].Self, main.Nodes[2].Self = 4, 12
		f.Zones[2].Idle = !h.working
		states = append(states, gather.LaneState{Lane: 1, Begin: f.Begin, End: f.Begin + 16})
		if i == 59 {
			q := h.state
			q.Begin, q.End = f.Begin+8, f.Begin+8+cmp.Or(h.took, 100)
			states = append(states, q)
			f.Memory = h.memory
			f.Memory.Mode = gather.MemoryHeapPerFrame
			f.End += 100
			main.End, f.Lanes[1].End = f.End, f.End
			main.Nodes[1].Self += h.game
			main.Nodes[2].Self += h.join
			f.Lanes[1].Nodes[0].Self += 100 - h.worker
			f.Lanes[1].Nodes[1].Self += h.worker
		}
		write(t, s, f)
	}
	if traced {
		s.AddStates(0, 7000, states)
	}
	var v report.Verdict
	s.VerdictOf(&v, 0)
	return v.String()
}

// A trace adds to a verdict: the function that waited or worked is the same as without one.
func TestATraceKeepsTheFunction(t *testing.T) {
	functions := func(verdict string) (found []string) {
		for _, name := range []string{"game", "join", "simulate"} {
			if strings.Contains(verdict, name) {
				found = append(found, name)
			}
		}
		return found
	}
	for name, h := range plantedHitches {
		without := h.verdict(t, false)
		with := h.verdict(t, true)
		if want := "Frame 59: +100 ms. " + h.without; without != want {
			t.Errorf("%s: got  %q\nwant %q", name, without, want)
		}
		if want := "Frame 59: +100 ms. " + h.with; with != want {
			t.Errorf("%s, traced: got  %q\nwant %q", name, with, want)
		}
		if want := functions(without); !h.innocent && !slices.Equal(functions(with), want) {
			t.Errorf("%s: got %q; want %v in it", name, with, want)
		}
	}
}
