package export

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"example.com/iprof/gather"
	"example.com/iprof/internal/printed"
)

const (
	// mostSpeedBytes bounds the calls that wait for Close: about 30 million begins and ends. Speedscope cannot hold
	// more.
	mostSpeedBytes = 128 << 20

	// mostSpeedLanes bounds the profiles of a file. Further goroutines share one profile.
	mostSpeedLanes = 1000
)

// NewSpeedscope begins a file of speedscope.app with a profile for each lane. If a frame has the events of a lane, each
// call is at its time (an "evented" profile). Frames without events are summed by stack (a "sampled" profile). A lane
// with both kinds of frames has two profiles. Close writes the file. Until then each begin and each end takes about 4
// bytes of memory; beyond 128 MiB calls are summed, too. Beyond 1,000 lanes the other lanes share one profile of sums.
// It leaves out counts.
func NewSpeedscope(w io.Writer, program string) *Frames {
	s := &speedStream{out: buffered(w), program: program, byID: map[gather.LaneID]*speedLane{}}
	s.frames = newFrames(s.out, s)
	return s.frames
}

type speedStream struct {
	out     *bufio.Writer
	program string
	frames  *Frames
	zones   []speedscopeFrame
	lanes   []*speedLane
	byID    map[gather.LaneID]*speedLane
	size    int // bytes of the calls of all lanes
}

// speedLane has the calls of a lane and the sums of its stacks.
type speedLane struct {
	name   string
	others bool // it stands for several lanes
	placed bool // this frame has events
	depth  int
	calls  []byte // pairs: nanoseconds since the previous edge; the zone + 1, or 0 for an end
	edge   int64
	nodes  []speedNode         // sums; the first one is above all roots
	kids   map[speedNode]int32 // nodes by zone and parent; the keys have no time
	at     int32
	last   int64
}

type speedNode struct {
	parent int32
	zone   gather.ZoneID
	self   int64
}

func (s *speedStream) name(_ gather.ZoneID, z *gather.ZoneInfo) {
	s.zones = append(s.zones, speedscopeFrame{Name: z.Name, File: z.File, Line: z.Line})
}

func (s *speedStream) lane(id gather.LaneID, name string) {
	if s.byID[id] != nil || len(s.lanes) > mostSpeedLanes {
		return
	}
	l := &speedLane{name: name, nodes: []speedNode{{parent: -1}}, kids: map[speedNode]int32{}}
	if len(s.lanes) < mostSpeedLanes {
		s.byID[id] = l
	} else {
		l.name, l.others = "(other goroutines)", true
	}
	s.lanes = append(s.lanes, l)
}

// of returns a lane. The last one stands for all lanes beyond the limit.
func (s *speedStream) of(id gather.LaneID) *speedLane {
	if l := s.byID[id]; l != nil {
		return l
	}
	return s.lanes[len(s.lanes)-1]
}

func (s *speedStream) begin(id gather.LaneID, at int64, zone gather.ZoneID, _ uint64) {
	l := s.of(id)
	if l.depth == 0 {
		l.placed = s.frames.placed && s.size < mostSpeedBytes && !l.others
		l.last = at
	}
	l.depth++
	if l.placed {
		s.size += l.keep(at, uint64(zone)+1)
	} else {
		l.enter(at, zone)
	}
}

func (s *speedStream) end(id gather.LaneID, at int64) {
	l := s.of(id)
	l.depth--
	if l.placed {
		s.size += l.keep(at, 0)
	} else {
		l.spend(at)
		l.at = l.nodes[l.at].parent
	}
}

// keep keeps the begin of a zone, or an end if zone is 0. It returns the number of bytes.
func (l *speedLane) keep(at int64, zone uint64) int {
	before := len(l.calls)
	l.calls = binary.AppendUvarint(binary.AppendUvarint(l.calls, uint64(at-l.edge)), zone)
	l.edge = at
	return len(l.calls) - before
}

func (l *speedLane) enter(at int64, zone gather.ZoneID) {
	l.spend(at)
	key := speedNode{parent: l.at, zone: zone}
	next, known := l.kids[key]
	if !known {
		next = int32(len(l.nodes))
		l.kids[key], l.nodes = next, append(l.nodes, key)
	}
	l.at = next
}

