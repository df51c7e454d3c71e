package process

import "example.com/iprof/process/internal/history"

// describe fills in the parts of FrameInfo about the lens and kept frames.
func (s *store) describe(i *FrameInfo, v *View, p *history.Frame) {
	i.Lens = v.LensInForce()
	if i.Lens.Kind != LensOff {
		i.LensFrames, i.LensLost = len(s.lens.Frames), s.lens.Lost
		i.Gone = false
		return
	}
	if i.Kept = v.Kept > 0; i.Kept {
		i.Live = false
		if p != nil {
			i.Age = int(s.past.Next - 1 - p.Seq)
		}
	}
}

// appendLensWarnings appends the warnings about frames that the lens misses.
func (s *store) appendLensWarnings(dst []string, i *FrameInfo, mode ReportMode) []string {
	l := &s.lens
	switch {
	case i.Lens.Kind == LensOff || i.Frames == 0:
		return dst
	case i.LensFrames == 0 && i.LensLost == 0:
		dst = append(dst, "no frame of the history is one that the lens chooses")
	case mode == ReportExtra && len(l.Others.Frames) == 0:
		dst = append(dst, "all frames of the history are ones that the lens chooses: there are none to compare with")
	}
	if i.LensLost > 0 {
		dst = append(dst, l.LostWarning(i.LensLost))
	}
	return dst
}
