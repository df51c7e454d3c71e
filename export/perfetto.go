package export

import (
	"bufio"
	"encoding/binary"
	"io"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// The field numbers of Perfetto's messages, as far as used.
const (
	traceUncompressed = 1 // Trace.packet

	packetTimestamp  = 8
	packetSequence   = 10
	packetEvent      = 11
	packetInterned   = 12
	packetFlags      = 13
	packetDescriptor = 60
	packetFirst      = 87 // first_packet_on_sequence

	trackUUID    = 1
	trackName    = 2
	trackProcess = 3
	trackParent  = 5
	trackCounter = 8
	processPID   = 1
	processName  = 6

	eventAnnotation = 4
	eventType       = 9
	eventNameID     = 10
	eventTrack      = 11
	eventName       = 23
	eventLocationID = 34
	eventDouble     = 44 // double_counter_value

	annotationNameID = 1
	annotationUint   = 3
	annotationDouble = 5
	annotationString = 6

	internedNames       = 2
	internedAnnotations = 3
	internedLocations   = 4
	internedID          = 1
	internedName        = 2
	locationFile        = 2
	locationFunction    = 3
	locationLine        = 4
)

// The values of TrackEvent.type and TracePacket.sequence_flags.
const (
	typeBegin   = 1
	typeEnd     = 2
	typeInstant = 3
	typeCounter = 4

	flagCleared = 1
	flagNeeds   = 2
)

// The tracks. Two bits of a track's id give its kind: a lane's states (0), a lane, a counter, or one of these.
const (
	trackOfLane, trackOfCounter = 1, 2
	trackOfProcess              = 3
	trackOfFrames               = 7
	trackOfMarks                = 11
	trackOfPhases               = 15 // this and the next ones: states of the whole program, by kind
	callsID                     = 1  // the interned names of the annotations "calls", "text" and "value"
	textID                      = 2
	valueID                     = 3
)

// clearEvery is the number of bytes after which names are written again, so that a file without its beginning can be
// read from there.
const clearEvery = 4 << 20

// NewPerfetto begins a file of Perfetto track events, for ui.perfetto.dev. Lanes are tracks, counts and levels are
// counters, marks are on a track of their own. A slice has its zone's function, file and line, its number of calls, and
// the program's remark on it: see gather.Remark. If a frame has states (see gather.LaneState), the states of a
// goroutine are on a track below its lane, and an arrow (a flow) leads from the scope that ended a wait to the scope
// that waited. Times are whole nanoseconds. Names are written again every 4 MB, so that the end of a cut file can be
// read.
//
//	x := export.NewPerfetto(w, "game")
//	defer session.AddSink(x)() // or x.WriteFrame for each frame; x.Close ends the file
func NewPerfetto(w io.Writer, program string) *Frames {
	p := &perfetto{out: buffered(w), program: program}
	p.clear()
	p.event(0, trackOfFrames, typeInstant, func(e *wire) { e.text(eventName, "places: "+places) })
	return newFrames(p.out, p)
}

type perfetto struct {
	out     *bufio.Writer
	program string
	zones   []gather.ZoneInfo
	written []bool                 // the zones that were written since the latest clear
	laned   map[gather.LaneID]bool // the lanes that were described since the latest clear
	values  map[int]bool
	stated  map[track]bool // the tracks of states that were described
	since   int            // bytes since the latest clear
	first   bool
	remarks []report.Remark // of the open slices of the lane, outermost first
	packet  wire
	body    wire
	nested  wire
}

func (p *perfetto) name(_ gather.ZoneID, z *gather.ZoneInfo) {
	p.zones, p.written = append(p.zones, *z), append(p.written, false)
}

// clear makes readers forget all names, and describes the fixed tracks.
func (p *perfetto) clear() {
	p.since = 0
	clear(p.written)
	p.values, p.stated, p.laned = map[int]bool{}, map[track]bool{}, map[gather.LaneID]bool{}
	p.packet.number(packetFlags, flagCleared)
	if !p.first {
		p.first = true
		p.packet.number(packetFirst, 1)
	}
	p.body = p.body[:0]
	for i, name := range [...]string{"calls", "text", "value"} {
		p.nested = p.nested[:0]
		p.nested.number(internedID, callsID+uint64(i))
		p.nested.text(internedName, name)
		p.body.message(internedAnnotations, p.nested)
	}
	p.packet.message(packetInterned, p.body)
	p.write()

	p.nested = p.nested[:0]
	p.nested.number(processPID, 1)
	p.nested.text(processName, p.program)
	p.describe(trackOfProcess, 0, "", trackProcess)
	p.describe(trackOfFrames, trackOfProcess, "frames", 0)
	p.describe(trackOfMarks, trackOfProcess, "marks", 0)
}

// describe writes a track's description, with p.nested as its given field. The process has no parent and no name.
func (p *perfetto) describe(uuid, parent uint64, name string, field int) {
	p.body = p.body[:0]
	p.body.number(trackUUID, uuid)
	if uuid != trackOfProcess {
		p.body.text(trackName, name)
		p.body.number(trackParent, parent)
	}
	if field != 0 {
		p.body.message(field, p.nested)
	}
	p.packet.message(packetDescriptor, p.body)
	p.write()
}

// write writes p.packet and empties it.
func (p *perfetto) write() {
	p.packet.number(packetSequence, 1)
	head := binary.AppendUvarint([]byte{traceUncompressed<<3 | wireBytes}, uint64(len(p.packet)))
	p.out.Write(head)
	p.out.Write(p.packet)
	p.since += len(head) + len(p.packet)
	p.packet = p.packet[:0]
}

func (p *perfetto) lane(id gather.LaneID, name string) {
	if len(p.laned) >= 2*mostLanes {
		clear(p.laned)
	}
	if !p.laned[id] {
		p.laned[id] = true
		p.describe(laneTrack(id), trackOfProcess, name, 0)
	}
}

func laneTrack(id gather.LaneID) uint64 { return uint64(id)<<2 | trackOfLane }

// event writes an event. add adds its fields.
func (p *perfetto) event(at int64, track uint64, kind uint64, add func(*wire)) {
	p.body = p.body[:0]
	p.body.number(eventType, kind)
	p.body.number(eventTrack, track)
	if add != nil {
		add(&p.body)
	}
	p.packet.number(packetTimestamp, uint64(at))
	p.packet.number(packetFlags, flagNeeds)
	p.packet.message(packetEvent, p.body)
	p.write()
}

func (p *perfetto) begin(lane gather.LaneID, at int64, zone gather.ZoneID, calls uint64) {
	if !p.written[zone] {
		p.intern(zone)
	}
	p.remarks = append(p.remarks, report.Remark{})
	p.event(at, laneTrack(lane), typeBegin, func(e *wire) {
		e.number(eventNameID, uint64(zone)+1)
		e.number(eventLocationID, uint64(zone)+1)
		p.nested = p.nested[:0]
		p.nested.number(annotationNameID, callsID)
		p.nested.number(annotationUint, calls)
		e.message(eventAnnotation, p.nested)
	})
}

// intern adds a zone's name and place to p.packet.
func (p *perfetto) intern(zone gather.ZoneID) {
	p.written[zone] = true
	z := &p.zones[zone]
	p.body, p.nested = p.body[:0], p.nested[:0]
	p.nested.number(internedID, uint64(zone)+1)
	p.nested.text(internedName, z.Name)
	p.body.message(internedNames, p.nested)
	p.nested = p.nested[:0]
	p.nested.number(internedID, uint64(zone)+1)
	p.nested.text(locationFile, z.File)
	p.nested.text(locationFunction, z.Function)
	p.nested.number(locationLine, uint64(max(z.Line, 0)))
	p.body.message(internedLocations, p.nested)
	p.packet.message(packetInterned, p.body)
}

func (p *perfetto) end(lane gather.LaneID, at int64) {
	last := len(p.remarks) - 1
	m := p.remarks[last]
	p.remarks = p.remarks[:last]
	p.event(at, laneTrack(lane), typeEnd, func(e *wire) {
		if m.Text != "" {
			p.nested = p.nested[:0]
			p.nested.number(annotationNameID, textID)
			p.nested.text(annotationString, m.Text)
			e.message(eventAnnotation, p.nested)
		}
		if m.Valued {
			p.nested = p.nested[:0]
			p.nested.number(annotationNameID, valueID)
			p.nested.double(annotationDouble, m.Value)
			e.message(eventAnnotation, p.nested)
		}
	})
}

// say keeps the remark on a slice until the slice ends, because the end event may have annotations, too.
func (p *perfetto) say(_ gather.LaneID, depth int, m *gather.Remark) {
	p.remarks[depth].Join(m.Text, m.Value, m.Valued)
}

func (p *perfetto) frame(f *gather.Frame, begin, end int64) {
	if p.since >= clearEvery { // between frames: no slice is open
		p.clear()
	}
	p.event(begin, trackOfFrames, typeBegin, func(e *wire) { e.text(eventName, frameName(f)) })
	p.event(end, trackOfFrames, typeEnd, nil)
}

func (p *perfetto) value(number int, name string, at int64, v float64) {
	track := uint64(number)<<2 | trackOfCounter
	if !p.values[number] {
		p.values[number] = true
		p.nested = p.nested[:0]
		p.describe(track, trackOfProcess, name, trackCounter)
	}
	p.event(at, track, typeCounter, func(e *wire) { e.double(eventDouble, v) })
}

func (p *perfetto) mark(at int64, text string) {
	p.event(at, trackOfMarks, typeInstant, func(e *wire) { e.text(eventName, text) })
}

func (p *perfetto) close() {}
