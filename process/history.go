package process

import (
	"cmp"
	"math"
	"slices"
	"unsafe"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// The limits of the history.
const (
	defaultFrames = 300
	maxFrames     = 100_000
	historyBytes  = 64 << 20 // of records
	tracedPaths   = 20_000   // paths with a history of their own; those made later have none
	holdSeconds   = 5        // of "max hold"
)

// record is what one node of one lane did in a frame.
type record struct {
	self  platform.Ticks // signed: a torn reading may leave a few below 0
	path  uint32         // with idleBit, and openBit
	count uint32
}

// What else is in record.path.
const (
	openBit  = 1 << 31 // a scope was open when the frame ended
	idleBit  = 1 << 30 // of an idle zone
	pathMask = idleBit - 1
)

// laneRecords says which records are a lane's. The first of them is its root.
type laneRecords struct {
	place    int32 // in lanes.list
	from, to int32
	updater  bool
}

// pastFrame is a frame of the history.
type pastFrame struct {
	FrameSummary
	seq     uint64
	from    platform.Ticks // on the clock of package platform: when its events lie
	to      platform.Ticks
	ended   float64 // seconds since the first frame
	length  float64 // ms
	busy    float64 // ms
	idle    float64 // ms
	perTick float64 // ms a tick
	span    float64 // ms of the updating lane
	cost    float64 // of measuring, ms
	records []record
	lanes   []laneRecords
	extras  []gather.NodeExtra // Node is an index of records
	lost    bool               // the records were dropped: its report cannot be shown any more
	unknown bool               // and that before its times were taken in
}

// history is a ring of frames, and of the times of each zone and path in them.
type history struct {
	frames []pastFrame // slot = seq % len
	oldest uint64      // no frame before it is held, though there may be room: the history was smaller
	next   uint64      // sequence number of the frame to come
	known  uint64      // from this frame on none is unknown
	full   int         // newest frames that keep their records
	bytes  int         // of all records
	spare  pastFrame   // memory of the frame that last lost its records, for the next
	clock  float64     // seconds
	zones  []trace2
	paths  []trace1
}

// trace1 is one value a frame, in ms, with its running statistics.
type trace1 struct {
	v   []float32 // slot = seq % len(frames)
	sum float64
	max float32
}

// trace2 is a zone's self and hierarchical time a frame.
type trace2 struct {
	self, hier trace1
	birth      uint64
	signed     [gather.EstimatedCount]uint64 // by sign: how many frames there had been with the latest that had it
}

// estimated is what of the zone is estimated in any of the frames from one on.
func (t *trace2) estimated(from uint64) gather.Estimated {
	for e := gather.EstimatedCount; e > gather.Exact; e-- {
		if t.signed[e-1] > from {
			return e
		}
	}
	return gather.Exact
}

// resize makes room for that many frames, keeping the newest. Those beyond full keep their records until Session.expire.
func (h *history) resize(graph, full int) {
	graph = min(max(graph, 2), maxFrames)
	old := *h
	*h = history{frames: make([]pastFrame, graph), full: min(max(full, 2), graph), oldest: old.first(), next: old.next, known: old.known,
		clock: old.clock}
	for seq := h.first(); seq < h.next; seq++ {
		*h.at(seq) = *old.at(seq)
		h.bytes += h.at(seq).bytes()
	}
	for i := range old.zones {
		z := &old.zones[i]
		h.zones = append(h.zones, trace2{z.self.moved(&old, h), z.hier.moved(&old, h), z.birth, z.signed})
	}
	for i := range old.paths {
		h.paths = append(h.paths, old.paths[i].moved(&old, h))
	}
}

// moved copies the values of the frames held into a ring of another size.
func (t *trace1) moved(old, h *history) trace1 {
	n := trace1{v: make([]float32, len(h.frames))}
	for seq := h.first(); seq < h.next; seq++ {
		n.put(seq, t.v[seq%uint64(len(old.frames))])
	}
	return n
}

func (h *history) clear() {
	*h = history{frames: make([]pastFrame, len(h.frames)), full: h.full}
}

// first is the oldest frame's sequence number.
func (h *history) first() uint64 {
	if n := uint64(len(h.frames)); h.next > n {
		return max(h.next-n, h.oldest)
	}
	return h.oldest
}

func (h *history) at(seq uint64) *pastFrame { return &h.frames[seq%uint64(len(h.frames))] }

// age returns the frame of an age, nil when there is none.
func (h *history) age(age int) *pastFrame {
	if age < 0 || uint64(age) >= h.next-h.first() {
		return nil
	}
	return h.at(h.next - 1 - uint64(age))
}

// length is the number of frames held.
func (h *history) length() int { return int(h.next - h.first()) }

// push makes room for a new frame and returns it, empty.
func (h *history) push() *pastFrame {
	p := h.at(h.next)
	h.bytes -= p.bytes()
	if cap(p.records) == 0 {
		*p, h.spare = h.spare, pastFrame{}
	}
	*p = p.empty()
	p.seq = h.next
	h.next++
	return p
}

// lose drops a frame's records, if the frame is there and has any.
func (h *history) lose(seq uint64) {
	if seq < h.first() || seq >= h.next {
		return
	}
	p := h.at(seq)
	if p.lost {
		return
	}
	h.bytes -= p.bytes()
	h.spare = p.empty()
	p.records, p.lanes, p.extras, p.lost = nil, nil, nil, true
}

// begin fills in what the frame says of itself.
func (p *pastFrame) begin(f *gather.Frame) {
	p.perTick = 1000 / rateOf(f)
	p.from, p.to = f.Begin, f.End
	p.length = max(0, float64(f.End-f.Begin)*p.perTick)
	p.FrameSummary = FrameSummary{
		Index: f.Index, Label: f.Label, Length: float32(p.length),
		Cycles: f.Memory.Cycles, Pause: float32(f.Memory.Pause.Seconds() * 1000),
		AllocBytes: f.Memory.AllocBytes, HeapLive: f.Memory.HeapLive,
		AllocObjects: f.Memory.AllocObjects, HeapCost: float32(costOf(f)), Memory: f.Memory.Mode,
	}
}

// The rates of clocks that are believed, in ticks a second.
const (
	leastRate = 1e-3
	mostRate  = 1e18
	usualRate = 1e9
)

// rateOf returns the rate of a frame's clock, and of one that is not believed the usual one.
func rateOf(f *gather.Frame) float64 {
	if rate := f.TicksPerSecond; leastRate <= rate && rate <= mostRate {
		return rate
	}
	return usualRate
}

// empty is the frame's memory without anything in it.
func (p *pastFrame) empty() pastFrame {
	return pastFrame{records: p.records[:0], lanes: p.lanes[:0], extras: p.extras[:0]}
}

// bytes is the memory of its records.
func (p *pastFrame) bytes() int {
	return cap(p.records)*int(unsafe.Sizeof(record{})) + cap(p.lanes)*int(unsafe.Sizeof(laneRecords{})) +
		cap(p.extras)*int(unsafe.Sizeof(gather.NodeExtra{}))
}

// extend keeps a lane's extras; its records begin at from. It returns the entries that only they tell of.
func (p *pastFrame) extend(l *gather.LaneFrame, from int) (entries uint64) {
	for _, x := range l.Extras {
		x.Node += int32(from)
		p.extras = append(p.extras, x)
		entries += uint64(x.More) << 32
	}
	return entries
}

// laneOf finds the lane of a record.
func (p *pastFrame) laneOf(record int32) *laneRecords {
	at, _ := slices.BinarySearchFunc(p.lanes, record+1, func(l laneRecords, end int32) int { return cmp.Compare(l.to, end) })
	return &p.lanes[at]
}

// settle derives busy and idle time.
func (s *Session) settle(p *pastFrame, sum logged) {
	p.span = float64(sum.whole) * p.perTick
	p.busy = max(0, p.length-float64(sum.waiting)*p.perTick)
	p.idle = float64(sum.waiting+sum.others) * p.perTick
	p.Busy = float32(p.busy)
	p.Over = s.over(p.busy)
	s.past.clock += p.length / 1000
	p.ended = s.past.clock
}

// remember stores a frame's times of all zones and paths. Frames come in order.
func (h *history) remember(seq uint64, values []value, zones []zoneValue) {
	for len(h.zones) < len(zones) {
		n := len(h.frames)
		h.zones = append(h.zones, trace2{self: trace1{v: make([]float32, n)}, hier: trace1{v: make([]float32, n)}, birth: math.MaxUint64})
	}
	for i := range zones {
		z := &h.zones[i]
		if !zones[i].seen {
			continue
		}
		z.birth = min(z.birth, seq)
		z.self.put(seq, float32(zones[i].self))
		z.hier.put(seq, float32(zones[i].hier))
		if e := min(zones[i].estimated, gather.EstimatedCount); e != gather.Exact {
			z.signed[e-1] = seq + 1
		}
	}
	for len(h.paths) < min(len(values), tracedPaths) {
		h.paths = append(h.paths, trace1{v: make([]float32, len(h.frames))})
	}
	for i := range h.paths {
		h.paths[i].put(seq, float32(values[i].hier))
	}
}

// skip takes the frames that went out of sight out of the traces, where those of a frame are not known.
func (h *history) skip(p *pastFrame) {
	p.unknown = true
	h.known = max(h.known, p.seq+1)
	for i := range h.zones {
		h.zones[i].self.put(p.seq, 0)
		h.zones[i].hier.put(p.seq, 0)
	}
	for i := range h.paths {
		h.paths[i].put(p.seq, 0)
	}
}

// put stores a frame's value in place of the one that goes out of sight.
func (t *trace1) put(seq uint64, v float32) {
	slot := &t.v[seq%uint64(len(t.v))]
	old := *slot
	*slot = v
	t.sum += float64(v) - float64(old)
	if v >= t.max {
		t.max = v
	} else if old == t.max {
		t.max = 0
		for _, x := range t.v {
			t.max = max(t.max, x)
		}
	}
}

// blank empties all traces.
func (h *history) blank() {
	for i := range h.zones {
		z := &h.zones[i]
		z.self.blank()
		z.hier.blank()
		z.signed = [gather.EstimatedCount]uint64{}
	}
	for i := range h.paths {
		h.paths[i].blank()
	}
}

func (t *trace1) blank() {
	clear(t.v)
	t.sum, t.max = 0, 0
}
