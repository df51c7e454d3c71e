package process

// describe fills in the parts of FrameInfo about the lens and kept frames.
func (s *Session) describe(i *FrameInfo, v *View, p *pastFrame) {
	i.Lens = v.LensInForce()
	if i.Lens.Kind != LensOff {
		i.LensFrames, i.LensLost = len(s.lens.frames), s.lens.lost
		i.Gone = false
		return
	}
	if i.Kept = v.Kept > 0; i.Kept {
		i.Live = false
		if p != nil {
			i.Age = int(s.past.next - 1 - p.seq)
		}
	}
}

// appendLensWarnings appends the warnings about frames that the lens misses.
func (s *Session) appendLensWarnings(dst []string, i *FrameInfo, mode ReportMode) []string {
	l := &s.lens
	switch {
	case i.Lens.Kind == LensOff || i.Frames == 0:
		return dst
	case i.LensFrames == 0 && i.LensLost == 0:
		dst = append(dst, "no frame of the history is one that the lens chooses")
	case mode == ReportExtra && len(l.others.frames) == 0:
		dst = append(dst, "all frames of the history are ones that the lens chooses: there are none to compare with")
	}
	if i.LensLost > 0 {
		dst = append(dst, l.lostWarning(i.LensLost))
	}
	return dst
}
