package report

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/printed"
	"example.com/iprof/platform"
)

// incomparable keeps a struct from being compared with ==. Every program has code to compare each struct that can be.
type incomparable [0]func()

// FrameInfo describes the frame of a report, or its average of frames.
type FrameInfo struct {
	_                  incomparable
	Index              uint64
	Label              string
	Age                int     // 0 = newest
	Length             float64 // ms
	Tick               float64 // resolution of the clock, ms: see Report.Tick
	Busy               float64 // ms: Length less the idle zones of the updating lane
	Blocked            float64 // ms of waits that the program did not choose: see gather.ZoneInfo.Blocked
	Idle               float64 // ms in idle zones, and outside zones on lanes other than the updating one
	FPS                float64 // 1000/Length; 0 if frames have no rate: see Kind.HasFrames
	Kind               Kind    // of the program or file
	RunQueue, LockWait float64 // ms that all goroutines waited for a processor, and for locks: estimates
	CPU                float64 // processor time of all threads, ms; 0: not known. For one lane see LaneInfo.CPU
	Away               float64 // ms without a processor: see gather.Away; for an average its mean
	AwayKnown          gather.AwayKnown
	GPU                float64       // ms in which the busiest GPU lane worked: see gather.LaneFrame.Device
	HasGPU             bool          // the program has a GPU lane
	Joined             float64       // ms that the goroutine which ended the frame waited for others, as far as known
	Worker             string        // the goroutine that it waited for longest; "" for averages
	Budget             time.Duration // frame budget in force
	Over               bool          // Judged() > 1.02 x budget
	Overhead           float64       // share of Length, 0..1: see Dump.Overhead
	MaxHold            float64       // ms: longest frame of the last 5 s
	P99                float64       // ms: 99th percentile of frame length over the history
	Paused             bool
	Recording          bool
	Live               bool   // age 0 and not paused
	Lane               string // "all goroutines" or the lane's name
	Average            Average
	Memory             gather.MemoryMode // the mode in force: how much of the program's memory is measured
	Frames             uint64            // finished frames since start or Reset; 0 if Update was never called
	Gone               bool              // the chosen age has fallen out of the history
	Kept               bool              // one of the slowest frames, kept beyond the history
	Lens               Lens              // in force; unless it is off, the numbers are means over LensFrames frames
	LensFrames         int               // number of frames that the lens chose
	LensLost           int               // frames that the lens chose but that have lost their records and are left out
}

// FrameSummary is the summary of one frame: one bar of the history.
type FrameSummary struct {
	_                    incomparable
	Index                uint64
	Label                string
	Length, Busy         float32 // ms
	Blocked              float32 // ms of waits that the program did not choose: see gather.ZoneInfo.Blocked
	Over                 bool
	Others               float32 // ms that the other goroutines, OtherLanes in number, were busy; may exceed Length
	OtherLanes           int32
	Cycles               uint32  // garbage collections in the frame
	Pause                float32 // pauses of the garbage collector, ms
	Assist               float32 // ms that allocating goroutines worked for the collector, summed
	AllocBytes, HeapLive uint64
	AllocObjects         uint64
	HeapCost             float32           // ms spent on reading the heap
	Memory               gather.MemoryMode // how much of the program's memory was measured
	RunQueue, LockWait   float32           // ms that all goroutines waited for a processor, and for locks: estimates
	Away                 float32           // ms without a processor: see gather.Away; 0 if AwayKnown is AwayUnknown
	AwayKnown            gather.AwayKnown
	GPU                  float32 // ms in which the busiest GPU lane worked: see gather.LaneFrame.Device
	HasGPU               bool    // the program has a GPU lane
	HasReport            bool    // the session still has its records, so it has a report
}

// Bound is the limit of the rate of frames.
type Bound uint8

// The bounds.
const (
	BoundUnknown Bound = iota // there is no GPU lane
	BoundCPU                  // the goroutine that ends the frames is busy almost all the time
	BoundGPU                  // the GPU is busy almost all the time
	BoundDisplay              // both wait: for the display, or for a limit of the rate
	BoundWorker               // the goroutine that ends the frames waits for others: see FrameInfo.Worker
)

// String returns words for a display, such as "GPU-bound".
func (b Bound) String() string {
	return [...]string{"", "CPU-bound", "GPU-bound", "waiting for the display",
		"waiting for other goroutines"}[min(b, BoundWorker)]
}

// BoundShare is the share of a frame in which something is busy if it limits the rate.
const BoundShare = 0.9

