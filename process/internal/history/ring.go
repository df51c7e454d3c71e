package history

import (
	"math"
	"slices"
	"sort"
	"unsafe"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// Follow places a new frame on the axis of timelines.
func (h *Ring) Follow(p *Frame) {
	p.Run = p.Seq
	before := h.Age(1)
	if before == nil {
		return
	}
	p.At = before.At + max(float64(p.From-before.From)*before.PerTick, 0)
	if Adjoin(before, p) {
		p.Run = before.Run
	}
}

// Adjoin reports whether the gap between two frames is no longer than the longer of them.
func Adjoin(a, b *Frame) bool {
	return b.From >= a.To && b.From-a.To <= max(a.To-a.From, b.To-b.From) && a.To > a.From && b.To > b.From
}

// End returns the end of a frame on the axis of timelines.
func (p *Frame) End() float64 { return p.At + float64(p.To-p.From)*p.PerTick }

// Bounds has the limits of time and memory. The ring itself bounds the number of frames.
type Bounds struct {
	Seconds float64 // 0: none
	Bytes   int     // 0: historyBytes
	Lost    uint64  // frames before this one have no records
}

// MaxBytes returns the limit of memory in bytes, at most historyBytes.
func (b *Bounds) MaxBytes() int {
	if b.Bytes == 0 || b.Bytes > historyBytes {
		return historyBytes
	}
	return b.Bytes
}

// Has reports whether a lane did anything in the frame.
func (p *Frame) Has(lane int32) bool {
	return slices.ContainsFunc(p.Lanes, func(l LaneRecords) bool { return l.Place == lane })
}

// The limits of the history.
const (
	DefaultFrames   = 300
	MaxFrames       = 100_000
	historyBytes    = 64 << 20 // of records
	pathsWithSeries = 20_000   // number of paths with a history; later paths have none
	holdSeconds     = 5        // of FrameInfo.MaxHold and ColumnMaxHold
)

// Record is the part of one node of one lane in a frame.
type Record struct {
	Self  platform.Ticks // signed, because a torn reading may leave a little below 0
	Path  uint32         // with IdleBit and OpenBit
	Count uint32
}

// The bits of Record.Path.
const (
	OpenBit  = 1 << 31 // a scope was open when the frame ended
	IdleBit  = 1 << 30 // of an idle zone
	PathMask = IdleBit - 1
)

// LaneRecords locates the records of a lane. The first record is the root.
type LaneRecords struct {
	_        [0]func() // not comparable: the code of == would be in each program
	Place    int32     // in Lanes.List
	From, To int32
	Updater  bool
	Device   bool // of a GPU or another device

	Goroutine uint64  // the runtime's number, 0 if not known
	CPU       float64 // ms of its OS thread's processor time; 0: not known
}

// Frame is a frame of the history.
type Frame struct {
	report.FrameSummary
	Times
	Seq     uint64
	Run     uint64         // the first frame of the run without a pause up to this frame
	At      float64        // its beginning on the axis of timelines, ms
	From    platform.Ticks // on the clock of package platform, like its events
	To      platform.Ticks
	Ended   float64 // seconds since the first frame
	PerTick float64 // ms a tick
	Records []Record
	Lanes   []LaneRecords
	Extras  []gather.NodeExtra // Node is an index of records
	Lost    bool               // the records were dropped, so it has no report
	Unknown bool               // the records were dropped before digest, so its times are not known
	Remarks *[]gather.Remark   // by time, read only; nil without remarks
	Picture *report.Picture    // of a kept slowest frame, or nil
}

// Ring is a ring buffer of frames, with the times of each zone and path. It grows by segments, so frames never move.
type Ring struct {
	segments  []*[segmentFrames]Frame
	base      uint64 // segments[0] has the frames from base*segmentFrames on
	empty     *[segmentFrames]Frame
	oldest    uint64  // the oldest frame held
	Next      uint64  // sequence number of the frame to come
	Known     uint64  // the times of frames from this one on are known
	Want      int     // greatest number of frames
	WantFull  int     // greatest number of frames with records
	Bytes     int     // of all records
	Cut       bool    // frames were dropped because of memory
	spare     Frame   // memory of the last lost records, for the next frame
	Clock     float64 // seconds
	Zones     List[zoneSeries]
	Paths     List[Series]
	Gap       *Gaps // gaps, for the history of a lane
	memory    *Chunks
	pathCount int // paths
}

// segmentFrames is the number of frames in a segment of a ring.
const segmentFrames = 32

// Clear empties the ring, and keeps its wanted length.
func (h *Ring) Clear() { *h = Ring{Want: h.Want, WantFull: h.WantFull} }

// Start makes an empty ring begin with a frame.
func (h *Ring) Start(seq uint64) { h.oldest, h.Next = seq, seq }

// First returns the sequence number of the oldest frame.
func (h *Ring) First() uint64 { return h.oldest }

// At returns a frame of the ring by its sequence number. The frame must be in the ring.
func (h *Ring) At(seq uint64) *Frame { return &h.segments[seq/segmentFrames-h.base][seq%segmentFrames] }

// Age returns the frame of an age, or nil.
func (h *Ring) Age(age int) *Frame {
	if age < 0 || uint64(age) >= h.Next-h.First() {
		return nil
	}
	return h.At(h.Next - 1 - uint64(age))
}

// Find returns the frame of an index, or nil. Usually no number is missing between this frame and the newest one.
func (h *Ring) Find(index uint64) *Frame {
	if h.oldest == h.Next {
		return nil
	}
	if back := h.At(h.Next-1).Index - index; back < h.Next-h.oldest {
		if p := h.At(h.Next - 1 - back); p.Index == index {
			return p
		}
	}
	for seq := h.Next; seq > h.oldest; seq-- {
		if p := h.At(seq - 1); p.Index == index {
			return p
		}
	}
	return nil
}

// Length returns the number of frames held.
func (h *Ring) Length() int { return int(h.Next - h.First()) }

// Push returns a new, empty frame. The ring must have room for it: see Forget.
func (h *Ring) Push() *Frame {
	segment := h.Next / segmentFrames
	if len(h.segments) == 0 {
		h.base = segment
	}
	if segment-h.base == uint64(len(h.segments)) {
		if h.empty == nil {
			h.empty = new([segmentFrames]Frame)
		}
		h.segments, h.empty = append(h.segments, h.empty), nil
	}
	p := h.At(h.Next)
	*p, h.spare = h.spare.Empty(), Frame{}
	p.Seq = h.Next
	h.Next++
	return p
}

// Forget drops the oldest frame.
func (h *Ring) Forget() {
	p := h.At(h.oldest)
	h.Lose(h.oldest)
	*p = Frame{}
	if h.oldest++; h.oldest/segmentFrames > h.base {
		h.empty = h.segments[0]
		h.segments = h.segments[:copy(h.segments, h.segments[1:])]
		h.base++
	}
	if h.memory != nil {
		h.memory.trim(h.oldest)
	}
}

// Memory returns the memory of the frames without their records.
func (h *Ring) Memory() int {
	n := len(h.segments) * int(unsafe.Sizeof(*h.empty))
	if h.memory != nil {
		n += h.memory.Bytes()
	}
	return n
}

// Lose drops the records of a frame.
func (h *Ring) Lose(seq uint64) {
	if seq < h.First() || seq >= h.Next {
		return
	}
	p := h.At(seq)
	if p.Lost {
		return
	}
	h.Bytes -= p.Bytes()
	h.spare = p.Empty()
	p.Records = nil
	p.Lanes = nil
	p.Extras = nil
	p.Remarks = nil
	p.Lost = true
}

// Begin fills in the frame's own numbers.
func (p *Frame) Begin(f *gather.Frame) {
	p.PerTick = 1000 / RateOf(f)
	p.From, p.To = f.Begin, f.End
	if n := min(len(f.Remarks), measure.MaxRemarks); n > 0 {
		list := f.Remarks[:n]
		p.Remarks = &list
	}
	p.Times.take(f, p.PerTick)
	p.FrameSummary = report.FrameSummary{
		Index: f.Index, Label: f.Label,
		Cycles: f.Memory.Cycles, Pause: float32(f.Memory.Pause.Seconds() * 1000),
		Assist:     float32(f.Memory.Assist.Seconds() * 1000),
		AllocBytes: f.Memory.AllocBytes, HeapLive: f.Memory.HeapLive,
		AllocObjects: f.Memory.AllocObjects, HeapCost: float32(costOf(f)), Memory: f.Memory.Mode,
	}
	p.Summarize()
}

// Settle derives busy and idle time from ticks: the updating lane's time, its idle part, and the idle time of other
// lanes.
func (p *Frame) Settle(whole, waiting, others float64) {
	p.SpanMS = min(whole*p.PerTick, p.LengthMS)
	p.BusyMS = max(0, p.LengthMS-waiting*p.PerTick)
	p.IdleMS = (waiting + others) * p.PerTick
	p.Busy, p.GPU, p.HasGPU = float32(p.BusyMS), float32(p.GPUMS), p.Devices
}

// The range of credible clock rates, and the rate in place of rates outside, in ticks a second.
const (
	leastRate = 1e-3
	mostRate  = 1e18
	usualRate = 1e9
)

// RateOf returns the clock rate of a frame, or usualRate if it is not credible.
func RateOf(f *gather.Frame) float64 {
	if rate := f.TicksPerSecond; leastRate <= rate && rate <= mostRate {
		return rate
	}
	return usualRate
}

// Empty returns an empty frame with the same memory.
func (p *Frame) Empty() Frame {
	return Frame{Records: p.Records[:0], Lanes: p.Lanes[:0], Extras: p.Extras[:0]}
}

// Bytes returns the size of the records and of the remarks on scopes.
func (p *Frame) Bytes() int {
	n := cap(p.Records)*int(unsafe.Sizeof(Record{})) + cap(p.Lanes)*int(unsafe.Sizeof(LaneRecords{})) +
		cap(p.Extras)*int(unsafe.Sizeof(gather.NodeExtra{}))
	for i := 0; p.Remarks != nil && i < len(*p.Remarks); i++ {
		n += int(unsafe.Sizeof(gather.Remark{})) + len((*p.Remarks)[i].Text)
	}
	return n
}

// Extend keeps the extras of a lane whose records begin at from. It returns the number of entries that only the extras
// hold.
func (p *Frame) Extend(l *gather.LaneFrame, from int) (entries uint64) {
	for _, x := range l.Extras {
		x.Node += int32(from)
		p.Extras = append(p.Extras, x)
		entries += uint64(x.More) << 32
	}
	return entries
}

// LaneOf finds the lane of a record.
func (p *Frame) LaneOf(record int32) *LaneRecords {
	return &p.Lanes[sort.Search(len(p.Lanes), func(i int) bool { return p.Lanes[i].To > record })]
}

// Block sets the time in which the goroutine that ended the frame was blocked.
func (p *Frame) Block(t *Tree) {
	var blocked platform.Ticks
	for i := range p.Lanes {
		l := &p.Lanes[i]
		for at := l.From; t.blocks && l.Updater && at < l.To; at++ {
			if r := &p.Records[at]; r.Path&IdleBit != 0 && t.Paths[r.Path&PathMask].Block {
				blocked += r.Self
			}
		}
	}
	p.BlockMS = min(max(0, float64(blocked)*p.PerTick), p.LengthMS-p.BusyMS)
	p.Blocked = float32(p.BlockMS)
}

// Led reports whether one of the lanes ended the frame. If not, verdicts cover all lanes, without their time outside
// zones.
func (p *Frame) Led() bool {
	for i := range p.Lanes {
		if p.Lanes[i].Updater {
			return true
		}
	}
	return false
}

// UpdatedBy returns the lane that ended a frame, or 0.
func (p *Frame) UpdatedBy(l *Lanes) report.LaneID {
	for i := range p.Lanes {
		if p.Lanes[i].Updater {
			return l.List[p.Lanes[i].Place].ID
		}
	}
	return 0
}

// Worker reports whether a lane belongs to a goroutine that did not end the frame.
func (l *LaneRecords) Worker() bool { return !l.Updater && !l.Device }

// SeriesBytes bounds the memory of the times that the history keeps for graphs and statistics. It is a variable for
// tests.
var SeriesBytes = 64 << 20

// MinFrames are kept even beyond SeriesBytes.
const MinFrames = 16

// The limits for warnings and marks.
const (
	CostlyFrame = 0.04 // overhead as a share of the frame
	CostlyRow   = 0.10 // overhead as a share of the row
	unsteady    = 0.08 // relative standard deviation of the clock's rate
)

// Rate follows the clock's rate, for the warning about an unsteady clock.
type Rate struct{ mean, variance, weight float64 }

// Add adds a rate, measured over some seconds. It ignores rates that are not above 0.
func (r *Rate) Add(x, seconds float64) {
	if !(x > 0) {
		return
	}
	keep := Remains(max(seconds, 1e-3), Settling[report.AverageShort])
	r.weight = r.weight*keep + 1 - keep
	a := (1 - keep) / r.weight
	d := x - r.mean
	r.mean += a * d
	r.variance = (1 - a) * (r.variance + a*d*d)
}

// Unsteady reports whether the deviation of the rate is a large share of its mean.
func (r *Rate) Unsteady() bool { return r.mean > 0 && math.Sqrt(r.variance)/r.mean > unsteady }