func (l *speedLane) spend(at int64) {
	l.nodes[l.at].self += at - l.last
	l.last = at
}

func (s *speedStream) frame(*gather.Frame, int64, int64) {}
func (s *speedStream) value(int, string, int64, float64) {}
func (s *speedStream) mark(int64, string)                {}

// close writes the file.
func (s *speedStream) close() {
	s.out.WriteString(`{"$schema":` + string(quoted(speedscopeSchema)) + `,"exporter":"iprof","name":`)
	s.out.Write(quoted(s.program))
	s.out.WriteString(`,"shared":`)
	s.json(speedscopeShared{Frames: append([]speedscopeFrame{}, s.zones...)})
	s.out.WriteString(`,"profiles":[`)
	comma := ""
	for _, l := range s.lanes {
		if len(l.calls) > 0 {
			s.out.WriteString(comma + "\n")
			s.evented(l)
			comma = ","
		}
		if list := l.stacks(); len(list) > 0 {
			s.out.WriteString(comma + "\n")
			s.sampled(l, list)
			comma = ","
		}
	}
	s.out.WriteString("]}\n")
}

func (s *speedStream) json(v any) {
	b, _ := json.Marshal(v) // these values have no error
	s.out.Write(printed.JSON(b))
}

// evented writes the calls of a lane.
func (s *speedStream) evented(l *speedLane) {
	s.out.WriteString(`{"type":"evented","name":`)
	s.out.Write(quoted(l.name))
	s.out.WriteString(`,"unit":"nanoseconds","startValue":0,"endValue":`)
	s.out.WriteString(strconv.FormatInt(l.edge, 10) + `,"events":[`)
	var stack []uint64
	at, comma, kind := uint64(0), "", ""
	for b := l.calls; len(b) > 0; comma = "," {
		length, n := binary.Uvarint(b)
		zone, m := binary.Uvarint(b[n:])
		at, b = at+length, b[n+m:]
		if kind = `"O"`; zone > 0 {
			zone--
			stack = append(stack, zone)
		} else {
			kind, zone = `"C"`, stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		}
		line := append(s.out.AvailableBuffer(), comma+`{"type":`+kind+`,"frame":`...)
		line = append(strconv.AppendUint(line, zone, 10), `,"at":`...)
		s.out.Write(append(strconv.AppendUint(line, at, 10), '}'))
	}
	s.out.WriteString("]}")
}

// stacks returns the nodes that have time.
func (l *speedLane) stacks() (list []int32) {
	for i := range l.nodes {
		if l.nodes[i].self > 0 {
			list = append(list, int32(i))
		}
	}
	return list
}

// sampled writes the sums of a lane. It holds one stack at a time, because all stacks may take much more memory than
// the nodes.
func (s *speedStream) sampled(l *speedLane, list []int32) {
	name, sum := l.name, int64(0)
	if len(l.calls) > 0 {
		name += " (sums of frames without events)"
	}
	for _, i := range list {
		sum += l.nodes[i].self
	}
	s.out.WriteString(`{"type":"sampled","name":`)
	s.out.Write(quoted(name))
	s.out.WriteString(`,"unit":"nanoseconds","startValue":0,"endValue":` + strconv.FormatInt(sum, 10) + `,"samples":[`)
	var stack []int64
	for n, i := range list {
		stack = stack[:0]
		for at := i; at > 0; at = l.nodes[at].parent {
			stack = append(stack, int64(l.nodes[at].zone))
		}
		slices.Reverse(stack)
		s.numbers(n, "[", stack)
		s.out.WriteByte(']')
	}
	s.out.WriteString(`],"weights":`)
	stack = stack[:0]
	for _, i := range list {
		stack = append(stack, l.nodes[i].self)
	}
	s.numbers(0, "[", stack)
	s.out.WriteString("]}")
}

// numbers writes a list of numbers without its end. before is the number of lists before it.
func (s *speedStream) numbers(before int, open string, list []int64) {
	if before > 0 {
		s.out.WriteByte(',')
	}
	s.out.WriteString(open)
	for i, v := range list {
		line := s.out.AvailableBuffer()
		if i > 0 {
			line = append(line, ',')
		}
		s.out.Write(strconv.AppendInt(line, v, 10))
	}
}