// Bound is the limit of the rate of frames. For the CPU, the busy time of the goroutine that ends the frames counts. So
// mark the wait for the buffer swap as idle: the program waits for the GPU there. Without a GPU lane the result is
// BoundWorker or BoundUnknown.
func (i *FrameInfo) Bound() Bound {
	switch most := BoundShare * i.Length; {
	case i.HasGPU && i.GPU >= most && i.GPU >= i.Busy:
		return BoundGPU
	case i.HasGPU && i.Busy >= most:
		return BoundCPU
	case i.joined():
		return BoundWorker
	case !i.HasGPU:
		return BoundUnknown
	}
	return BoundDisplay
}

// appendBound appends the times of CPU and GPU, and the bound.
func (i *FrameInfo) appendBound(dst []byte, decimals int, between string) []byte {
	dst = strconv.AppendFloat(append(dst, "CPU "...), i.Busy, 'f', decimals, 64)
	dst = strconv.AppendFloat(append(append(dst, between...), "GPU "...), i.GPU, 'f', decimals, 64)
	dst = append(append(dst, " ms"...), between...)
	if b := i.Bound(); b != BoundWorker {
		return append(dst, b.String()...)
	}
	return i.appendWorker(append(dst, "waiting"...), " for ")
}

// A frame waits for another goroutine if states show that the other goroutine ended the wait: see
// gather.LaneState.Waker. Without such states the wait is inferred: the other goroutine worked as long as the frame
// waited, but not all the time.

// joinShare is the least share of the waiting time that waits for other goroutines must explain.
const joinShare = 0.5

// Alike is how much the times of the waiting and the working goroutine may differ, as a share of the frame.
const Alike = 0.1

// mostWorker is the greatest number of bytes of a goroutine's name in the words about a bound.
const mostWorker = 24

// appendWorker appends " for worker 2" to "waiting", or " by worker 2" to "blocked", if the frame waited for that
// goroutine.
func (i *FrameInfo) appendWorker(dst []byte, word string) []byte {
	name := i.Worker
	switch {
	case !i.joined():
		return dst
	case name == "":
		name = "other goroutines"
	case len(name) > mostWorker:
		cut := mostWorker
		for cut > 0 && !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = name[:cut]
	}
	return append(append(dst, word...), name...)
}

// joined reports whether most of the waiting was for other goroutines.
func (i *FrameInfo) joined() bool {
	return i.Joined > joinShare*i.Waiting() && i.Waiting() > Alike*i.Length
}

// PastFrame has the records of one lane, or of all lanes, in a finished frame.
type PastFrame struct {
	FrameSummary
	Lane  LaneInfo   // ID and name; Self is its busy time in ms
	Nodes []TreeNode // the lane's tree in preorder: see AppendTree
}

// OverFactor times the budget is the judged time above which a frame is over budget.
const OverFactor = 1.02

// Processors returns how many processors the program kept busy in the frame, on average. It is 0 if the number is not
// known.
func (i *FrameInfo) Processors() float64 {
	if i.Length <= 0 {
		return 0
	}
	return i.CPU / i.Length
}

// LaneInfo describes a lane that can be viewed.
type LaneInfo struct {
	ID   LaneID
	Name string
	Self float64 // busy ms in the viewed frame
	CPU  float64 // processor time of its OS thread in the viewed frame, ms; 0: not locked to a thread, or not known

	Device bool // of a GPU or another device, not of a goroutine
}

// LaneGoroutine is a goroutine of a lane, and the time from the first to the last frame that mentions it.
type LaneGoroutine struct {
	Lane       LaneID
	Goroutine  uint64 // the runtime's number, above 0
	Begin, End platform.Ticks
}

// AppendLens names the frames of a lens in a report's title.
func (i *FrameInfo) AppendLens(dst []byte) []byte {
	if i.Lens.Sums() {
		return append(dst, "the whole run"...)
	}
	dst = printed.AppendCount(append(dst, "average of "...), i.LensFrames, i.Kind.Frame())
	switch i.Lens.OfBudget() {
	case LensOver:
		dst = append(dst, " over budget"...)
	case LensWithin:
		dst = append(dst, " within budget"...)
	}
	if i.Lens.Kind == LensSlowest {
		dst = append(dst, ", the slowest"...)
	}
	if first, last, some := i.Lens.Range(); some {
		dst = strconv.AppendUint(append(dst, ", "...), first, 10)
		dst = strconv.AppendUint(append(dst, " to "...), last, 10)
	}
	return dst
}

