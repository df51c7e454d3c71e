package framefile

import (
	"encoding/binary"
	"math"
	"time"

	"example.com/iprof/process"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/process/timeline"
)

// Encoder turns frames into chunks. A period is the frames between two keys. It writes a node's definition once per
// period, and after that only the differences from the last frame. Its memory grows with the number of nodes and is
// reused.
type Encoder struct {
	payload []byte
	scalars [frameScalars]uint64
	Has     Definitions // as written so far
	dropped uint64      // marks dropped, as last written
	frames  int         // frames since the last key

	section     gather.SectionInfo // as written last
	slowDropped uint64             // slow calls, as last written
	saidDropped uint64             // remarks, as last written

	period uint32  // number of keys so far
	nodes  []known // by Node.ID
	locals []local
	lanes  map[gather.LaneID]*lane
	order  int // lanes defined in this period

	Budget time.Duration // the frame budget of the next frame, 0 if not known
	calls  CallEncoder
	hot    hotEncoder

	objects objectsEncoder

	source  timeline.EventSource // of the next frame's events, or nil
	events  eventEncoder         // for events that are encoded with their frame, if pending is nil
	pending *pendingEvents       // copied events, which are encoded later
	copied  *FrameEvents         // of the next frame, or nil
	now     stretch              // scratch
}

// known is the local number of a node, and the period in which it is valid.
type known struct{ period, local uint32 }

// local is a node as defined since the last key. Its place in the list is its local number.
type local struct {
	id     gather.NodeID
	zone   gather.ZoneID
	depth  int32
	parent int32 // local number, -1 for a root
	self   int64 // self time in the last frame with this node
	count  uint32
	index  int32 // index in the lane that is being read
}

// lane is a lane as defined since the last key.
type lane struct {
	number  int
	period  uint32
	scalars [laneScalars]uint64
}

// AppendFrame appends the chunks of a frame.
func (e *Encoder) AppendFrame(dst []byte, f *gather.Frame) []byte {
	e.follow(f.Origin)
	if e.AtKey() {
		dst = e.appendKey(dst)
	}
	e.frames++
	defined := definitionsOf(f, len(e.Has.zones))
	dst = e.Has.Append(dst, &defined)
	dst = e.appendEvents(dst, f)
	dst = e.calls.append(dst, f, len(e.Has.zones))
	dst = e.hot.append(dst, len(e.Has.zones))
	dst = e.objects.append(dst, len(e.Has.zones))
	dst = e.appendMarks(dst, f)
	dst = e.appendRemarks(dst, f)
	dst = e.appendSection(dst, f)
	dst = e.appendStates(dst, f)
	dst = e.appendSlowCalls(dst, f)
	p := e.payload[:0]
	now := scalarsOf(f, e.Budget)
	p = appendChanged(p, now[:], e.scalars[:])
	p = appendString(p, f.Label)
	p = binary.AppendUvarint(p, uint64(len(f.Values)))
	for _, v := range f.Values {
		p = binary.AppendUvarint(p, uint64(v.Counter))
		p = binary.LittleEndian.AppendUint64(p, math.Float64bits(v.Value))
	}
	p = binary.AppendUvarint(p, uint64(len(f.Lanes)))
	for i := range f.Lanes {
		p = e.appendLane(p, &f.Lanes[i])
	}
	e.payload = p
	return appendChunk(dst, chunkFrame, p)
}

// BeginKey makes the next frame begin with a key, so that readers can start there.
func (e *Encoder) BeginKey() { e.frames = framesPerKey }

// AtKey reports whether the next frame begins with a key.
func (e *Encoder) AtKey() bool { return e.lanes == nil || e.frames >= framesPerKey }

// Take takes what belongs to the next frame.
func (e *Encoder) Take(j *process.Judged) {
	e.source, e.calls.from, e.Budget = j.Events, j.Calls, j.Budget
	if j.Hot != nil {
		e.hot.take(j.Hot())
	}
	e.objects.take(allocated.Of(j.Allocated))
}

// Judged returns what belongs to the frame that was read last.
func (c *Reader) Judged() *process.Judged {
	return &process.Judged{Budget: c.Budget(), Events: c.Events(), Calls: c.Calls(), Hot: c.Hot,
		Allocated: c.Allocated()}
}

// follow begins anew for the frames of another program: with a key, and with all definitions.
func (e *Encoder) follow(o gather.Origin) {
	if e.Has.program != o.Program {
		e.lanes, e.Has = nil, Definitions{program: o.Program}
	}
}

