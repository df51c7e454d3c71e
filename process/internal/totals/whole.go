package totals

import (
	"errors"
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// ErrBadFrame is the error for inconsistent frames.
var ErrBadFrame = errors.New("process: frame with a node before its parent, of an unknown zone, " +
	"or with an id above 4 million, or something of an unknown node or counter")

// Valid reports whether a frame is consistent.
func Valid(f *gather.Frame) bool {
	for i := range f.Lanes {
		for j := range f.Lanes[i].Nodes {
			n := &f.Lanes[i].Nodes[j]
			if n.Zone < 0 || int(n.Zone) >= len(f.Zones) || n.ID >= maxNodeID ||
				int(n.Parent) >= j || (n.Parent < 0) != (j == 0) {
				return false
			}
		}
		if !history.ValidExtras(&f.Lanes[i]) {
			return false
		}
	}
	return history.ValidValues(f)
}

// Whole has the sums over all frames of a recording. A session that holds only the newest frames gets the averages over
// all frames from a Whole: see process.HistoryLimits. The zero value has no frames. One goroutine at a time may use it.
// Do not change it after a session has it.
type Whole struct {
	Frames uint64
	Next   uint64 // number of the next frame in the recording
	Source Source // nil: a session cannot read frames outside its history
	Chosen Choice // nil: lenses choose only among the frames of the history

	tree     history.Tree
	lanes    history.Lanes
	zones    []gather.ZoneInfo
	tally    Tally
	kinds    history.ChargeKinds
	numbers  history.Numbers
	values   []numberSum // by place in numbers.List
	frame    history.Frame
	sum      history.Times
	perTick  float64 // ms a tick in the newest frame
	busy     moments
	self     []zoneMoments // by zone
	zonesMet []report.ZoneID
	ticks    []platform.Ticks // scratch: by zone
	origin   gather.Origin    // of the newest frame
	index    uint64           // gather.Frame.Index of the newest frame
	updater  report.LaneID    // lane that ended it
	replaced bool             // earlier frames came from another program or another clock
	events   bool             // gather.Frame.EventDriven of the newest frame
	spread   statistics       // nil: only means
	chosen   []uint64         // numbers of its frames; nil if it has all frames of the recording
}

// Source reads the frames of a recording whose history holds only some of them. Frames have the session's numbers: 0
// for the first. The session calls it with its lock held.
type Source interface {
	// Frames returns the number of frames.
	Frames() uint64
	// Find returns the number of the frame with an index: see gather.Frame.
	Find(index uint64) (frame uint64, found bool)
	// Over returns the nearest frame before a frame, or after it with step 1, that is busy for longer than ms
	// milliseconds.
	Over(frame uint64, step int, ms float64) (over uint64, found bool)
	// Read calls do with each of the frames from..to-1, and returns the source of their events, nil without events.
	Read(from, to uint64, do func(f *gather.Frame)) (timeline.EventSource, error)
}

// Choice sums frames of a recording. The session calls it with its lock held.
type Choice interface {
	// Sum sums the frames that a lens chooses, or all other frames, with statistics. A frame whose judged time is above
	// over, in ms, is over budget.
	Sum(l report.Lens, over float64, others bool) (*Whole, error)
}

// moments are the sums of values and of their squares.
type moments struct{ sum, squares float64 }

func (m *moments) add(v float64) {
	m.sum += v
	m.squares += v * v
}

// of returns mean and standard deviation of n values. Values that were not added count as 0.
func (m *moments) of(n uint64) (mean, deviation float64) {
	if n == 0 {
		return 0, 0
	}
	mean = m.sum / float64(n)
	return mean, math.Sqrt(max(m.squares/float64(n)-mean*mean, 0))
}

// zoneMoments has the moments of the self time of a zone per frame, in ms.
type zoneMoments struct {
	_ [0]func() // not comparable: the code of == would be in each program
	moments
	counted bool
	born    uint64 // number of its first frame in the recording
}

// numberSum is the sum of a number in the frames that have it.
type numberSum struct {
	_                   [0]func() // not comparable: the code of == would be in each program
	sum, greatest, last float64
	frames              uint64
}

// Add adds a frame. The error is ErrBadFrame. It is not called WriteFrame, so that programs that read no recording do
// not link it: see gather.Sink.
func (w *Whole) Add(f *gather.Frame) error {
	if !Valid(f) {
		return ErrBadFrame
	}
	p := &w.frame
	if w.Frames > 0 && f.Origin != w.origin {
		*w = Whole{replaced: true, Next: w.Next, spread: emptied(w.spread)}
	}
	w.origin = f.Origin
	w.setZones(f)
	*p = p.Empty()
	p.Begin(f)
	p.Seq = w.Next
	w.kinds.SeeFrame(f, len(w.zones), true)
	t := w.sums()
	logged := t.Log(p, f, true)
	p.Settle(float64(logged.Whole), float64(logged.Waiting), float64(logged.Others))
	p.Block(&w.tree)
	t.Frame(f, p)
	w.index, w.updater = f.Index, p.UpdatedBy(&w.lanes)
	w.addTimes(p)
	w.addZones(p)
	if w.spread != nil {
		w.spread.add(w)
	}
	w.Frames++
	w.Next++
	w.addNumbers(f)
	if w.lanes.Many() { // the tally identifies lanes by their ids
		w.lanes.Prune(func(move func([]history.LaneRecords)) { move(p.Lanes) })
		t.ForgetPlaces()
	}
	return nil
}

// setZones takes over the zones of a frame, unless an earlier frame had more. In an event-driven program the root is
// idle.
func (w *Whole) setZones(f *gather.Frame) {
	if f.EventDriven != w.events {
		w.events = f.EventDriven
		w.tally.EmptySeats() // seats store whether their zone is idle
	}
	zones := f.Zones
	if len(zones) < len(w.zones) {
		zones = w.zones
	}
	if !f.EventDriven || len(zones) == 0 {
		w.zones = zones
		return
	}
	if len(w.zones) < len(zones) || !w.zones[0].Idle { // only once, because the sums keep reading the zones
		w.zones = slices.Clone(zones)
		w.zones[0].Idle = true
	}
}

func (w *Whole) sums() *Tally {
	w.tally.Stores = Stores{Tree: &w.tree, Lanes: &w.lanes, Zones: w.zones, Next: w.Next}
	return &w.tally
}

func (w *Whole) addTimes(p *history.Frame) {
	if w.busy.add(p.BusyMS); p.Waited() {
		p.JoinedMS, _ = p.Likely()
	}
	w.sum.Add(&p.Times)
	w.perTick = p.PerTick
}

// addZones adds the self times of the zones.
func (w *Whole) addZones(p *history.Frame) {
	for len(w.ticks) < len(w.zones) {
		w.ticks, w.self = append(w.ticks, 0), append(w.self, zoneMoments{})
	}
	met := w.zonesMet[:0]
	for _, l := range p.Lanes {
		records := p.Records[l.From:l.To]
		if !l.Updater {
			records = records[1:]
		}
		for i := range records {
			r := &records[i]
			zone := w.tree.Paths[r.Path&history.PathMask].Zone
			if w.ticks[zone] == 0 {
				met = append(met, zone)
			}
			w.ticks[zone] += r.Self
		}
	}
	for _, zone := range met {
		if m := &w.self[zone]; w.ticks[zone] != 0 {
			if !m.counted {
				m.counted, m.born = true, w.Next
			}
			m.add(float64(w.ticks[zone]) * p.PerTick)
			w.ticks[zone] = 0
		}
	}
	w.zonesMet = met
}

// addNumbers adds the values of a frame.
func (w *Whole) addNumbers(f *gather.Frame) {
	w.numbers.Begin(f)
	for len(w.values) < len(w.numbers.List) {
		w.values = append(w.values, numberSum{})
	}
	if f.Memory.Mode < gather.MemoryHeapPerFrame && len(f.Counters) == 0 {
		return
	}
	w.numbers.Each(f, func(at int, v float64, known bool) {
		if t := &w.values[at]; known {
			if t.frames == 0 || v > t.greatest {
				t.greatest = v
			}
			t.sum, t.last, t.frames = t.sum+v, v, t.frames+1
		}
	})
}

// JudgedMS returns the judged time of the newest frame, in ms.
func (w *Whole) JudgedMS() float64 { return w.frame.JudgedMS() }

// Busy returns the mean busy time of a frame and its standard deviation, in ms.
func (w *Whole) Busy() (mean, deviation float64) { return w.busy.of(w.Frames) }

// Zones returns the zones of the newest frame.
func (w *Whole) Zones() []gather.ZoneInfo { return w.zones }

// Tree returns the paths of the sums.
func (w *Whole) Tree() *history.Tree { return &w.tree }

// Merge adds the sums of other frames of the same recording. It reports false if the two do not fit together; w is then
// invalid.
func (w *Whole) Merge(o *Whole) bool {
	switch {
	case w.replaced || o.replaced:
		return false
	case o.Frames == 0:
		return true
	case w.Frames == 0:
		*w = *o
		return true
	case o.origin != w.origin || !alike(w.zones, o.zones) || math.Abs(o.frame.PerTick/w.frame.PerTick-1) > 0.01 ||
		w.tree.Folded+o.tree.Folded > 0:
		return false
	}
	if len(o.zones) > len(w.zones) {
		w.zones = o.zones
	}
	paths := make([]int32, len(o.tree.Paths)) // by path of o: path of w
	for i := range o.tree.Paths {
		p, parent := &o.tree.Paths[i], int32(-1)
		if p.Parent >= 0 {
			parent = paths[p.Parent]
		}
		paths[i] = w.tree.Child(parent, p.Zone, p.Same >= 0, p.Birth)
		w.tree.SetIdle(paths[i], w.zones)
		to := &w.tree.Paths[paths[i]]
		to.Birth = min(to.Birth, p.Birth)
	}
	w.sums().merge(&o.tally, paths)
	w.kinds.Merge(&o.kinds)
	if w.spread != nil && o.spread != nil {
		w.spread.merge(o.spread, &w.tree, paths)
	}
	w.mergeNumbers(o)
	w.mergeTimes(o)
	return w.tree.Folded == 0
}

// alike reports whether two lists of zones come from one program. One list may be longer.
func alike(a, b []gather.ZoneInfo) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}

