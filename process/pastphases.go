package process

import (
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
)

// collectPhases fills in the collector's times of the columns.
func collectPhases(p *Past, h *history.Ring, states *history.States) {
	for i := range p.Columns {
		p.Columns[i].Collector = CollectorTime{}
	}
	if len(p.Columns) == 0 {
		return
	}
	end := h.At(p.Columns[len(p.Columns)-1].To - 1).To
	states.EachOfCollector(end, func(q *gather.LaneState) {
		first := sort.Search(len(p.Columns), func(i int) bool { return h.At(p.Columns[i].To-1).To > q.Begin })
		for i := first; i < len(p.Columns) && h.At(p.Columns[i].From).From < q.End; i++ {
			addPhase(&p.Columns[i], h, q)
		}
	})
}

// addPhase adds the part of a state that lies in the frames of a column.
func addPhase(c *PastColumn, h *history.Ring, q *gather.LaneState) {
	for seq := c.From; seq < c.To; seq++ {
		f := h.At(seq)
		ms := float32(float64(min(q.End, f.To)-max(q.Begin, f.From)) * f.PerTick)
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
