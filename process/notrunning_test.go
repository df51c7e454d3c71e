//go:build !iprof_off

package process_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// standing is a frame of 104 ms in zone game, usually 4, and what is known of its processor times.
type standing struct {
	usual       time.Duration // of the process in usual frames
	cpu, thread time.Duration // in the frame: of the process, and of the thread of the goroutine
	away        gather.Away
	bytes       uint64
	locks       time.Duration
	waits       bool // zone game is one that waits
	states      []gather.LaneState
	want        string
}

const (
	ms     = time.Millisecond
	stood  = "game 104 (usually 4); it did not run for "
	own    = "game 88 of its own (usually 4); "
	gave   = "; the machine gave the processor to other programs for "
	whyNot = ": an execution trace (exectrace.Watch) would show why"
)

var standings = map[string]standing{
	"lock or disk":        {usual: 4 * ms, cpu: 6 * ms, want: stood + "98 (usually not)" + whyNot},
	"beside allocations":  {usual: 4 * ms, cpu: 6 * ms, bytes: 180e6, want: stood + "98 (usually not)" + whyNot},
	"beside busy workers": {usual: 20 * ms, cpu: 200 * ms, thread: 5 * ms, want: stood + "99 (usually not)" + whyNot},
	"work":                {usual: 4 * ms, cpu: 104 * ms, want: "game 104 (usually 4)"},
	"work on its thread":  {usual: 4 * ms, cpu: 400 * ms, thread: 104 * ms, want: "game 104 (usually 4)"},
	"perhaps workers":     {usual: 4 * ms, cpu: 90 * ms, want: "game 104 (usually 4)"},
	"nothing known":       {want: "game 104 (usually 4)"},
	"not known before":    {cpu: 6 * ms, want: stood + "98" + whyNot},
	"usually some":        {usual: ms, cpu: ms, want: stood + "103 (usually 3)" + whyNot},
	"a zone that waits": {usual: 4 * ms, cpu: 6 * ms, waits: true,
		want: "The program chose to wait: game 104 (usually 4)"},
	"a busy machine": {usual: 4 * ms, cpu: 6 * ms, away: gather.Away{Time: 98 * ms, Known: gather.AwayExact},
		want: "The machine gave the processor to other programs for 98 of 116 ms"},
	"a wait on a busy machine": {usual: 4 * ms, cpu: 6 * ms, away: gather.Away{Time: 98 * ms, Known: gather.AwayAtMost},
		states: stateOfGame(gather.StateWaiting, "mutex"),
		want:   own + "it waited for mutex for 100" + gave + "at most 16 of 116 ms"},
	"a wait beside time away": {usual: 4 * ms, cpu: 6 * ms, away: gather.Away{Time: 98 * ms, Known: gather.AwayExact},
		states: stateOfGame(gather.StateWaiting, "mutex"),
		want:   own + "it waited for mutex for 100" + gave + "16 of 116 ms"},
	"a system call on a busy machine": {usual: 4 * ms, cpu: 6 * ms,
		away: gather.Away{Time: 98 * ms, Known: gather.AwayAtMost}, states: stateOfGame(gather.StateSyscall, ""),
		want: own + "it was in a system call for 100" + gave + "at most 16 of 116 ms"},
	"a system call beside time away": {usual: 4 * ms, cpu: 6 * ms,
		away: gather.Away{Time: 98 * ms, Known: gather.AwayExact}, states: stateOfGame(gather.StateSyscall, ""),
		want: "The machine gave the processor to other programs for 98 of 116 ms"},
	"no processor on a busy machine": {usual: 4 * ms, cpu: 6 * ms,
		away: gather.Away{Time: 98 * ms, Known: gather.AwayAtMost}, states: stateOfGame(gather.StateRunnable, ""),
		want: own + "it wanted a processor for 100" + gave + "at most 16 of 116 ms"},
	"a coarse clock": {usual: 4 * ms, cpu: 15625 * time.Microsecond, want: "game 104 (usually 4)"},
	"locks of all": {usual: 4 * ms, cpu: 6 * ms, locks: 400 * ms, want: stood + "98 (usually not)" + whyNot +
		"; meanwhile about 3.4 goroutines at once, on average, waited for locks (usually none)"},
	"work with allocations": {usual: 4 * ms, cpu: 104 * ms, bytes: 180e6, want: "game 104 (usually 4); " +
		"meanwhile 180.0 MB were allocated (usually 0.0), with 1 collection"},
	"traced": {usual: 4 * ms, cpu: 6 * ms, states: []gather.LaneState{{Lane: 1, Begin: 5900, End: 5904},
		{Lane: 1, Kind: gather.StateWaiting, Reason: "mutex", Begin: 5904, End: 5954},
		{Lane: 1, Kind: gather.StateWaiting, Reason: "sleep", Begin: 5954, End: 6004}}, want: "game 104 (usually 4)"},
}