func (w *Whole) mergeTimes(o *Whole) {
	w.sum.Add(&o.sum)
	w.busy.sum, w.busy.squares = w.busy.sum+o.busy.sum, w.busy.squares+o.busy.squares
	w.Frames += o.Frames
	for len(w.self) < len(o.self) {
		w.self = append(w.self, zoneMoments{})
	}
	for i := range o.self {
		to, from := &w.self[i], &o.self[i]
		switch {
		case !from.counted:
		case !to.counted:
			*to = *from
		default:
			to.sum, to.squares, to.born = to.sum+from.sum, to.squares+from.squares, min(to.born, from.born)
		}
	}
	if o.Next > w.Next { // o has the newest frame
		w.Next = o.Next
		w.index = o.index
		w.updater = o.updater
		w.perTick = o.perTick
	}
}

func (w *Whole) mergeNumbers(o *Whole) {
	if len(o.values) > len(w.values) {
		w.numbers = o.numbers
	}
	for len(w.values) < len(o.values) {
		w.values = append(w.values, numberSum{})
	}
	for i := range o.values {
		to, from := &w.values[i], &o.values[i]
		if from.frames == 0 {
			continue
		}
		if to.frames == 0 || from.greatest > to.greatest {
			to.greatest = from.greatest
		}
		if to.frames == 0 || o.Next > w.Next {
			to.last = from.last
		}
		to.sum, to.frames = to.sum+from.sum, to.frames+from.frames
	}
}

