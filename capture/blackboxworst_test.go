package capture_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
)

// TestTheWorstFrameIsKept: late frames fall at random, also into the cool-down and while a file waits or is written. A
// late frame that is in no file is counted. If the disk keeps up, no frame that is left out is clearly worse than those
// in the files.
func TestTheWorstFrameIsKept(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 58))
		x := newFlight(t, capture.BlackBoxOptions{Before: 20, After: random.IntN(30), Files: 1000})
		late, disk := map[uint64]time.Duration{}, random.IntN(2) == 0
		x.step(time.Millisecond)
		for range 1500 { // of 9 s
			if random.IntN(100) > 0 {
				x.step(5 * time.Millisecond)
				continue
			}
			took := time.Duration(35+random.IntN(300)) * time.Millisecond
			x.step(took)
			late[x.frame.Index] = took
			if disk {
				x.box.WaitForFile()
			}
		}
		counted := uint64(0)
		out := make(map[uint64]time.Duration)
		worst, worstKept := time.Duration(0), time.Duration(0)
		for index, took := range late {
			out[index], worst = took, max(worst, took)
		}
		for _, name := range x.files() {
			frames, info := x.opened(name)
			counted += info.LeftOut
			for _, f := range frames {
				delete(out, f.Index)
				worstKept = max(worstKept, late[f.Index])
			}
			if !strings.HasPrefix(info.Reason, fmt.Sprintf("frame %d: ", info.Frame)) || late[info.Frame] == 0 {
				t.Errorf("seed %d: got frame %d, reason %q", seed, info.Frame, info.Reason)
			}
		}
		all := x.box.LeftOut()
		if uint64(len(out)) > all || all > uint64(len(late)) || counted > all {
			t.Errorf("seed %d: %d of %d late frames are in no file; got %d and %d counted", seed, len(out), len(late),
				all, counted)
		}
		if left := all - counted; left > 0 != strings.Contains(x.log.text(),
			fmt.Sprintf("iprof: %d triggers after the last file wrote none, the worst for frame ", left)) {
			t.Errorf("seed %d: %d left at the end; got the log %s", seed, left, x.log.text())
		}
		if disk && worstKept.Seconds()*1.11 < worst.Seconds() {
			t.Errorf("seed %d: the worst frame takes %v; got %v at most in files", seed, worst, worstKept)
		}
	}
}

// A planted hitch soon after a lesser one has a file of its own; one that is no worse than the first is counted.
func TestAHitchInTheCoolDownOfALesserOne(t *testing.T) {
	x := newFlight(t, capture.BlackBoxOptions{After: 3})
	for _, took := range []time.Duration{1, 40, 400, 90} {
		x.step(took * time.Millisecond)
		x.steps(50, 5*time.Millisecond)
		x.box.WaitForFile()
	}
	names := x.files()
	if len(names) != 2 || !strings.Contains(names[1], "-400.1-ms-busy") || x.box.LeftOut() != 1 {
		t.Errorf("got files %q and %d left out; want the frames of 40 and 400 ms, and 1", names, x.box.LeftOut())
	}
	if want := "1 triggers after the last file wrote none, the worst for frame 154: 90.1 ms busy"; !strings.Contains(
		x.log.text(), want) {
		t.Errorf("got the log %q; want %q", x.log.text(), want)
	}
}
