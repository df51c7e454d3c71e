//go:build !iprof_off

package process_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// afterUsual returns the session of a program after 60 usual frames and another one.
func afterUsual(t *testing.T, names []string, usual func(i int) string, last string) *process.Session {
	t.Helper()
	s := process.NewSession()
	s.SetFrameBudget(50 * time.Millisecond)
	for i := range 60 {
		write(t, s, tree(uint64(i), names, usual(i)))
	}
	write(t, s, tree(60, names, last))
	return s
}

// The self time of a zone rises by 3.5 ms, and that of its callee falls. It is a cause where the zone has always taken
// as long, and none where it has always changed by 4 ms.
func TestTheNoiseOfASelfTimeIsNoCause(t *testing.T) {
	for noise, want := range map[int]bool{0: true, 4: false} {
		usual := func(i int) string {
			off := noise * (i%3 - 1)
			return fmt.Sprintf("step %d 1\n  part %d 1\nrest 10 1\n", 8+off, 12-off)
		}
		s := afterUsual(t, []string{"step", "part", "rest"}, usual, "step 11.5 1\n  part 10.5 1\nrest 10 1\n")
		var v report.Verdict
		if found := s.VerdictOf(&v, 0); found != want || found && v.Cause().Name != "step" {
			t.Errorf("noise of %d ms: got %v, %q; want %v", noise, found, v.String(), want)
		}
	}
}

// Frames of less than a millisecond have hitches, too: in their length alone, because the program waited, and in their
// work alone, because it waited less.
func TestHitchesOfShortFrames(t *testing.T) {
	for name, c := range map[string]struct{ usual, last, want string }{
		"length": {"work 0.1 1\nvsync 0.1 1\n", "work 0.1 1\nvsync 1.5 1\n", "vsync"},
		"work":   {"work 0.1 1\nvsync 1.9 1\n", "work 1.5 1\nvsync 0.5 1\n", "work"},
	} {
		s := afterUsual(t, []string{"work", "vsync*"}, func(int) string { return c.usual }, c.last)
		var v report.Verdict
		if s.View().Verdict(&v); v.Index != 60 || v.Cause().Name != c.want {
			t.Errorf("%s: got %q; want frame 60 with %s", name, v.String(), c.want)
		}
	}
}

// The verdict on many frames is of those that ended in the last two seconds, and of 256 at most.
func TestTheVerdictOnManyFramesIsOfTheNewest(t *testing.T) {
	for ms, want := range map[float64]int{3: 256, 110: 19} {
		s := process.NewSession()
		s.SetHistory(1000, 1000)
		s.SetFrameBudget(time.Millisecond)
		for i := range 400 {
			write(t, s, workFrame(i, ms))
		}
		var v report.Verdict
		if s.View().Verdict(&v); v.Frames != want || v.Among != want {
			t.Errorf("got %d of %d frames; want all of %d: %q", v.Frames, v.Among, want, v.String())
		}
	}
}

// Frames that often take 4 ms more, or sometimes, are late only beyond what is usual for them.
func TestTheNoiseOfFramesIsUsual(t *testing.T) {
	for _, c := range []struct {
		of8  int // frames with the additional time
		last float64
		late bool
	}{{3, 22, false}, {3, 29, true}, {1, 18, false}, {1, 20, true}} {
		usual := func(i int) string {
			return map[bool]string{true: "work 14 1\n", false: "work 10 1\n"}[i%8 < c.of8]
		}
		s := afterUsual(t, []string{"work"}, usual, fmt.Sprintf("work %g 1\n", c.last))
		var v report.Verdict
		if found := s.VerdictOf(&v, 0); found != c.late {
			t.Errorf("4 ms more in %d of 8 frames, then %g: got %q; want a verdict: %v", c.of8, c.last-10, v.String(),
				c.late)
		}
	}
}

// A frame of long ago is compared with the frames around it, not with the newest, and an unknown one with none.
func TestTheUsualFramesAreThoseBefore(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(1000, 1000)
	for i := range 600 {
		ms := 10 + 20*float64(i/300)
		if i == 150 {
			ms = 30
		}
		write(t, s, workFrame(i, ms))
	}
	var v report.Verdict
	if s.VerdictOf(&v, 449); v.Index != 150 || v.Usual != 10 || v.Excess != 20 {
		t.Errorf("got frame %d, %g ms more than the usual %g; want 150, 20, 10", v.Index, v.Excess, v.Usual)
	}
	if v.Clear(); s.VerdictOf(&v, 600) {
		t.Errorf("before the first frame: got %q", v.String())
	}
}

