//go:build !iprof_off

package measure

import "example.com/iprof/platform"

// Collect ends a frame and begins the next. It fills f with the measurements of all lanes since the last Collect. The
// lane of the calling goroutine comes first and is the frame's Updater. It reuses the memory of f. Any goroutine may
// call it, and all others go on meanwhile. Only a goroutine at its first zone has to wait for it.
func Collect(f *Frame) { firstSet.Collect(f) }

// EndUpdate ends the scope of an Update. It counts the time since the beginning of the latest Collect as overhead of
// the caller's lane: LaneFrame.Slow has it. Of a time far above the usual only twice the usual counts, because
// the system may have taken the processor away. Any goroutine may call it.
func EndUpdate(s Scope) {
	s.End()
	if l := laneFor(false); l != nil {
		registry.mu.Lock()
		r := &reading
		l.slowTime.Add(platform.Ticks(r.usual.Mostly(r.took())))
		registry.mu.Unlock()
	}
}

// CollectPaused is Collect at the start (paused is true) or the end of a pause, in which the host discards all frames.
// The pause's time does not count in open holds. Holds decided during the pause appear in the first frame after it. Any
// goroutine may call it.
func CollectPaused(f *Frame, paused bool) {
	t := turnResume
	if paused {
		t = turnPause
	}
	firstSet.collect(f, t)
}

// CollectReset is Collect when the host forgets all earlier frames. Open holds forget, too. Any goroutine may call it.
func CollectReset(f *Frame) {
	firstSet.collect(f, turnReset)
	forgetForeign()
}

// Peek fills f as Collect does, but does not end the frame: the next Collect reports the same measurements again. If
// another goroutine ends the frame meanwhile, f reports the ended frame. Peek makes no lane for the calling goroutine.
// The Updater is the lane that ended the last frame; before the first frame it is the main goroutine's lane, or else
// the caller's. Any goroutine may call it. A Collect waits at most for the reading of some thousand nodes.
func Peek(f *Frame) { firstSet.Peek(f) }

// PeekEach is Peek for frames with very many nodes: it calls see with one lane after another, and needs memory for only
// one. The lane is valid during the call. f has no lanes after PeekEach. Frames may end meanwhile, but another Peek
// waits for this one. see must not call this package.
func PeekEach(f *Frame, see func(l *LaneFrame)) { firstSet.PeekEach(f, see) }
