package framefile

import (
	"encoding/binary"

	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// mostSlowZones is the greatest number of zones of a slow frame that are written and read.
const mostSlowZones = 16

// appendSlow appends the hot lines of slow frames, if they differ from those written last.
func (e *hotEncoder) appendSlow(dst []byte, frames []report.HotFrame) []byte {
	frames = frames[:min(len(frames), report.MaxHotFrames)]
	if sameSlow(frames, e.slowFrames) {
		return dst
	}
	e.slowFrames = frames
	texts, p := newTexts(), []byte(nil)
	for i := range frames {
		f := &frames[i]
		p = binary.AppendUvarint(p, uint64(max(f.Begin, 0)))
		p = binary.AppendUvarint(p, uint64(max(f.Samples, 0)))
		p = binary.AppendUvarint(p, uint64(max(f.Outside, 0)))
		zones := e.knownOf(f.Zones[:min(len(f.Zones), mostSlowZones)])
		p = binary.AppendUvarint(p, uint64(len(zones)))
		for k := range zones {
			p = appendHot(p, texts, &zones[k])
		}
	}
	return appendChunk(dst, chunkSlow, p)
}

// knownOf returns the zones that readers know.
func (e *hotEncoder) knownOf(zones []report.HotLines) (known []report.HotLines) {
	for i := range zones {
		if e.knows(zones[i].Zone) {
			known = append(known, zones[i])
		}
	}
	return known
}

// sameSlow reports whether two lists have the same frames and samples.
func sameSlow(a, b []report.HotFrame) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Begin != b[i].Begin || a[i].Samples != b[i].Samples || a[i].Outside != b[i].Outside {
			return false
		}
	}
	return true
}

// setSlow reads a chunk of hot lines of slow frames, for the next chunk of hot lines.
func (t *tables) setSlow(d *decoder) {
	var frames []report.HotFrame
	texts := readTexts{""}
	for len(d.rest) > 0 && d.err == nil && len(frames) < report.MaxHotFrames {
		f := report.HotFrame{Begin: platform.Ticks(min(d.uvarint(), uint64(platform.MaxTicks))), Samples: d.number(),
			Outside: d.number()}
		for range min(d.length(5), mostSlowZones) {
			f.Zones = append(f.Zones, texts.hot(d))
		}
		frames = append(frames, f)
	}
	if d.err == nil {
		t.slowFrames = frames
	}
}
