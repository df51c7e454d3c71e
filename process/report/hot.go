package report

import "example.com/iprof/platform"

// HotLine is a line of the program in which samples of the processor fell.
type HotLine struct {
	_ [0]func() // not comparable: the code of == would be in each program

	Function string
	File     string // full path
	Line     int
	Text     string // of the source, without the space around it; "" where there is none
	Samples  int
}

// HotFunction is a function in which samples fell.
type HotFunction struct {
	Function string
	Samples  int
}

// HotLines are the lines with samples of a zone. They are immutable plain data.
type HotLines struct {
	Zone      ZoneID
	Lines     []HotLine     // at most 16, the most samples first
	Functions []HotFunction // at most 8, the most samples first
	Samples   int           // in the zone itself, not in zones inside
	ByStack   int           // samples of these that were assigned by stack, because the events were overwritten
	Others    int           // in other zones
	Outside   int           // outside every zone, without events, or on goroutines without a lane
	Error     string        // why there are no samples, or ""
	OfFrame   bool          // only the samples in one frame count: see HotZones.OfFrame
}

// OutsideShare returns the share of all samples that fell into no zone, 0 to 1.
func (h *HotLines) OutsideShare() float64 {
	return float64(h.Outside) / float64(max(h.Samples+h.Others+h.Outside, 1))
}

// MaxHotZones is the number of zones in a HotZones.
const MaxHotZones = 64

// HotZones are the hot lines of all zones, from the samples of some seconds. They are immutable plain data.
type HotZones struct {
	Zones   []HotLines // at most MaxHotZones, the most samples first; Others and Outside are filled by Of
	Samples int        // in all zones
	Outside int        // as in HotLines
	Error   string     // why there are no samples, or ""
	Frames  []HotFrame // slow frames with samples, at most MaxHotFrames, the oldest first

	// Waited is, by zone, the share of self time since the start without a processor, 0 to 1, from samples of the whole
	// run. A zone that is missing did not wait, or its share is not known.
	Waited map[ZoneID]float64
}

// Of returns the lines of a zone. A zone without samples has none. It allocates.
func (h *HotZones) Of(zone ZoneID) *HotLines {
	of := HotLines{Zone: zone}
	for i := range h.Zones {
		if h.Zones[i].Zone == zone {
			of = h.Zones[i]
		}
	}
	of.Others, of.Outside, of.Error = h.Samples-of.Samples, h.Outside, h.Error
	return &of
}

// MinSampling and MaxSampling are the rates of a HotSource, in samples a second of processor time. The least rate is
// the usual one.
const (
	MinSampling = 100
	MaxSampling = 1000
)

// MaxHotFrames is the number of frames in a HotZones.
const MaxHotFrames = 16

// HotFrame holds the hot lines of one slow frame, from the samples in its time. It is immutable plain data.
type HotFrame struct {
	Begin   platform.Ticks // of the frame: see gather.Frame
	Zones   []HotLines     // as in HotZones
	Samples int            // in all zones
	Outside int            // as in HotLines
}

// OfFrame returns the lines of a zone in the frame that began at a time, from the samples of that frame alone. It is
// nil if the zone has no samples in the frame. It allocates.
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
