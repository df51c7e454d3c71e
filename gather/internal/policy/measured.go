package policy

import "example.com/iprof/platform"

// Measured schedules the frames in which muted zones are measured: one every few seconds. The caller guards it with a
// mutex.
type Measured struct {
	frames int            // measured frames to come, including the present one
	last   platform.Ticks // when the last one ended
}

// MeasureEvery is the number of seconds between two measured frames.
const MeasureEvery = 2

// Begin measures this frame and those that follow, so many in all.
func (m *Measured) Begin(frames int) { m.frames = frames }

// Skip leaves the next frames out, as if a measured one had ended now.
func (m *Measured) Skip(now platform.Ticks) { m.last = now }

// EndFrame ends a frame at a time on a clock with that rate in ticks per second. It reports whether the next frame is a
// measured one.
func (m *Measured) EndFrame(now platform.Ticks, rate float64) (measured bool) {
	switch {
	case m.frames > 1:
		m.frames--
	case m.frames == 1:
		m.frames, m.last = 0, now
	case float64(now-m.last) >= MeasureEvery*rate:
		m.frames = 1
	}
	return m.frames > 0
}
