package process

import (
	"slices"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// lateFrame is a frame of the history that was busy within its budget, but waited beyond it: for its workers, a lock or
// the display. The slowest frames are chosen by their busy time, so it is none of them.
type lateFrame struct {
	seq    uint64
	length float64 // ms
}

// keepLate notes a frame that waited beyond its budget, if it is one of the longest of the history. As many are noted
// as slow frames are kept.
func (r *reader) keepLate(p *history.Frame) bool {
	k := &r.copies
	if report.PaceOf(p.Over, p.LengthMS, r.budget) != PaceWaited {
		return false
	}
	first := r.past.First()
	k.late = slices.DeleteFunc(k.late, func(f lateFrame) bool { return f.seq < first })
	if n := r.slowest.Limit(); n == 0 {
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

// leastLate returns the index of the shortest late frame. There is one.
func (k *copies) leastLate() (least int) {
	for i := range k.late {
		if k.late[i].length < k.late[least].length {
			least = i
		}
	}
	return least
}

// nearLate reports whether a frame is a late one, or near one.
func (k *copies) nearLate(seq uint64) bool {
	return slices.ContainsFunc(k.late, func(f lateFrame) bool { return history.Near(f.seq, seq) })
}

// dropLate drops the copies around the shortest late frame, but none near a given frame. It returns false if there are
// none to drop.
func (r *reader) dropLate(but *history.Frame) bool {
	k := &r.copies
	for len(k.late) > 0 {
		least := k.leastLate()
		gone := k.late[least].seq
		k.late = slices.Delete(k.late, least, least+1)
		if history.Near(gone, but.Seq) {
			continue
		}
		if r.dropCopies(func(f *timedFrame) bool {
			return history.Near(gone, f.Seq) && !history.Near(f.Seq, but.Seq) && !k.nearLate(f.Seq) &&
				r.slowest.NearOver(f.Seq) == nil
		}) > 0 {
			return true
		}
	}
	return false
}