// This file defines the numbers of a frame. All displays take the numbers from here, so that one word means one number:
//
//	frame    the time from one Update to the next
//	waiting  the part of the frame in Idle zones, on the lane that ends the frames
//	busy     frame less waiting
//	blocked  the part of waiting that the program did not choose: for a lock, a channel, another goroutine
//	away     the part of the frame in which its goroutine was ready to run and had no processor: see gather.Away
//	judged   busy and blocked: what the frame budget judges, and what the slowest frames have most of
//	fps      1000 ms / frame
//	share    a time in percent of the frame, or of the run in a Dump
//	mean     of a zone: its time in the frames of the history / their number, since its first frame
//	max      of a zone: its time in the frame of the history where it is greatest
//	(root)   hierarchical time: the frame; self time: the part of it outside all zones
//
// An averaged number has AverageSign before it, or stands beside words that name the average. A lane's numbers cover
// its goroutine in the same frame: see View.Lane.

// AverageSign stands before a number that is the mean of several frames.
const AverageSign = "ø "

// onTime is the share of the budget that a frame's length may reach before the frame is late. It is greater than 1
// because displays are not exact: the waits for a 60 Hz display vary by a millisecond.
const onTime = 1.1

// Pace says whether a frame was on time.
type Pace uint8

// The paces.
const (
	PaceOnTime Pace = iota
	PaceWaited      // busy and blocked within budget, but the wait made the frame longer than the budget
	PaceOver        // busy and blocked for longer than the budget
)

// String returns a word for a display: "", "waited" or "over".
func (p Pace) String() string { return [...]string{"", "waited", "over"}[min(p, PaceOver)] }

// PaceOf judges a frame. Times are in ms.
func PaceOf(over bool, length, budget float64) Pace {
	switch {
	case over:
		return PaceOver
	case budget > 0 && length > onTime*budget:
		return PaceWaited
	}
	return PaceOnTime
}

// Waiting is the time in ms that the frame waited: Length less Busy.
func (i *FrameInfo) Waiting() float64 { return math.Max(0, i.Length-i.Busy) }

// Judged returns FrameSummary.Judged of the frame, or the mean over its frames, in ms.
func (i *FrameInfo) Judged() float64 { return i.Busy + i.Blocked }

// Pace returns whether the frame was on time. Its budget is FrameInfo.Budget.
func (i *FrameInfo) Pace() Pace { return PaceOf(i.Over, i.Length, i.Budget.Seconds()*1000) }

// Judges reports whether a frame can be late: the user waits for frames, or has set a budget.
func (i *FrameInfo) Judges() bool { return i.Kind.HasFrames() || i.Budget > 0 }

// Averaged reports whether the numbers are means of several frames: a moving average or a lens.
func (i *FrameInfo) Averaged() bool {
	if i.Lens.Kind != LensOff {
		return !i.Lens.Sums()
	}
	return i.Age == 0 && !i.Kept && !i.Gone && i.Frames > 0 && i.Average != AverageInstant
}

// Decimals returns how many decimals to write for the frame's milliseconds: wanted, but not more than its clock
// resolves. Averages always get wanted, because a mean may be finer than the clock.
func (i *FrameInfo) Decimals(wanted int) int {
	if i.Averaged() {
		return wanted
	}
	return Decimals(wanted, 1, i.Tick)
}

// Sign is AverageSign for averaged numbers, else "".
func (i *FrameInfo) Sign() string {
	if i.Averaged() {
		return AverageSign
	}
	return ""
}

// Averages reports whether a column's values are means of several frames because the report is an average: see
// FrameInfo.Averaged. It is false for statistics, which always cover several frames and say so in their names.
func (r *Report) Averages(c Column) bool {
	switch c {
	case ColumnSelf, ColumnHier, ColumnCount, ColumnSelfPercent, ColumnHierPercent, ColumnSelfPerCall,
		ColumnHierPerCall:
		return r.Frame.Averaged()
	}
	return false
}

// AppendParts appends the parts of the frame's length: "14.90 busy + 133.70 waiting", "14.90 busy + 40.10 blocked +
// 93.60 waiting", or "14.90 busy + 133.70 blocked".
//
// With a GPU lane it appends "CPU 4.10 · GPU 12.30 ms · GPU-bound". A wait for another goroutine names the goroutine.
func (i *FrameInfo) AppendParts(dst []byte, decimals int) []byte {
	if i.HasGPU {
		return i.appendBound(dst, decimals, " · ")
	}
	dst = append(strconv.AppendFloat(dst, i.Busy, 'f', decimals, 64), " busy + "...)
	waiting := math.Max(0, i.Waiting()-i.Blocked)
	if i.Blocked >= leastPart {
		dst = append(strconv.AppendFloat(dst, i.Blocked, 'f', decimals, 64), " blocked"...)
		if waiting < leastPart {
			return i.appendWorker(dst, " by ")
		}
		dst = append(dst, " + "...)
	}
	return i.appendWorker(append(strconv.AppendFloat(dst, waiting, 'f', decimals, 64), " waiting"...), " for ")
}

