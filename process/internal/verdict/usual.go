package verdict

import (
	"math"
	"slices"

	"example.com/iprof/process/internal/history"
)

// The limits of the frames from which the usual times are computed.
const (
	usualFrames  = 128     // greatest number of frames before the frame to explain
	mostLooked   = 512     // greatest number of frames looked at, because disturbed frames are left out
	fewestUsual  = 32      // with fewer frames before it, frames after it are added
	leastUsual   = 8       // with fewer frames there are no usual times
	usualBlock   = 16      // frames of a block share their usual times
	usualRecords = 1 << 16 // greatest number of records, to bound the cost of a verdict
)

// middle holds a median, and the standard deviation of a normal distribution with the same upper quantiles. A few
// outliers change neither.
type middle struct{ mid, spread float64 }

// The quantiles of a normal distribution, in standard deviations.
const (
	normalP75 = 0.6745
	normalP90 = 1.2816
)

// leastSpread is the least standard deviation, as a share of the median.
const leastSpread = 0.01

// middleOf sorts values and returns their middle.
func middleOf(v []float32) middle {
	if len(v) == 0 {
		return middle{}
	}
	slices.Sort(v)
	mid := float64(v[(len(v)-1)/2])
	above := func(q, deviations float64) float64 {
		return (float64(v[int(q*float64(len(v)-1)+0.5)]) - mid) / deviations
	}
	return middle{mid, max(above(0.75, normalP75), above(0.90, normalP90), leastSpread*math.Abs(mid))}
}

// usualTimes holds the usual times of frames as a whole, in ms.
type usualTimes struct {
	frames                   []*history.Frame // the frames with these times; valid while the session is locked
	length, judged, pause    middle
	gpu, queue, locks, bytes middle
	away                     middle

	block    uint64 // block for which the times were computed
	from, to uint64 // sequence numbers of the first and last of frames
	known    bool
	scratch  []float32
}

// around computes the usual times for a frame from the frames before its block and, if these are few, from frames after
// it. It leaves out disturbed frames, unless most are.
func (u *usualTimes) around(h *history.Ring, seq uint64) {
	block := min(seq, h.Next) / usualBlock * usualBlock
	if u.list(h, block, false); !u.enough() {
		u.list(h, block, true)
	}
	u.measure(block)
}

// list lists the frames around a block.
func (u *usualTimes) list(h *history.Ring, block uint64, disturbed bool) {
	u.frames = u.frames[:0]
	records, first := 0, max(h.First(), block-min(block, mostLooked))
	for at := block; at > first && len(u.frames) < usualFrames && records < usualRecords; at-- {
		records += u.add(h.At(at-1), disturbed)
	}
	from := max(block, h.First())
	last := min(h.Next, from+mostLooked)
	for at := from; at < last && len(u.frames) < fewestUsual && records < usualRecords; at++ {
		records += u.add(h.At(at), disturbed)
	}
}

// apart computes the usual times for some frames of the history from the newest other frames. It leaves out disturbed
// frames, unless most are.
func (u *usualTimes) apart(h *history.Ring, from []uint64) {
	if u.listOthers(h, from, false); !u.enough() {
		u.listOthers(h, from, true)
	}
	u.known = false
	u.measure(math.MaxUint64)
}

// listOthers lists the newest frames but those from some.
func (u *usualTimes) listOthers(h *history.Ring, from []uint64, disturbed bool) {
	u.frames = u.frames[:0]
	records := 0
	for at := h.Next; at > h.First() && len(u.frames) < usualFrames && records < usualRecords; at-- {
		if _, among := slices.BinarySearch(from, at-1); !among {
			records += u.add(h.At(at-1), disturbed)
		}
	}
}

// add adds a frame if it has records, and returns their number. It adds a disturbed frame only with disturbed.
func (u *usualTimes) add(p *history.Frame, disturbed bool) int {
	if p.Lost || !disturbed && p.Disturbed() {
		return 0
	}
	u.frames = append(u.frames, p)
	return ownRecords(p)
}

// measure computes the usual times of the frames, unless they are known.
func (u *usualTimes) measure(block uint64) {
	if len(u.frames) == 0 {
		u.known = false
		return
	}
	from, to := u.frames[0].Seq, u.frames[len(u.frames)-1].Seq
	if u.known && u.block == block && u.from == from && u.to == to {
		return
	}
	u.known = true
	u.block = block
	u.from = from
	u.to = to
	u.length = u.of(func(p *history.Frame) float64 { return p.LengthMS })
	u.judged = u.of((*history.Frame).JudgedMS)
	u.queue = u.of(func(p *history.Frame) float64 { return float64(p.RunQueue) })
	u.locks = u.of(func(p *history.Frame) float64 { return float64(p.LockWait) })
	u.bytes = u.of(func(p *history.Frame) float64 { return float64(p.AllocBytes) })
	u.away = u.of(func(p *history.Frame) float64 { return p.AwayMS })
	u.gpu = u.of(func(p *history.Frame) float64 { return p.GPUMS })
	u.pause = u.of(func(p *history.Frame) float64 { return float64(p.Pause) })
}

func (u *usualTimes) of(value func(*history.Frame) float64) middle {
	u.scratch = u.scratch[:0]
	for _, p := range u.frames {
		u.scratch = append(u.scratch, float32(value(p)))
	}
	return middleOf(u.scratch)
}

// enough reports whether there are enough frames for usual times.
func (u *usualTimes) enough() bool { return len(u.frames) >= leastUsual }

// ownLanes calls do with the records of the lanes that verdicts are about.
func ownLanes(p *history.Frame, do func([]history.Record)) {
	led := p.Led()
	for i := range p.Lanes {
		switch l := &p.Lanes[i]; {
		case l.Updater:
			do(p.Records[l.From:l.To])
		case !led:
			do(p.Records[l.From+1 : l.To])
		}
	}
}

// ownRecords returns the number of records of these lanes.
func ownRecords(p *history.Frame) (n int) {
	ownLanes(p, func(r []history.Record) { n += len(r) })
	return n
}
