package process

import (
	"slices"

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
func (r *reader) keepLate(p *pastFrame) bool {
	k := &r.copies
	if report.PaceOf(p.Over, p.length, r.budget) != PaceWaited {
		return false
	}
	first := r.past.first()
	k.late = slices.DeleteFunc(k.late, func(f lateFrame) bool { return f.seq < first })
	if n := r.slowest.limit(); n == 0 {
		return false
	} else if len(k.late) >= n {
		least := k.leastLate()
		if k.late[least].length >= p.length {
			return false
		}
		k.late = slices.Delete(k.late, least, least+1)
	}
	k.late = append(k.late, lateFrame{p.seq, p.length})
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
	return slices.ContainsFunc(k.late, func(f lateFrame) bool { return near(f.seq, seq) })
}

// dropLate drops the copies around the shortest late frame, but none near a given frame. It returns false if there are
// none to drop.
func (r *reader) dropLate(but *pastFrame) bool {
	k := &r.copies
	for len(k.late) > 0 {
		least := k.leastLate()
		gone := k.late[least].seq
		k.late = slices.Delete(k.late, least, least+1)
		if near(gone, but.seq) {
			continue
		}
		if r.dropCopies(func(f *timedFrame) bool {
			return near(gone, f.seq) && !near(f.seq, but.seq) && !k.nearLate(f.seq) && r.slowest.nearOver(f.seq) == nil
		}) > 0 {
			return true
		}
	}
	return false
}
