package process

import (
	"sort"

	"example.com/iprof/gather"
)

// CollectorTime is what the garbage collector did in a frame, or in all frames of a column, in ms. States of an
// execution trace say it; it is all 0 where there is none.
type CollectorTime struct {
	Marking float32 // beside the program
	Assist  float32 // of all goroutines: they worked for the collector
	Stopped float32 // nothing ran
}

// Any reports whether the collector is known to have done anything.
func (c *CollectorTime) Any() bool { return *c != CollectorTime{} }

// collect fills in the collector's times of the columns.
func (p *Past) collect(h *history, states *laneStates) {
	for i := range p.Columns {
		p.Columns[i].Collector = CollectorTime{}
	}
	if len(p.Columns) == 0 {
		return
	}
	end := h.at(p.Columns[len(p.Columns)-1].to - 1).to
	states.eachOfCollector(end, func(q *gather.LaneState) {
		first := sort.Search(len(p.Columns), func(i int) bool { return h.at(p.Columns[i].to-1).to > q.Begin })
		for i := first; i < len(p.Columns) && h.at(p.Columns[i].from).from < q.End; i++ {
			p.Columns[i].collect(h, q)
		}
	})
}

// collect adds the part of a state that lies in the frames of the column.
func (c *PastColumn) collect(h *history, q *gather.LaneState) {
	for seq := c.from; seq < c.to; seq++ {
		f := h.at(seq)
		ms := float32(float64(min(q.End, f.to)-max(q.Begin, f.from)) * f.perTick)
		switch {
		case ms <= 0:
		case q.Kind == gather.StateMarking:
			c.Collector.Marking += ms
		case q.Kind == gather.StateAssist:
			c.Collector.Assist += ms
		default:
			c.Collector.Stopped += ms
		}
	}
}
