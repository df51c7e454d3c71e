package process

import "example.com/iprof/platform"

// MostHotFrames is the number of frames in a HotZones.
const MostHotFrames = 16

// HotFrame are the hot lines of one slow frame: those of the samples in its time. It is plain data and is not changed.
type HotFrame struct {
	Begin   platform.Ticks // of the frame: see gather.Frame
	Zones   []HotLines     // as in HotZones
	Samples int            // in all zones
	Outside int            // as in HotLines
}

// OfFrame returns the lines of a zone in the frame that began at a time, from its samples alone. It is nil without
// samples of both. It allocates.
func (h *HotZones) OfFrame(begin platform.Ticks, zone ZoneID) *HotLines {
	for i := range h.Frames {
		f := &h.Frames[i]
		if f.Begin != begin {
			continue
		}
		of := (&HotZones{Zones: f.Zones, Samples: f.Samples, Outside: f.Outside, Error: h.Error}).Of(zone)
		if of.OfFrame = true; of.Samples > 0 {
			return of
		}
	}
	return nil
}

// hotFrame returns the beginning of the frame that the view shows, 0 if it is a mean of several.
func (s *Session) hotFrame() platform.Ticks {
	if s.view.through() || s.view.Age == 0 && s.view.Kept == 0 && s.view.Average != AverageInstant {
		return 0
	}
	if p := s.shown(&s.view); p != nil {
		return p.from
	}
	return 0
}
