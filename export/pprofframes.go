package export

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"io"
	"math"
	"slices"

	"example.com/iprof/gather"
)

// NewPprof begins a profile in the form of Pprof, but with a sample for each stack of each frame. The label "frame" has
// the frame's number. Close writes its end. It leaves out the times of single calls, counts and levels.
//
// Readers take seconds for a million samples. So in a long run a sample stands for several frames: for four after the
// first half million samples, and for four times as many after each further 70,000. Then "frame" has the number of the
// first frame, and the label "frames" the number of frames.
//
//	x := export.NewPprof(w, "game")
//	defer session.AddSink(x)() // or x.WriteFrame for each frame; x.Close ends the file
//
//	go tool pprof -tagfocus frame=100:200 -top FILE
//	go tool pprof -tagroot frame -http=: FILE
func NewPprof(w io.Writer, program string) *Frames {
	zip := gzip.NewWriter(w)
	p := &pprofFrames{out: buffered(zip), zip: zip, profile: newProfile(program), each: 1, room: singleSamples,
		at: map[string]int{}}
	return newFrames(p.out, p)
}

const (
	singleSamples  = 500_000 // samples that stand for one frame each
	groupedSamples = 70_000  // samples before the number of frames in a sample grows again
	groupsGrow     = 4
	mostEach       = 1 << 14 // greatest number of frames in a sample; after that, the rest of the run is one group
)

type pprofFrames struct {
	*profile
	out       *bufio.Writer
	zip       *gzip.Writer
	of        wire // the label of the frame
	in        wire // the label of the lane
	laneID    gather.LaneID
	length    int64
	driven    bool     // the frame's gather.Frame.EventDriven
	locations []uint64 // scratch
	labels    []wire   // scratch
	stackRows

	each   int // number of frames in a sample
	room   int // number of samples until each grows
	frames int // number of frames in the present group
	group  []groupedSample
	at     map[string]int // by lane and stack
	key    []byte         // scratch
}

// groupedSample is a stack of a lane in several frames.
type groupedSample struct {
	stack       []uint64
	in          wire
	idle        bool
	calls, wall int64
}

func (p *pprofFrames) name(_ gather.ZoneID, z *gather.ZoneInfo) { p.zones = append(p.zones, *z) }

func (p *pprofFrames) lane(id gather.LaneID, name string) { p.laneID, p.in = id, p.label("lane", name) }

func (p *pprofFrames) frame(f *gather.Frame, begin, end int64) {
	p.length, p.driven = p.length+end-begin, f.EventDriven
	if p.frames++; p.frames > 1 && p.frames <= p.each {
		return
	}
	p.endGroup()
	p.frames = 1
	if p.room <= 0 {
		p.each, p.room = p.each*groupsGrow, groupedSamples
		if p.each > mostEach {
			p.each, p.room = math.MaxInt, math.MaxInt
		}
	}
	p.of = p.numbered(p.of[:0], "frame", f.Index)
}

// numbered appends a label with a number.
func (p *pprofFrames) numbered(label wire, key string, n uint64) wire {
	label.number(labelKey, p.text(key))
	label.number(labelNumber, n)
	label.number(labelUnit, p.text("count")) // without a unit, readers drop the number 0
	return label
}

func (p *pprofFrames) end(_ gather.LaneID, at int64) {
	row, hier := p.top(at)
	if wall := hier - row.below; wall > 0 || row.calls > 0 {
		p.locations = p.locations[:0]
		for i := len(p.stack) - 1; i >= 0; i-- {
			p.locations = append(p.locations, p.location(p.stack[i].zone))
		}
		zone := p.stack[len(p.stack)-1].zone
		idle := int(zone) < len(p.zones) && p.zones[zone].Idle || zone == 0 && p.driven
		if p.each == 1 {
			p.write(groupedSample{p.locations, p.in, idle, int64(row.calls), wall})
		} else {
			p.add(idle, int64(row.calls), wall)
		}
	}
	p.pop()
	p.flush()
}

// add adds to the sample of the lane and stack in the present group.
func (p *pprofFrames) add(idle bool, calls, wall int64) {
	p.key = binary.AppendUvarint(p.key[:0], uint64(p.laneID))
	for _, l := range p.locations {
		p.key = binary.AppendUvarint(p.key, l)
	}
	i, known := p.at[string(p.key)]
	if !known {
		i = len(p.group)
		p.at[string(p.key)] = i
		p.group = append(p.group, groupedSample{stack: slices.Clone(p.locations), in: p.in, idle: idle})
	}
	p.group[i].calls += calls
	p.group[i].wall += wall
}

// endGroup writes the samples of several frames.
func (p *pprofFrames) endGroup() {
	for i := range p.group {
		p.write(p.group[i])
		p.flush()
	}
	p.group = p.group[:0]
	clear(p.at)
}

// write writes a sample of one frame, or of the group.
func (p *pprofFrames) write(s groupedSample) {
	labels := append(p.labels[:0], s.in, p.of)
	if s.idle {
		labels = append(labels, p.label("idle", "true"))
	}
	if p.each > 1 {
		labels = append(labels, p.numbered(nil, "frames", uint64(min(p.frames, p.each))))
	}
	p.labels = labels
	p.sample(s.stack, s.calls, s.wall, labels...)
	p.room--
}

// flush writes the parts so far. The parts of a profile may come in any order.
func (p *pprofFrames) flush() {
	p.out.Write(p.profile.out)
	p.profile.out = p.profile.out[:0]
}

func (p *pprofFrames) close() {
	p.endGroup()
	p.profile.out.number(profileDuration, uint64(p.length))
	p.flush()
}

// Close ends the compression.
func (p *pprofFrames) Close() error { return p.zip.Close() }
