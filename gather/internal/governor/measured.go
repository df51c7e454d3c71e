package governor

import (
	"example.com/iprof/platform"
)

// Measured schedules the frames in which muted zones are measured: one every few seconds, at random, so that no rhythm
// of the program can hide from it. The caller guards it with a mutex.
type Measured struct {
	frames int            // measured frames to come, including the present one
	last   platform.Ticks // when the last one ended
	gap    float64        // seconds from then to the next
	random Random         // 0 before the first gap
}

// MeasureEvery is the mean number of seconds between two measured frames. The gap is half of it to one and a half.
const MeasureEvery = 2

// Begin measures this frame and those that follow, so many in all.
func (m *Measured) Begin(frames int) { m.frames = frames }

// Skip leaves the next frames out, as if a measured one had ended now.
func (m *Measured) Skip(now platform.Ticks) {
	const steps = 1 << 16
	if m.random == 0 {
		m.random = 0x9E3779B97F4A7C15
	}
	m.last, m.gap = now, MeasureEvery*(0.5+float64(m.random.UpTo(steps))/steps)
}

// EndFrame ends a frame at a time on a clock with that rate in ticks per second. It reports whether the next frame is a
// measured one.
func (m *Measured) EndFrame(now platform.Ticks, rate float64) (measured bool) {
	switch {
	case m.frames > 1:
		m.frames--
	case m.frames == 1:
		m.frames = 0
		m.Skip(now)
	case float64(now-m.last) >= m.gap*rate:
		m.frames = 1
	}
	return m.frames > 0
}
