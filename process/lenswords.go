package process

import (
	"strconv"
)

// describe fills in the parts of FrameInfo about the lens and kept frames.
func (s *Session) describe(i *FrameInfo, v *View, p *pastFrame) {
	i.Lens = v.lens()
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

// appendLens names the frames of a lens in a report's title.
func (i *FrameInfo) appendLens(dst []byte) []byte {
	dst = append(dst, "average of "...)
	dst = strconv.AppendInt(dst, int64(i.LensFrames), 10)
	dst = append(dst, " frame"...)
	if i.LensFrames != 1 {
		dst = append(dst, 's')
	}
	switch i.Lens.Kind {
	case LensOver:
		dst = append(dst, " over budget"...)
	case LensWithin:
		dst = append(dst, " within budget"...)
	case LensSlowest:
		dst = append(dst, ", the slowest"...)
	case LensRange:
		dst = strconv.AppendUint(append(dst, ", "...), i.Lens.From, 10)
		dst = strconv.AppendUint(append(dst, " to "...), i.Lens.To, 10)
	}
	return dst
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
