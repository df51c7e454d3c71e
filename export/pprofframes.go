package export

import (
	"bufio"
	"compress/gzip"
	"io"

	"example.com/iprof/gather"
)

// NewPprof begins a profile as Pprof writes it, but with a sample for each stack of each frame: the label "frame" has
// the frame's number. It grows with the frames. Close writes its end. It leaves out the times of single calls, counts
// and levels.
//
//	x := export.NewPprof(w, "game")
//	defer session.AddSink(x)() // or x.WriteFrame for each frame; x.Close ends the file
//
//	go tool pprof -tagfocus frame=100:200 -top FILE
//	go tool pprof -tagroot frame -http=: FILE
func NewPprof(w io.Writer, program string) *Frames {
	zip := gzip.NewWriter(w)
	p := &pprofFrames{out: buffered(zip), zip: zip, profile: newProfile(program)}
	return newFrames(p.out, p)
}

type pprofFrames struct {
	*profile
	out       *bufio.Writer
	zip       *gzip.Writer
	of        wire // the label of the frame
	in        wire // the label of the lane
	length    int64
	locations []uint64 // scratch
	labels    []wire   // scratch
	stackRows
}

func (p *pprofFrames) name(_ gather.ZoneID, z *gather.ZoneInfo) { p.zones = append(p.zones, *z) }

func (p *pprofFrames) lane(_ gather.LaneID, name string) { p.in = p.label("lane", name) }

func (p *pprofFrames) frame(f *gather.Frame, begin, end int64) {
	p.length += end - begin
	p.of = p.of[:0]
	p.of.number(labelKey, p.text("frame"))
	p.of.number(labelNumber, f.Index)
	p.of.number(labelUnit, p.text("count")) // without a unit readers drop number 0
}

func (p *pprofFrames) end(_ gather.LaneID, at int64) {
	row, hier := p.top(at)
	if wall := hier - row.below; wall > 0 || row.calls > 0 {
		p.locations = p.locations[:0]
		for i := len(p.stack) - 1; i >= 0; i-- {
			p.locations = append(p.locations, p.location(p.stack[i].zone))
		}
		labels := append(p.labels[:0], p.in, p.of)
		if zone := p.stack[len(p.stack)-1].zone; int(zone) < len(p.zones) && p.zones[zone].Idle {
			labels = append(labels, p.label("idle", "true"))
		}
		p.labels = labels
		p.sample(p.locations, int64(row.calls), wall, labels...)
	}
	p.pop()
	p.flush()
}

// flush writes what there is so far. The parts of a profile may come in any order.
func (p *pprofFrames) flush() {
	p.out.Write(p.profile.out)
	p.profile.out = p.profile.out[:0]
}

func (p *pprofFrames) close() {
	p.profile.out.number(profileDuration, uint64(p.length))
	p.flush()
}

// Close ends the compression.
func (p *pprofFrames) Close() error { return p.zip.Close() }
