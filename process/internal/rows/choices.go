package rows

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// choices makes the parts of a report that only a view with choices of its own has: another mode, a lane, a lens, a
// pinned path, an arrangement. A Builder has none before the first choice, so the linker leaves their code out of
// programs that only write reports.
type choices struct {
	made    bool
	list    func(b *Builder, v *report.View)
	parts   func(b *Builder, out *report.Record, r *row, v *report.View, want report.ColumnSet)
	excess  func(b *Builder, out *report.Record, r *row)
	arrange func(b *Builder, r *report.Report, v *report.View)
	load    func(k *store.Looker, v *report.View) *history.Frame
	explain func(k *store.Looker, dst *report.Verdict, v *report.View) bool
	busy    func(b *Builder, v *report.View, p *history.Frame) float64
	follow  func(k *store.Looker, id report.LaneID) *history.LaneHistory
}

// Choose makes the Builder ready for views with any choices. All that changes a view calls it first.
func (b *Builder) Choose() {
	if !b.choices.made {
		b.choices = choices{true, listAny, (*Builder).addPartHistory, (*Builder).addExcess,
			(*Builder).arrangeLines, (*store.Looker).LoadLens, (*store.Looker).ExplainLens, (*Builder).busyIn,
			(*store.Looker).FollowLane}
	}
}

// held returns a view in the Builder's memory: one on the stack would move to the heap, because choices are called
// through variables.
func (b *Builder) held(v *report.View) *report.View {
	if v == &b.View {
		return &b.View
	}
	b.other = *v
	return &b.other
}

// through reports whether a view has a lens in force.
func (c *choices) through(v *report.View) bool { return c.made && v.Through() }