// appendKey appends a key and forgets lanes and nodes, so that readers can start there.
func (e *Encoder) appendKey(dst []byte) []byte {
	if e.lanes == nil {
		e.lanes = map[gather.LaneID]*lane{}
	}
	if len(e.lanes) > 4*e.order+64 {
		clear(e.lanes) // most are lanes of goroutines that ended
	}
	e.period++
	e.frames, e.order, e.locals = 0, 0, e.locals[:0]
	e.scalars = [frameScalars]uint64{}
	e.dropped = 0
	e.slowDropped = 0
	e.saidDropped = 0
	e.section = gather.SectionInfo{}
	e.forgetEvents()
	e.calls.forget()
	e.hot.written, e.hot.slowFrames = false, nil
	e.objects.written = false
	return appendChunk(dst, chunkKey, []byte(syncMark))
}

// appendLane appends a lane's part of a frame. The first part since the last key contains the lane's definition.
func (e *Encoder) appendLane(p []byte, l *gather.LaneFrame) []byte {
	known := e.lanes[l.ID]
	if known == nil {
		known = new(lane)
		e.lanes[l.ID] = known
	}
	if known.period != e.period {
		*known = lane{number: e.order, period: e.period}
		e.order++
		p = binary.AppendUvarint(p, uint64(known.number))
		p = binary.AppendUvarint(p, uint64(l.ID))
		p = appendString(p, l.Name)
	} else {
		p = binary.AppendUvarint(p, uint64(known.number))
	}
	now := laneScalarsOf(l)
	p = appendChanged(p, now[:], known.scalars[:])
	p = e.appendNodes(p, l.Nodes)
	return appendExtras(p, l.Extras)
}

// The flags of a node. A node without flags has no byte for them.
const (
	nodeCount      = 1 << iota // the count differs from the last frame
	nodeOpen                   // the node was open when the frame ended
	nodeNew                    // the definition follows
	estimatedShift = 3         // place of two bits with Node.Estimated
)

// appendNodes appends nodes. A node with the same count and about the same time as in the last frame takes about four
// bytes.
func (e *Encoder) appendNodes(p []byte, nodes []gather.Node) []byte {
	p = binary.AppendUvarint(p, uint64(len(nodes)))
	last, ids, locals := int64(-1), e.nodes, e.locals
	for i := range nodes {
		n := &nodes[i]
		parent := int32(-1)
		if n.Parent >= 0 {
			parent = int32(ids[nodes[n.Parent].ID].local)
		}
		var at uint32
		isNew := true
		if int(n.ID) < len(ids) && ids[n.ID].period == e.period {
			at = ids[n.ID].local
			l := &locals[at]
			isNew = l.zone != n.Zone || l.parent != parent || l.depth != n.Depth
		}
		if isNew {
			at = e.define(n, parent)
			ids, locals = e.nodes, e.locals
		}
		k := &locals[at]
		flags := uint64(n.Estimated) << estimatedShift
		if isNew {
			flags |= nodeNew
		}
		if n.Open {
			flags |= nodeOpen
		}
		if n.Count != k.count {
			flags |= nodeCount
		}
		gap := (int64(at) - last - 1) << 1
		if flags != 0 {
			gap |= 1
		}
		last = int64(at)
		p = binary.AppendVarint(p, gap)
		if flags != 0 {
			p = binary.AppendUvarint(p, flags)
			if isNew {
				p = binary.AppendUvarint(p, uint64(n.ID))
				p = binary.AppendUvarint(p, uint64(n.Zone))
				p = binary.AppendUvarint(p, uint64(k.parent+1))
				p = binary.AppendUvarint(p, uint64(n.Depth))
			}
			if n.Count != k.count {
				p = binary.AppendVarint(p, int64(n.Count)-int64(k.count))
			}
		}
		p = binary.AppendVarint(p, int64(n.Self)-k.self)
		k.self, k.count = int64(n.Self), n.Count
	}
	return p
}

// define gives a node a local number. An id that gather reuses for another stack gets a new one.
func (e *Encoder) define(n *gather.Node, parent int32) (at uint32) {
	for int(n.ID) >= len(e.nodes) {
		e.nodes = append(e.nodes, known{})
	}
	at = uint32(len(e.locals))
	e.locals = append(e.locals, local{id: n.ID, zone: n.Zone, parent: parent, depth: n.Depth})
	e.nodes[n.ID] = known{e.period, at}
	return at
}