// merge adds the sums of another tally. paths maps its paths to paths of t.
func (t *Tally) merge(o *Tally, paths []int32) {
	t.collect()
	o.collect()
	for _, from := range o.all() {
		to := t.folded
		if from != o.folded {
			to = t.lane(&gather.LaneFrame{ID: from.id, Name: from.name})
		} else if to == nil {
			to = &laneSums{name: foldedName}
			t.folded = to
		}
		to.cpu = plus(to.cpu, from.cpu)
		for i := range from.nodes {
			n := &from.nodes[i]
			t.node(to, paths[n.path]).add(n)
		}
	}
	t.frames, t.ticks, t.outside = t.frames+o.frames, plus(t.ticks, o.ticks), t.outside+o.outside
	t.cpu, t.cost = plus(t.cpu, o.cpu), t.cost.Plus(o.cost)
	if t.tooLarge() {
		t.foldHalf()
	}
}

// Sum sums a lane, or all lanes for id 0, by path: time in ticks, count and errors. history.Frame.Sum does the same for
// one frame. Paths are paths of Tree.
func (w *Whole) Sum(lane report.LaneID, at func(path int32) *history.Value, charges *history.ChargeList) {
	t := w.sums()
	t.collect()
	for _, l := range t.all() {
		if lane != 0 && (l.id != lane || l == t.folded) {
			continue
		}
		for i := range l.nodes {
			n := &l.nodes[i]
			if lane == 0 && n.parent < 0 {
				continue // for all lanes merged, only the updating lane's time outside zones counts
			}
			v := at(n.path)
			v.Self += float64(n.self)
			v.Count += float64(n.count)
			if n.rare != nil {
				v.Extend(n.rare, 1, charges)
			}
		}
	}
	if lane == 0 && len(w.tree.Paths) > 0 {
		at(0).Self += float64(t.outside)
	}
}

