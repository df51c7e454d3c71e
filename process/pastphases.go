package process

import (
	"sort"

	"example.com/iprof/gather"
)

// collectPhases fills in the collector's times of the columns.
func collectPhases(p *Past, h *history, states *laneStates) {
	for i := range p.Columns {
		p.Columns[i].Collector = CollectorTime{}
	}
	if len(p.Columns) == 0 {
		return
	}
	end := h.at(p.Columns[len(p.Columns)-1].To - 1).to
	states.eachOfCollector(end, func(q *gather.LaneState) {
		first := sort.Search(len(p.Columns), func(i int) bool { return h.at(p.Columns[i].To-1).to > q.Begin })
		for i := first; i < len(p.Columns) && h.at(p.Columns[i].From).from < q.End; i++ {
			addPhase(&p.Columns[i], h, q)
		}
	})
}

// addPhase adds the part of a state that lies in the frames of a column.
func addPhase(c *PastColumn, h *history, q *gather.LaneState) {
	for seq := c.From; seq < c.To; seq++ {
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
