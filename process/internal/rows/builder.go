package rows

import (
	"fmt"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// Builder makes reports from a store, for the view that is shown.
type Builder struct {
	store.Store
	View        report.View
	pointed     bool // the user chose a record, or the view has been set
	marked      mark // the chosen record; not set while only its index is known
	Chosen      bool // the user chose the record, after the cursor last went to the zone of a cause
	ZoneBudgets zoneBudgets
	Waited      map[report.ZoneID]float64 // see report.HotZones
	folded      map[int32]bool            // paths of the call tree that the user folded or unfolded
	rows        rows                      // scratch of reports
	arranger    report.Arranger
	compared    report.Comparison
	grouped     []report.TreeNode // scratch of groupings
	last        report.Report     // scratch of Select and similar calls
	followed    report.Verdict    // scratch of follow
	waits       waitRows          // of the columns of states
	idleOutside bool              // for the report being made: see setIdleOutside
	Forgotten   string            // the warning about frames that were forgotten without a Reset, or ""
	Joined      uint64            // number of Updates that ended no frame: see front

	// Unfinished returns the running program's first frame, which has not ended, for programs that never call Update.
	// It is nil in other sessions, and returns nil without a frame.
	Unfinished func() *history.Frame
}

// appendMissed appends the warning about frames that are missing in the statistics since Reset.
func (s *Builder) appendMissed(dst []string, want report.ColumnSet) []string {
	t := &s.Stats
	if want.And(report.DearEver).Empty() || t.Missed == 0 {
		return dst
	}
	if t.WarningOf != t.Missed {
		t.WarningOf = t.Missed
		t.Warning = fmt.Sprintf("%d frames are not in the statistics since Reset: "+
			"they were too short to take them in while nobody looked", t.Missed)
	}
	return append(dst, t.Warning)
}

// TakeRows takes over the choices of another Builder. It finds the user's choices in the other's tree by their zones.
func (s *Builder) TakeRows(o *Builder) {
	s.marked.path = o.Tree.Same(&s.Tree, s.marked.path)
	folded := make(map[int32]bool, len(s.folded))
	for path, is := range s.folded {
		if at := o.Tree.Same(&s.Tree, path); at >= 0 {
			folded[at] = is
		}
	}
	s.folded = folded
	s.ForgetRows()
	s.rows, o.rows = o.rows, s.rows
}

// ForgetRows forgets all data with numbers of the program's zones and paths.
func (s *Builder) ForgetRows() {
	s.rows, s.compared, s.arranger = rows{}, report.Comparison{}, report.Arranger{}
}
