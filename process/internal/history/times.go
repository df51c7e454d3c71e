package history

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Times are the numbers of a frame as a whole. Sums, means and averages of frames are Times, too. All are in ms. A new
// number has its place here, in gather.Frame, in the format (package framefile), in report.FrameInfo with its words,
// and in the columns of package asjson.
type Times struct {
	_        Incomparable
	LengthMS float64
	BusyMS   float64
	IdleMS   float64
	BlockMS  float64 // of idle time in which the frame was blocked
	SpanMS   float64 // of the updating lane
	CostMS   float64 // of measuring
	SlowMS   float64 // the part of CostMS that was timed where it happened
	GPUMS    float64 // in which the busiest device lane worked
	CPUMS    float64 // of the process's processor time
	AwayMS   float64 // without a processor: see gather.Away; 0 if not known
	JoinedMS float64 // that the goroutine which ended it waited for others: see waitedFor; set by digest
	QueueMS  float64 // see report.FrameSummary.RunQueue
	LocksMS  float64 // see report.FrameSummary.LockWait

	Known   gather.AwayKnown // about AwayMS
	Devices bool             // the frame has a device lane
}

// numbers returns pointers to all numbers.
func (t *Times) numbers() [13]*float64 {
	return [...]*float64{&t.LengthMS, &t.BusyMS, &t.IdleMS, &t.BlockMS, &t.SpanMS, &t.CostMS, &t.SlowMS, &t.GPUMS,
		&t.CPUMS, &t.AwayMS, &t.JoinedMS, &t.QueueMS, &t.LocksMS}
}

// take sets the numbers that package gather has measured in a frame.
func (t *Times) take(f *gather.Frame, perTick float64) {
	t.LengthMS = max(0, float64(f.End-f.Begin)*perTick)
	t.CPUMS = max(0, float64(f.CPU)/1e6)
	if f.Away.Known != gather.AwayUnknown {
		t.AwayMS = min(max(0, float64(f.Away.Time)/1e6), t.LengthMS)
	}
	t.Known = f.Away.Known
	t.QueueMS = f.Memory.RunQueue.Seconds() * 1000
	t.LocksMS = f.Memory.LockWait.Seconds() * 1000
}

// Add adds the numbers of another frame.
func (t *Times) Add(from *Times) {
	to := t.numbers()
	for i, v := range from.numbers() {
		*to[i] += *v
	}
	t.Known, t.Devices = max(t.Known, from.Known), t.Devices || from.Devices
}

// Divide divides each number by n.
func (t *Times) Divide(n float64) {
	for _, v := range t.numbers() {
		*v /= n
	}
}

// Ease moves each number by a part of its distance to the goal.
func (t *Times) Ease(part float64, goal *Times) {
	to := t.numbers()
	for i, v := range goal.numbers() {
		*to[i] += part * (*v - *to[i])
	}
}

// JudgedMS returns the judged time: see report.FrameSummary.Judged.
func (t *Times) JudgedMS() float64 { return t.BusyMS + t.BlockMS }

// Fill sets the numbers of a frame's description.
func (t *Times) Fill(i *report.FrameInfo) {
	i.Length, i.Busy = t.LengthMS, t.BusyMS
	i.Blocked, i.Idle = t.BlockMS, t.IdleMS
	i.GPU, i.CPU = t.GPUMS, t.CPUMS
	i.Away = t.AwayMS
	i.RunQueue, i.LockWait = t.QueueMS, t.LocksMS
}

// Summarize sets the numbers of a frame's summary.
func (p *Frame) Summarize() {
	p.Length, p.Busy, p.Blocked = float32(p.LengthMS), float32(p.BusyMS), float32(p.BlockMS)
	p.GPU, p.HasGPU = float32(p.GPUMS), p.Devices
	p.Away, p.AwayKnown = float32(p.AwayMS), p.Known
	p.RunQueue, p.LockWait = float32(p.QueueMS), float32(p.LocksMS)
}
