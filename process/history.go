package process

import (
	"cmp"
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
	tracedPaths   = 20_000   // paths with a history; later ones have none
	holdSeconds   = 5        // of FrameInfo.MaxHold and ColumnMaxHold
)

// record is the part of one node of one lane in a frame.
type record struct {
	self  platform.Ticks // signed: a torn reading may leave a little below 0
	path  uint32         // with idleBit and openBit
	count uint32
}

// The bits of record.path.
const (
	openBit  = 1 << 31 // a scope was open when the frame ended
	idleBit  = 1 << 30 // of an idle zone
	pathMask = idleBit - 1
)

// laneRecords locates the records of a lane. The first of them is its root.
type laneRecords struct {
	place    int32 // in lanes.list
	from, to int32
	updater  bool
	device   bool // of a GPU or another device

	goroutine uint64  // the runtime's number, 0 if it is not known
	cpu       float64 // ms of its OS thread's processor time; 0: not known
}

// pastFrame is a frame of the history.
type pastFrame struct {
	FrameSummary
	seq     uint64
	run     uint64         // the first frame of those that follow each other up to this one
	at      float64        // its beginning on the axis of timelines, ms
	from    platform.Ticks // on the clock of package platform, as in its events
	to      platform.Ticks
	ended   float64 // seconds since the first frame
	length  float64 // ms
	busy    float64 // ms
	idle    float64 // ms
	perTick float64 // ms a tick
	span    float64 // ms of the updating lane
	cost    float64 // of measuring, ms
	gpu     float64 // ms in which the busiest device lane worked
	cpu     float64 // ms of the process's processor time
	joined  float64 // ms in which the goroutine that ended it waited for others: see waitedFor; set by digest
	devices bool    // there is a device lane
	records []record
	lanes   []laneRecords
	extras  []gather.NodeExtra // Node is an index of records
	lost    bool               // the records were dropped: it has no report any more
	unknown bool               // they were dropped before digest: its times are not known
	picture *Picture           // of one of the slowest that are kept, or nil
}

// history is a ring of frames, with the times of each zone and path in them.
type history struct {
	frames   []pastFrame // slot = seq % len
	oldest   uint64      // frames before it are not held; the ring may have room for them because it has grown
	next     uint64      // sequence number of the frame to come
	known    uint64      // frames from this one on are not unknown
	full     int         // newest frames that keep their records
	want     int         // greatest size of the ring
	wantFull int         // greatest number of frames with records
	bytes    int         // of all records
	spare    pastFrame   // memory of the last lost records, for the next frame
	clock    float64     // seconds
	zones    []trace2
	paths    []trace1
	gap      *gaps // of the history of a lane
}

// resize changes the size of the ring and keeps the newest frames. Frames beyond full keep their records until
// Session.expire.
func (h *history) resize(graph int) {
	old := *h
	*h = history{frames: make([]pastFrame, graph), full: min(old.wantFull, graph),
		want: old.want, wantFull: old.wantFull, oldest: old.first(), next: old.next, known: old.known, clock: old.clock}
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

func (h *history) clear() {
	frames := min(h.want, defaultFrames)
	*h = history{frames: make([]pastFrame, frames), full: min(h.wantFull, frames), want: h.want, wantFull: h.wantFull}
}

// first is the sequence number of the oldest frame.
func (h *history) first() uint64 {
	if n := uint64(len(h.frames)); h.next > n {
		return max(h.next-n, h.oldest)
	}
	return h.oldest
}

func (h *history) at(seq uint64) *pastFrame { return &h.frames[seq%uint64(len(h.frames))] }

// age returns the frame of an age, or nil.
func (h *history) age(age int) *pastFrame {
	if age < 0 || uint64(age) >= h.next-h.first() {
		return nil
	}
	return h.at(h.next - 1 - uint64(age))
}

// length is the number of frames held.
func (h *history) length() int { return int(h.next - h.first()) }

// push returns a new, empty frame.
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

// lose drops the records of a frame.
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

// begin fills in the frame's own numbers.
func (p *pastFrame) begin(f *gather.Frame) {
	p.perTick = 1000 / rateOf(f)
	p.from, p.to = f.Begin, f.End
	p.length = max(0, float64(f.End-f.Begin)*p.perTick)
	p.cpu = max(0, float64(f.CPU)/1e6)
	p.FrameSummary = FrameSummary{
		Index: f.Index, Label: f.Label, Length: float32(p.length),
		Cycles: f.Memory.Cycles, Pause: float32(f.Memory.Pause.Seconds() * 1000),
		AllocBytes: f.Memory.AllocBytes, HeapLive: f.Memory.HeapLive,
		RunQueue: float32(f.Memory.RunQueue.Seconds() * 1000), LockWait: float32(f.Memory.LockWait.Seconds() * 1000),
		AllocObjects: f.Memory.AllocObjects, HeapCost: float32(costOf(f)), Memory: f.Memory.Mode,
	}
}

// The range of credible clock rates, and the rate in place of others, in ticks a second.
const (
	leastRate = 1e-3
	mostRate  = 1e18
	usualRate = 1e9
)

// rateOf returns the clock rate of a frame, or usualRate if it is not credible.
func rateOf(f *gather.Frame) float64 {
	if rate := f.TicksPerSecond; leastRate <= rate && rate <= mostRate {
		return rate
	}
	return usualRate
}

// empty returns an empty frame with the same memory.
func (p *pastFrame) empty() pastFrame {
	return pastFrame{records: p.records[:0], lanes: p.lanes[:0], extras: p.extras[:0]}
}

// bytes is the size of the records.
func (p *pastFrame) bytes() int {
	return cap(p.records)*int(unsafe.Sizeof(record{})) + cap(p.lanes)*int(unsafe.Sizeof(laneRecords{})) +
		cap(p.extras)*int(unsafe.Sizeof(gather.NodeExtra{}))
}

// extend keeps the extras of a lane whose records begin at from. It returns the number of entries that only the extras
// hold.
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
	at, _ := slices.BinarySearchFunc(p.lanes, record+1, func(l laneRecords, end int32) int {
		return cmp.Compare(l.to, end)
	})
	return &p.lanes[at]
}

// settle derives busy and idle time.
func (s *Session) settle(p *pastFrame, sum logged) {
	p.span = min(float64(sum.whole)*p.perTick, p.length)
	p.busy = max(0, p.length-float64(sum.waiting)*p.perTick)
	p.idle = float64(sum.waiting+sum.others) * p.perTick
	p.Busy, p.GPU, p.HasGPU = float32(p.busy), float32(p.gpu), p.devices
	p.Others, p.OtherLanes = float32(float64(sum.working)*p.perTick), sum.workers
	p.Over = s.over(p.busy)
	s.past.clock += p.length / 1000
	p.ended = s.past.clock
}

// led reports whether one of the lanes ended the frame. If not, verdicts are about all lanes, without their time
// outside zones.
func (p *pastFrame) led() bool {
	for i := range p.lanes {
		if p.lanes[i].updater {
			return true
		}
	}
	return false
}

// updatedBy returns the lane that ended a frame, 0 if none of the lanes did.
func (p *pastFrame) updatedBy(l *lanes) LaneID {
	for i := range p.lanes {
		if p.lanes[i].updater {
			return l.list[p.lanes[i].place].id
		}
	}
	return 0
}

// worker reports whether a lane is a goroutine's that did not end the frame.
func (l *laneRecords) worker() bool { return !l.updater && !l.device }
