package tables

import (
	"cmp"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/process/report"
)

// waits adds the waits that ended in chosen frames.
func (r *reading) waits(f *gather.Frame, chosen bool) {
	r.states(f, chosen, func(string) bool { return true })
}

// locks adds the waits for locks.
func (r *reading) locks(f *gather.Frame, chosen bool) { r.states(f, chosen, report.IsLock) }

// states adds the waits whose reason is wanted.
func (r *reading) states(f *gather.Frame, chosen bool, wanted func(reason string) bool) {
	r.past = append(r.past, frameTime{f.Begin, f.End, f.Index, chosen})
	for i := range f.Lanes {
		r.lane(f.Lanes[i].ID, f.Lanes[i].Name)
	}
	for i := range f.States {
		q := &f.States[i]
		if q.Kind != gather.StateWaiting || !wanted(q.Reason) {
			continue
		}
		at := sort.Search(len(r.past), func(i int) bool { return r.past[i].end >= q.End })
		if at == len(r.past) || !r.past[at].chosen || r.past[at].begin > q.End {
			continue
		}
		t := fact{lane: r.lane(q.Lane, ""), frame: r.past[at].index, name: q.Reason, place: q.Place, by: q.By}
		if t.values[0] = float64(q.End-q.Begin) / r.perMS; q.Waker != 0 {
			by := r.lane(q.Waker, "").name
			t.by = cmp.Or(report.Crowd(by), by)
		}
		if q.At != "" && t.by != "" {
			t.by += " at " + q.At
		}
		r.add(&t)
	}
}

// values adds the counts and levels of a frame.
func (r *reading) values(f *gather.Frame, chosen bool) {
	for i := range f.Values {
		v := &f.Values[i]
		if chosen && v.Counter >= 0 && int(v.Counter) < len(f.Counters) {
			r.add(&fact{frame: f.Index, name: f.Counters[v.Counter].Name, values: [7]float64{v.Value}})
		}
	}
}

// marks adds the marks of a frame.
func (r *reading) marks(f *gather.Frame, chosen bool) {
	for i := range f.Lanes {
		r.lane(f.Lanes[i].ID, f.Lanes[i].Name)
	}
	for i := range f.Marks {
		if m := &f.Marks[i]; chosen {
			t := fact{frame: f.Index, name: m.Text, values: [7]float64{float64(m.Time-f.Begin) / r.perMS}}
			if m.Lane != 0 {
				t.lane = r.lane(m.Lane, "")
			}
			r.add(&t)
		}
	}
}

// framesOfSamples notes when the chosen frames began.
func (r *reading) framesOfSamples(f *gather.Frame, chosen bool) {
	if chosen && r.known() {
		r.samples[f.Begin] = true
	}
}

// hot adds the samples of the processor: of the whole capture, or of the slow frames among the chosen ones.
func (r *reading) hot(in *framefile.Reader) {
	h := in.Hot()
	if h == nil {
		return
	}
	if r.choice.Takes == nil && !r.choice.IDs.framed {
		r.hotZones(h.Zones)
		return
	}
	n := 0
	for i := range h.Frames {
		if f := &h.Frames[i]; r.samples[f.Begin] {
			n++
			r.hotZones(f.Zones)
		}
	}
	r.note("samples are known of slow frames only: %d of the chosen %d", uint64(n), r.frames)
}

func (r *reading) hotZones(zones []report.HotLines) {
	for i := range zones {
		z := &zones[i]
		if int(z.Zone) >= len(r.zones) {
			continue
		}
		if r.by != "line" {
			r.add(&fact{zone: z.Zone, values: [7]float64{float64(z.Samples)}})
			continue
		}
		for k := range z.Lines {
			l := &z.Lines[k]
			r.add(&fact{zone: z.Zone, function: l.Function, file: l.File, line: l.Line, text: l.Text,
				values: [7]float64{float64(l.Samples)}})
		}
	}
}