// leastPart is the least time, in ms, of a blocked or a waiting part that is shown.
const leastPart = 0.05

// leastWaits is the least share of a frame of a wait of all goroutines that stands beside the frame's length.
const leastWaits = 0.05

// AppendWaits appends what all goroutines waited in the frame for a processor and for locks: "runnable ~3.1 · locks
// ~1.2 ms". A sum above the length of the frame is given as goroutines: see [WaitingAtOnce]. The sums are estimates:
// see gather.MemoryFrame. It leaves out a wait below 5 % of the frame or below 0.05 ms.
func (i *FrameInfo) AppendWaits(dst []byte) []byte { return i.AppendWaitsBetween(dst, "", " · ") }

// AppendWaitsBetween is AppendWaits with other text before the first wait and between two waits.
func (i *FrameInfo) AppendWaitsBetween(dst []byte, before, between string) []byte {
	unit := ""
	for _, w := range [...]struct {
		name string
		ms   float64
	}{{"runnable ~", i.RunQueue}, {"locks ~", i.LockWait}} {
		if !waited(w.ms, i.Length) {
			continue
		}
		n, own := WaitingAtOnce(w.ms, i.Length), " goroutines"
		if n == 0 {
			n, own = w.ms, " ms"
		}
		if unit != "" {
			if before = between; unit != own {
				dst = append(dst, unit...)
			}
		}
		dst, unit = append(append(dst, before...), w.name...), own
		if own == " ms" {
			dst = strconv.AppendFloat(dst, n, 'f', 1, 64)
		} else {
			dst = AppendGoroutines(dst, n)
		}
	}
	return append(dst, unit...)
}

// waited reports whether a wait is long enough to stand beside the length of its frame, both in ms.
func waited(ms, length float64) bool { return ms >= 0.05 && ms >= leastWaits*length }

// Waited reports whether FrameInfo.AppendWaits would append anything for the frame.
func (f *FrameSummary) Waited() bool {
	return waited(float64(max(f.RunQueue, f.LockWait)), float64(f.Length))
}

// AppendTitleParts appends the parts of a frame that waited, and the word for its pace, to a title.
func (i *FrameInfo) AppendTitleParts(dst []byte) []byte {
	if i.HasGPU {
		dst = i.appendBound(append(dst, " = "...), i.Decimals(1), ", ")
	} else if i.Waiting() >= 0.05 {
		dst = i.AppendParts(append(dst, " = "...), i.Decimals(1))
	}
	switch i.Pace() {
	case PaceOver:
		dst = append(dst, ", over budget"...)
	case PaceWaited:
		dst = append(dst, ", waited"...)
	}
	return dst
}

// Judged is the time in ms that the frame budget judges: the length of the frame without waits that the program chose.
// Those are idle zones: waits for the display, for a limit of the frame rate, or for events.
func (f *FrameSummary) Judged() float32 { return f.Busy + f.Blocked }

// Disturbed reports whether the machine gave the processor to other programs for more than a tenth of the frame.
func (f *FrameSummary) Disturbed() bool {
	return f.AwayKnown != gather.AwayUnknown && float64(f.Away) > measure.DisturbedShare*float64(f.Length)
}

// Pace says whether the frame was on time for a budget in ms.
func (f *FrameSummary) Pace(budget float64) Pace { return PaceOf(f.Over, float64(f.Length), budget) }

// Share returns a time in percent of a whole, or 0 if there is no whole.
func Share(part, whole float64) float64 {
	if !(whole > 0) {
		return 0
	}
	return 100 * part / whole
}

// NoBudget is the least frame budget that displays do not show. A program that does not measure frames has it.
const NoBudget = time.Hour

// BudgetShown returns the frame budget that displays show, or 0 if they show none.
func BudgetShown(d time.Duration) time.Duration {
	if d >= NoBudget {
		return 0
	}
	return d
}

// OverBudget reports whether a frame's judged time is above a budget by more than 2 %. A budget of 0 or less means no
// budget; then it is false. Any goroutine may call it.
func OverBudget(judged, budget time.Duration) bool {
	return budget > 0 && float64(judged) > OverFactor*float64(budget)
}

// Decimals returns how many decimals to write for a time in units of unit ms: wanted, but not more than a clock with a
// tick of tick ms resolves, and at least 0. A tick that is not above 0 is unknown; then it returns wanted.
func Decimals(wanted int, unit, tick float64) int {
	if !(tick > 0) {
		return wanted
	}
	told := math.Floor(math.Log10(unit/tick) + 1e-9)
	return int(max(0, min(float64(wanted), told)))
}
