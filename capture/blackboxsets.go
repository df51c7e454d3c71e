package capture

import (
	"math"
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// setBox keeps the frames of another set for a black box, as long as the black box keeps its own frames. Each has a
// quarter of the memory.
type setBox struct {
	of    *BlackBox
	name  string
	from  *ring
	first uint64           // number of the frame of ends[0]
	ends  []platform.Ticks // of the newest frames
}

const setShare = 4

// keepSets begins to keep the frames of the sets that the black box does not know yet.
func (b *BlackBox) keepSets(all []*process.Session) {
	for _, s := range all {
		k := &setBox{of: b, name: s.Sources().Set}
		join(s, func(r *ring) {
			k.from, k.first = r, r.next
			r.boxes = append(r.boxes, k)
		})
		b.from.mu.Lock()
		late := b.closed
		if !late {
			b.sets = append(b.sets, k)
		}
		b.from.mu.Unlock()
		if late {
			k.close()
		}
	}
}

// close keeps no more frames.
func (k *setBox) close() {
	k.from.leave(func() {
		k.from.boxes = slices.DeleteFunc(k.from.boxes, func(other box) bool { return other == k })
	})
}

// seeSets takes what the sets need to know of a frame. The ring's mutex is held.
func (b *BlackBox) seeSets(f *gather.Frame, all []*process.Session) {
	if len(all) == 0 {
		return
	}
	if b.begins = append(b.begins, f.Begin); len(b.begins) > b.options.Before+2*b.options.After+1 {
		b.begins = b.begins[1:]
	}
	b.oldest.Store(int64(b.begins[0]))
	if n := b.known; n < len(all) {
		b.known = len(all)
		go b.keepSets(all[n:])
	}
}

func (k *setBox) see(f *gather.Frame, _ *process.Judged) { k.ends = append(k.ends, f.End) }

func (k *setBox) leave() { k.first, k.ends = k.from.next, nil }

func (k *setBox) memory() int { return k.of.options.Memory / setShare }

func (k *setBox) needs() uint64 {
	for oldest := platform.Ticks(k.of.oldest.Load()); len(k.ends) > 0 && k.ends[0] < oldest; {
		k.first, k.ends = k.first+1, k.ends[1:]
	}
	return max(k.first, k.from.window(k.memory(), math.MaxInt))
}

// setShot is what a file has of a set.
type setShot struct {
	shot
	name string
	ring *ring
	ends []platform.Ticks // of the frames from shot.from on
}

// shots keeps what the sets have now for a file. The mutex of the black box's ring is held, and those of the sets are
// locked after it.
func (b *BlackBox) shots() (all []*setShot) {
	for _, k := range b.sets {
		k.from.mu.Lock()
		s := &setShot{shot: shot{info: b.info, session: k.from.session, from: k.first}, name: k.name, ring: k.from,
			ends: k.ends}
		s.segments, s.calls = k.from.use(k.first), k.from.encoder.WholeCalls()
		k.from.mu.Unlock()
		all = append(all, s)
	}
	return all
}

// write writes the frames that are between two times in part.
func (s *setShot) write(w *framefile.Writer, begin, end platform.Ticks) error {
	defer func() {
		s.ring.mu.Lock()
		defer s.ring.mu.Unlock()
		s.ring.disuse(s.segments)
	}()
	at := sort.Search(len(s.ends), func(i int) bool { return s.ends[i] > begin })
	to := sort.Search(len(s.ends), func(i int) bool { return s.ends[i] >= end })
	s.to = s.from + uint64(min(to+1, len(s.ends)))
	s.from += uint64(at)
	if len(s.segments) == 0 || s.from >= s.to {
		return nil
	}
	s.ring.fill(s.to)
	s.parts = s.ring.partsOf(s.segments)
	_, err := s.encode(w.Set(s.name), nil)
	return err
}

// closeSets keeps no more frames of other sets. The black box is closed.
func (b *BlackBox) closeSets() {
	b.from.mu.Lock()
	sets := b.sets
	b.sets = nil
	b.from.mu.Unlock()
	for _, k := range sets {
		k.close()
	}
}