// Fill extends a session's dump of some frames to all frames: times, trees, zones, lanes, and the totals of numbers.
// Path ids are ids of Tree. The session does not do this itself, so that programs that read no recording do not link
// the code.
func (w *Whole) Fill(d *report.Dump) {
	sums := new(Reading).Sums(w.sums(), &gather.Frame{Zones: d.Zones, TicksPerSecond: d.TicksPerSecond},
		report.DumpOptions{})
	d.RunTime, d.CPU, d.Frames = sums.RunTime, sums.CPU, w.Frames
	d.Overhead, d.OverheadLow, d.OverheadHigh = sums.Overhead, sums.OverheadLow, sums.OverheadHigh
	d.Merged, d.Totals, d.Recursion = sums.Merged, sums.Totals, sums.Recursion
	d.Lanes, d.LaneCount, d.Calls = sums.Lanes, max(sums.LaneCount, len(sums.Lanes)), 0
	d.Severals = sums.Severals
	for i := range d.Totals {
		d.Calls += uint64(d.Totals[i].Count)
	}
	d.Values = w.setValues(d.Values)
}

// Lanes calls do with each lane, its busy time, and its processor time if known, in ms and divided by n.
func (w *Whole) Lanes(n float64, do func(id report.LaneID, name string, busy, cpu float64)) {
	t := w.sums()
	t.collect()
	for _, l := range t.order {
		do(l.id, l.name, float64(w.busyTicks(l))*w.perTick/n, float64(l.cpu)/1e6/n)
	}
}

// busyTicks returns the time of a lane in zones that are not idle.
func (w *Whole) busyTicks(l *laneSums) (ticks platform.Ticks) {
	for i := range l.nodes {
		if n := &l.nodes[i]; n.parent >= 0 && !w.tree.Paths[n.path].Idle {
			ticks += n.self
		}
	}
	return ticks
}

// BusyOn returns the mean busy time of a lane in ms. On the lane that ends the frames it includes time outside zones.
func (w *Whole) BusyOn(lane report.LaneID) (busy float64) {
	if lane == w.updater {
		busy, _ = w.Busy()
		return busy
	}
	if l := w.sums().byID[lane]; l != nil {
		w.tally.collect()
		busy = float64(w.busyTicks(l)) * w.perTick / float64(max(w.Frames, 1))
	}
	return busy
}

// Mean fills in the times of all frames, divided by n. Its JoinedMS does not include states.
func (w *Whole) Mean(m *history.Frame, n float64) {
	m.PerTick, m.Index, m.Times = w.perTick, w.index, w.sum
	m.Divide(n)
	m.Summarize()
}

// Self returns the number of frames since a zone's first, and mean and standard deviation of its self time in them.
func (w *Whole) Self(zone report.ZoneID) (frames uint64, mean, deviation float64) {
	if int(zone) >= len(w.self) || !w.self[zone].counted {
		return 0, 0, 0
	}
	m := &w.self[zone]
	frames = w.since(m.born)
	mean, deviation = m.of(frames)
	return frames, mean, deviation
}

// Kinds returns the kinds of charges of the frames.
func (w *Whole) Kinds() *history.ChargeKinds { return &w.kinds }

// setValues sets the statistics over all frames in the numbers of a session that holds some frames.
func (w *Whole) setValues(list []report.ValueSeries) []report.ValueSeries {
	for _, v := range w.AppendValues(nil) {
		at := slices.IndexFunc(list, func(of report.ValueSeries) bool { return of.Name == v.Name && of.Kind == v.Kind })
		if at < 0 {
			list = append(list, report.ValueSeries{FrameValue: v})
			continue
		}
		list[at].Mean, list[at].Max, list[at].Total = v.Mean, v.Max, v.Total
	}
	return list
}

// AppendValues appends the means of the counters and of the heap's numbers.
func (w *Whole) AppendValues(dst []report.FrameValue) []report.FrameValue {
	for at := range w.values {
		t := &w.values[at]
		if t.frames == 0 {
			continue
		}
		v := w.numbers.Info(at)
		v.Mean = t.sum / float64(t.frames)
		v.Value = v.Mean
		v.Max = t.greatest
		v.Total = t.sum
		if w.numbers.List[at].Level() {
			v.Total = t.last
		}
		dst = append(dst, v)
	}
	return dst
}
