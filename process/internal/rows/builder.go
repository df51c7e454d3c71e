package rows

import (
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// Builder makes reports from a store, for one looker. It has the view and the cursor.
type Builder struct {
	store       *store.Store
	Looker      store.Looker
	View        report.View
	pointed     bool           // the user chose a record, or the view has been set
	marked      mark           // the chosen record; not set while only its index is known
	Chosen      bool           // the user chose the record, after the cursor last went to the zone of a cause
	folded      map[int32]bool // paths of the call tree that the user folded or unfolded
	opened      int32          // levels of the call tree that are unfolded by default
	rows        rows           // scratch of reports
	arranger    report.Arranger
	compared    report.Comparison
	grouped     []report.TreeNode // scratch of groupings
	last        report.Report     // scratch of Select and similar calls
	followed    report.Verdict    // scratch of follow
	waits       waitRows          // of the columns of states
	idleOutside bool              // for the report being made: see setIdleOutside
	choices     choices           // of the looker
	other       report.View       // the view of the report being made, if it is not View: see held
}

// New returns the Builder of a new looker.
func New(s *store.Store) Builder { return Builder{store: s, Looker: store.NewLooker(s)} }

// appendMissed appends the warning about frames that are missing in the statistics since Reset.
func (b *Builder) appendMissed(dst []string, want report.ColumnSet) []string {
	t := &b.store.Stats
	if want.And(history.DearEver).Empty() || t.Missed == 0 {
		return dst
	}
	if t.WarningOf != t.Missed {
		t.WarningOf = t.Missed
		t.Warning = "the statistics since Reset lack " + printed.Count(t.Missed, "frame") +
			", too short to take in while nobody looked"
	}
	return append(dst, t.Warning)
}

// Find finds the chosen record and the folded rows by their zones in another tree, which the store will have.
func (b *Builder) Find(in *history.Tree) {
	b.marked.path = in.Same(&b.store.Tree, b.marked.path)
	folded := make(map[int32]bool, len(b.folded))
	for path, is := range b.folded {
		if at := in.Same(&b.store.Tree, path); at >= 0 {
			folded[at] = is
		}
	}
	b.folded = folded
	b.ForgetRows()
}

// ForgetRows forgets all data with numbers of the program's zones and paths.
func (b *Builder) ForgetRows() {
	b.rows, b.compared, b.arranger = rows{}, report.Comparison{}, report.Arranger{}
	b.ForgetFrames()
}

// ForgetFrames forgets all data with sequence numbers of frames: the history has other frames.
func (b *Builder) ForgetFrames() { b.Looker = store.NewLooker(b.store) }
