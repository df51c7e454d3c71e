package timeline

import (
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// Copies are the copied events of slow frames and of the frames around them. The lanes overwrite their own events
// within seconds.
type Copies struct {
	frames []*timedFrame // ascending by seq
	spare  []*timedFrame
	due    []uint64     // frames to copy, by seq, the most urgent first
	follow int          // number of coming frames that belong to a slow frame
	late   []lateFrame  // of the history
	joined joinedFrames // scratch
}

// timedFrame is a frame with a copy of its events. It shares its records with the history or with the slow frame.
type timedFrame struct {
	history.Frame
	owners []timedLane
	open   []report.ZoneID // the zones that were open on the lanes at the end of the frame
	events measure.EventCopy
	hint   hint // of owners
}

// timedLane is a lane of a timedFrame.
type timedLane struct {
	_ [0]func() // not comparable: the code of == would be in each program

	id       report.LaneID
	name     string
	from, to int // its open zones
	device   bool
	updater  bool
}

// KeepSlow copies the events of a frame that has just ended, if it is a kept slow frame, or follows one.
func (r *Reader) KeepSlow(p *history.Frame) {
	k := &r.Copies
	if r.Fed || r.Source != nil || gather.Events() == 0 {
		return
	}
	switch {
	case r.Slowest.Late(p) && r.Slowest.Find(p.Index) != nil || r.keepLate(p):
		k.follow = history.KeptAround
		r.TrimSlow()
		k.owe(p.Seq)
	case k.follow > 0:
		k.follow--
		k.due = append(k.due, p.Seq)
	}
	r.copyDue()
}

// mostCopied is the greatest number of lanes that an Update copies, unless a single frame has more. Later Updates copy
// the rest, because the lanes keep their events for longer.
const mostCopied = 2048

// mostDue is the greatest number of due frames.
const mostDue = 4 * history.KeptAround

// owe makes a slow frame and the frames before it due, ahead of other due frames.
func (k *Copies) owe(seq uint64) {
	for range history.KeptAround + 1 {
		k.due = append(k.due, 0)
	}
	copy(k.due[history.KeptAround+1:], k.due)
	for age := range uint64(history.KeptAround + 1) {
		k.due[age] = seq - age
	}
	k.due = k.due[:min(len(k.due), mostDue)]
}

// copyDue copies frames whose turn it is.
func (r *Reader) copyDue() {
	k, lanes := &r.Copies, 0
	for ; len(k.due) > 0; k.due = k.due[:copy(k.due, k.due[1:])] {
		seq := k.due[0]
		if seq < r.Past.First() || seq >= r.Past.Next || k.at(seq) != nil {
			continue
		}
		f := r.Past.At(seq)
		if lanes += len(f.Lanes); lanes > mostCopied && lanes > len(f.Lanes) {
			return
		}
		r.copyFrame(f)
	}
}

// copyFrame copies the events of a frame of the history. If there is no room, it drops copies of less slow frames.
func (r *Reader) copyFrame(p *history.Frame) {
	k := &r.Copies
	if k.at(p.Seq) != nil || p.Lost || p.To <= p.From {
		return
	}
	f := k.unused()
	for !f.events.Take(p.From, p.To) {
		if !r.dropLeastSlow(p) {
			return
		}
	}
	f.Frame = *p
	f.Records, f.Lanes, f.Extras = nil, nil, nil
	f.owners, f.open = slices.Grow(f.owners[:0], len(p.Lanes)), f.open[:0]
	for _, at := range p.Lanes {
		l, from := &r.Lanes.List[at.Place], len(f.open)
		f.open = append(f.open, r.openIn(p, &at)...)
		f.owners = append(f.owners, timedLane{id: l.ID, name: l.Name, from: from, to: len(f.open), device: at.Device,
			updater: at.Updater})
	}
	k.frames = append(k.frames, f)
	sort.Sort(bySeq(k.frames))
}

// bySeq sorts frames. The numbers of frames may wrap around.
type bySeq []*timedFrame

func (b bySeq) Len() int           { return len(b) }
func (b bySeq) Less(i, k int) bool { return int64(b[i].Seq-b[k].Seq) < 0 }
func (b bySeq) Swap(i, k int)      { b[i], b[k] = b[k], b[i] }

// unused returns a timedFrame whose memory may be reused.
func (k *Copies) unused() *timedFrame {
	if n := len(k.spare); n > 0 {
		f := k.spare[n-1]
		k.spare = k.spare[:n-1]
		return f
	}
	return new(timedFrame)
}

// TrimSlow drops the copies of frames that are no longer near a slow frame.
func (r *Reader) TrimSlow() {
	r.dropCopies(func(f *timedFrame) bool {
		return r.Slowest.NearLate(f.Seq) == nil && !r.Copies.nearLate(f.Seq)
	})
}

// dropLeastSlow drops the copies around the least slow frame, but keeps copies near a given frame. It returns false if
// there is nothing to drop.
func (r *Reader) dropLeastSlow(but *history.Frame) bool {
	if r.dropLate(but) {
		return true
	}
	for i := range slices.Backward(r.Slowest.Frames) {
		slow := &r.Slowest.Frames[i]
		if history.Near(slow.Seq, but.Seq) {
			continue
		}
		gone := r.dropCopies(func(f *timedFrame) bool {
			return history.Near(slow.Seq, f.Seq) && !history.Near(f.Seq, but.Seq)
		})
		if gone > 0 {
			return true
		}
	}
	return false
}

// dropCopies drops some copies and returns their number. The memory of the first few is kept for later copies.
func (r *Reader) dropCopies(which func(f *timedFrame) bool) (gone int) {
	k := &r.Copies
	k.frames = resize.Delete(k.frames, func(f *timedFrame) bool {
		if !which(f) {
			return false
		}
		gone++
		if len(k.spare) < 2*history.KeptAround+1 {
			k.spare = append(k.spare, f)
		} else {
			f.events.Drop()
		}
		return true
	})
	return gone
}

// Forget drops all copies.
func (k *Copies) Forget() {
	for _, f := range append(k.frames, k.spare...) {
		f.events.Drop()
	}
	*k = Copies{}
}

// at returns the copy of a frame, or nil.
func (k *Copies) at(seq uint64) *timedFrame {
	at := sort.Search(len(k.frames), func(i int) bool { return k.frames[i].Seq >= seq })
	if at == len(k.frames) || k.frames[at].Seq != seq {
		return nil
	}
	return k.frames[at]
}

// zonesOf returns the zones that were open on a lane at the end of the frame.
func (f *timedFrame) zonesOf(lane report.LaneID) []report.ZoneID {
	at := f.hint.find(len(f.owners), func(i int) bool { return f.owners[i].id == lane })
	if at < 0 {
		return nil
	}
	return f.open[f.owners[at].from:f.owners[at].to]
}

// hint is the index of the last value found in a list. A search for all values in order finds each at once.
type hint int

// find returns the index of a value among n, or -1.
func (h *hint) find(n int, is func(i int) bool) int {
	for i := range n {
		if at := (int(*h) + i) % n; is(at) {
			*h = hint(at + 1)
			return at
		}
	}
	return -1
}

// joinedFrames has the events of consecutive copied frames.
type joinedFrames struct{ frames []*timedFrame }

// AppendEvents appends each frame's own events. An event at a border is in the copies of both frames, so it is taken
// from the later one.
func (j *joinedFrames) AppendEvents(dst []gather.Event, lane report.LaneID, begin, end platform.Ticks) []gather.Event {
	for i, f := range j.frames {
		last := f.To
		if i+1 < len(j.frames) {
			last--
		}
		from := max(begin, f.From)
		to := min(end, last)
		if from <= to {
			dst = f.events.AppendEvents(dst, lane, from, to)
		}
	}
	return dst
}

// EventsSince returns the time from which on all events are kept. A lane that a copy lacks did not exist yet.
func (j *joinedFrames) EventsSince(lane report.LaneID) (since platform.Ticks, kept bool) {
	for _, f := range slices.Backward(j.frames) {
		from, there := f.events.EventsSince(lane)
		if !there {
			if !kept {
				since = f.To
			}
			return since, kept
		}
		since, kept = from, true
		if from > f.From {
			return since, kept
		}
	}
	return since, kept
}

// lateFrame is a frame of the history that was busy within its budget, but waited beyond it: for its workers, a lock or
// the display. The slowest frames are chosen by their busy time, so they do not include it.
type lateFrame struct {
	seq    uint64
	length float64 // ms
}

// keepLate stores a frame that waited beyond its budget, if it is one of the longest of the history. It stores as many
// frames as there are kept slow frames.
func (r *Reader) keepLate(p *history.Frame) bool {
	k := &r.Copies
	if report.PaceOf(p.Over, p.LengthMS, r.Budget) != report.PaceWaited {
		return false
	}
	first := r.Past.First()
	k.late = resize.Delete(k.late, func(f lateFrame) bool { return f.seq < first })
	if n := r.Slowest.Limit(); n == 0 {
		return false
	} else if len(k.late) >= n {
		least := k.leastLate()
		if k.late[least].length >= p.LengthMS {
			return false
		}
		k.late = slices.Delete(k.late, least, least+1)
	}
	k.late = append(k.late, lateFrame{p.Seq, p.LengthMS})
	return true
}

// leastLate returns the index of the shortest late frame. The list must not be empty.
func (k *Copies) leastLate() (least int) {
	for i := range k.late {
		if k.late[i].length < k.late[least].length {
			least = i
		}
	}
	return least
}

// nearLate reports whether a frame is a late one, or near one.
func (k *Copies) nearLate(seq uint64) bool {
	return slices.ContainsFunc(k.late, func(f lateFrame) bool { return history.Near(f.seq, seq) })
}

// dropLate drops the copies around the shortest late frame, but keeps copies near a given frame. It returns false if
// there is nothing to drop.
func (r *Reader) dropLate(but *history.Frame) bool {
	k := &r.Copies
	for len(k.late) > 0 {
		least := k.leastLate()
		gone := k.late[least].seq
		k.late = slices.Delete(k.late, least, least+1)
		if history.Near(gone, but.Seq) {
			continue
		}
		if r.dropCopies(func(f *timedFrame) bool {
			return history.Near(gone, f.Seq) && !history.Near(f.Seq, but.Seq) && !k.nearLate(f.Seq) &&
				r.Slowest.NearLate(f.Seq) == nil
		}) > 0 {
			return true
		}
	}
	return false
}