// stateOfGame is a state of the goroutine in nearly all of the frame.
func stateOfGame(kind gather.StateKind, reason string) []gather.LaneState {
	return []gather.LaneState{{Lane: 1, Begin: 5900, End: 5904},
		{Lane: 1, Kind: kind, Reason: reason, Begin: 5904, End: 6004}, {Lane: 1, Begin: 6004, End: 6016}}
}

// verdict returns the verdict on the frame.
func (c *standing) verdict(t *testing.T) *report.Verdict {
	s := process.NewSession()
	for i := range uint64(60) {
		f := workerFrame(i, 16, 12)
		f.Memory.Mode = gather.MemoryHeapPerFrame
		f.CPU, f.Zones[1].Idle = c.usual, c.waits
		main := &f.Lanes[0]
		main.Nodes[1].Self, main.Nodes[2].Self = 4, 12
		if i == 59 {
			f.End += 100
			main.End, f.Lanes[1].End = f.End, f.End
			main.Nodes[1].Self += 100
			f.Lanes[1].Nodes[0].Self += 100
			f.CPU, main.CPU, f.Away = c.cpu, c.thread, c.away
			if f.Memory.LockWait = c.locks; c.bytes > 0 {
				f.Memory.AllocBytes, f.Memory.Cycles = c.bytes, 1
			}
		}
		write(t, s, f)
	}
	s.AddStates(0, 7000, c.states)
	var v report.Verdict
	s.VerdictOf(&v, 0)
	return &v
}

// What did not run is named as that, and nothing else is.
func TestAWaitWithoutATraceIsNamed(t *testing.T) {
	for name, c := range standings {
		if got, want := c.verdict(t).String(), "Frame 59: +100 ms. "+c.want+"."; got != want {
			t.Errorf("%s: got  %q\nwant %q", name, got, want)
		}
	}
}

// However the goroutine and others shared the processors, a verdict says no time in which the goroutine ran. It says
// that it waited, if nothing else ran meanwhile.
func TestWhatDidNotRunIsNeverTooMuch(t *testing.T) {
	r := rand.New(rand.NewPCG(62, 1))
	named := 0
	for range 400 {
		ran := time.Duration(r.IntN(105)) * ms
		away := time.Duration(r.IntN(2)*r.IntN(int((104*ms-ran)/ms)+1)) * ms
		others := time.Duration(r.IntN(2)*r.IntN(200)) * ms
		c := standing{usual: 4 * ms, cpu: max(ran+others, ms), away: gather.Away{Time: away, Known: gather.AwayExact}}
		locked := r.IntN(2) == 0
		if locked {
			c.thread = max(ran, ms)
		}
		v := c.verdict(t)
		waited := (104*ms - ran - away).Seconds() * 1000
		found := 0.0
		for i := range v.Causes {
			if v.Causes[i].Kind == report.CauseNotRunning {
				found = v.Causes[i].Time
				named++
			}
		}
		if found > waited+1e-6 {
			t.Fatalf("%+v: got %q; it waited for %v", c, v, waited)
		}
		if (others == 0 || locked) && away == 0 && waited > 85 && found < 0.95*waited {
			t.Fatalf("%+v: got %q; want a wait of %v", c, v, waited)
		}
	}
	if named < 40 {
		t.Errorf("got %d waits; want some", named)
	}
}
