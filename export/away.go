package export

import "example.com/iprof/gather"

// awaySum sums the time away of frames: see gather.Away.
type awaySum struct {
	seconds   float64
	disturbed uint64
	known     bool // the system reports it
}

func (a *awaySum) add(f *gather.Frame) {
	if f.Away.Known == gather.AwayUnknown {
		return
	}
	a.known = true
	a.seconds += max(f.Away.Time.Seconds(), 0)
	if f.Disturbed() {
		a.disturbed++
	}
}

// families returns the metrics. They have no samples if the system does not report the time away.
func (a *awaySum) families() []Family {
	away := counter("iprof_frame_away_seconds", "seconds",
		"Time of frames for which the machine gave the processor to other programs, at most.", a.seconds)
	disturbed := counter("iprof_frames_disturbed", "",
		"Frames of which the machine gave more than a tenth to other programs.", float64(a.disturbed))
	if !a.known {
		away.Samples, disturbed.Samples = nil, nil
	}
	return []Family{away, disturbed}
}