// A time grows steadily if it does over five blocks of eight frames before the last, whatever was before.
func TestARiseIsOfFiveBlocks(t *testing.T) {
	for steps, want := range map[int]bool{3: false, 4: true, 6: true} {
		rise := 160 - 8*steps
		s := process.NewSession()
		for i := range 161 {
			ms := 1
			if i < 40 {
				ms = 20
			} else if i >= rise {
				ms = 3 + 2*((i-rise)/8)
			}
			write(t, s, tree(uint64(i), []string{"work", "path"}, fmt.Sprintf("work 10 1\npath %d 1\n", ms)))
		}
		var v report.Verdict
		s.VerdictOf(&v, 0)
		got := v.Cause().Pattern
		if named := got.Kind == report.PatternRise; v.Cause().Name != "path" || named != want ||
			named && got.Since != uint64(rise-8) {
			t.Errorf("%d blocks rise: got %+v, %q; want a rise: %v, since frame %d", steps, got, v.String(), want,
				rise-8)
		}
	}
}

// gpuBound is a frame of a program that waits for the GPU in a call of its driver, which counts as work.
func gpuBound(index uint64, length, gpu platform.Ticks) *gather.Frame {
	f := gpuFrame(index, length, gpu)
	f.Lanes[0].Nodes[1].Self, f.Lanes[0].Nodes[2].Self = length, 0
	return f
}

// Of a wait, it explains two fifths or more. Of work, it explains four fifths or more and is busy for nine tenths of
// the frame.
func TestTheGPUIsNamedFromItsLimitsOn(t *testing.T) {
	for name, c := range map[string]struct {
		frame                   func(index uint64, length, gpu platform.Ticks) *gather.Frame
		usual, usualGPU, length platform.Ticks
		least                   platform.Ticks // time of the GPU from which it is named
	}{
		"wait": {gpuFrame, 16, 8, 41, 18}, "work": {gpuBound, 20, 20, 30, 28}, "busy": {gpuBound, 20, 18, 30, 27},
	} {
		for gpu := c.least - 1; gpu <= c.least; gpu++ {
			s := process.NewSession()
			for i := range uint64(59) {
				write(t, s, c.frame(i, c.usual, c.usualGPU))
			}
			write(t, s, c.frame(59, c.length, gpu))
			var v report.Verdict
			s.VerdictOf(&v, 0)
			if named := v.Cause().Kind == report.CauseGPU && v.Cause().Self; named != (gpu == c.least) {
				t.Errorf("%s, %d ms of the GPU: got it named %v: %q", name, gpu, named, v.String())
			}
		}
	}
}

// A scope of the GPU lasts for three frames, and is to blame for a long one at its end, or for two, and is to blame for
// a long one in it: it is open in the whole of half of the frames, and standing in most.
func TestAPathThatEndsIsNotStanding(t *testing.T) {
	for frames, open := range map[uint64]uint64{3: 2, 2: 2} {
		s := process.NewSession()
		frame := func(i uint64, length, gpu platform.Ticks) {
			f := gpuFrame(i, length, gpu)
			shadow := &f.Lanes[1].Nodes[1]
			shadow.Count, shadow.Open = uint32(1-min(i%frames, 1)), i%frames < open
			write(t, s, f)
		}
		for i := range uint64(59) {
			frame(i, 16, 8)
		}
		frame(59, 30, 28)
		var v report.Verdict
		if s.VerdictOf(&v, 0); v.Cause().Kind != report.CauseGPU || v.Cause().Name != "GPU shadow" {
			t.Errorf("of %d frames: got %q; want the GPU's scope", frames, v.String())
		}
	}
}

// TestAVerdictStaysForThreeSeconds of the history's clock, to the frame.
func TestAVerdictStaysForThreeSeconds(t *testing.T) {
	s := process.NewSession()
	s.SetFrameBudget(time.Second)
	for i := range 60 {
		write(t, s, workFrame(i, 125))
	}
	write(t, s, workFrame(60, 500))
	var v report.Verdict
	s.View().Verdict(&v)
	for i := range 30 {
		write(t, s, workFrame(61+i, 125))
		if s.View().Verdict(&v); v.Found() != (i < 24) {
			t.Errorf("%d ms later: got %q", 125*(i+1), v.String())
		}
	}
}

// A frame within its budget is shown as late from half more than usual on.
func TestAHitchIsHalfMoreThanUsual(t *testing.T) {
	for ms, want := range map[float64]bool{149: false, 150: true} {
		s := process.NewSession()
		s.SetFrameBudget(time.Second)
		for i := range 60 {
			write(t, s, workFrame(i, 100))
		}
		write(t, s, workFrame(60, ms))
		var v report.Verdict
		if shown := s.View().Verdict(&v); shown != want {
			t.Errorf("%g ms where 100 are usual: got %q; want a verdict: %v", ms, v.String(), want)
		}
	}
}
