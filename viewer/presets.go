package viewer

import (
	"slices"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
)

// preset is a choice of columns for a question.
type preset struct {
	name    string
	key     string
	words   string
	columns []report.Column
}

// presets are the choices for typed commands, the menu of all commands, and the column chooser.
var presets = [...]preset{
	{"time", "", "columns of time: percent, average, p99, max", []report.Column{report.ColumnSelf, report.ColumnHier,
		ColumnBar, report.ColumnSelfPercent, report.ColumnMean, report.ColumnP50, report.ColumnP99, report.ColumnMax,
		ColumnSpark}},
	{"calls", "", "columns of calls: number, time of one, p50, p99, max", []report.Column{report.ColumnSelf,
		report.ColumnHier, report.ColumnCount, report.ColumnSelfPerCall, report.ColumnHierPerCall,
		report.ColumnCallP50, report.ColumnCallP99, report.ColumnCallMax}},
	{memoryPreset, "Alt+A", "columns of memory: which zone allocates", []report.Column{report.ColumnSelf,
		report.ColumnHier, report.ColumnHeapObjects, report.ColumnHeapBytes, report.ColumnAllocs,
		report.ColumnAllocBytes, report.ColumnFrees, report.ColumnFreeBytes}},
	{"waiting", "", "columns of waits: waiting, ready to run, at once", []report.Column{report.ColumnSelf,
		report.ColumnHier, ColumnBar, report.ColumnWaiting, report.ColumnRunnable, report.ColumnAtOnce,
		report.ColumnWaited, ColumnSpark}},
}

// presetCommands returns a command for each choice of columns.
func presetCommands() (list []Command) {
	for i := range presets {
		list = append(list, Command{Name: "columns-" + presets[i].name, Keys: presets[i].key, Group: GroupRows,
			Action: presets[i].words, Do: presetColumns(&presets[i])})
	}
	return list
}

// presetColumns shows the columns of a choice, in the window and on pages of text.
func presetColumns(c *preset) action {
	return func(s *process.Session, p *Panel) {
		columns, order := c.columns, report.Order{}
		if c.name == memoryPreset {
			order = report.Order{Chosen: true, By: report.ColumnHeapBytes}
			if s != nil {
				columns, order.By = memoryOf(s, p, columns)
			}
		}
		if columns == nil {
			return
		}
		keepLook(p)
		p.Change(func(o *Options) { o.Columns = columns })
		if p.table.resort(columns); order.Chosen {
			p.arrange(func(a *report.Arrangement) { a.Order = order })
		}
	}
}

// memoryPreset is the choice of columns of memory.
const memoryPreset = "memory"

// memoryOf leaves out the columns of memory that no zone has in any frame, and returns the column that orders the rows.
// If no zone has memory, it shows that of the frames instead, and says how zones get it.
func memoryOf(s *process.Session, p *Panel, columns []report.Column) (some []report.Column, by report.Column) {
	r, v := report.Report{Want: report.ColumnsOf(columns...)}, p.view.Get()
	v.Mode, v.Lens = report.ReportSelfTime, report.Lens{Kind: report.LensAll}
	p.view.AppendReportOf(&r, v)
	has := func(c report.Column) bool {
		return slices.ContainsFunc(r.Records, func(r report.Record) bool { return r.Values[c] > 0 })
	}
	zones := s.MemoryMode() >= gather.MemoryHeapPerZone
	heap, own := zones || has(report.ColumnHeapBytes), has(report.ColumnAllocBytes)
	switch key := p.keyName("memory"); {
	case !heap && !own:
		p.Change(func(o *Options) { o.Strip = StripMemory })
		p.Note("only frames have their memory here: the memory mode zone (" + key + " in the program) measures zones")
		return nil, 0
	case heap:
		by = report.ColumnHeapBytes
	default:
		by = report.ColumnAllocBytes
	}
	return slices.DeleteFunc(slices.Clone(columns), func(c report.Column) bool {
		return !heap && slices.Contains(report.HeapColumns, c) || !own && slices.Contains(report.OwnColumns, c)
	}), by
}

// resort ends an order by a hidden column.
func (t *tablePart) resort(shown []report.Column) {
	t.arrange(func(a *report.Arrangement) {
		if a.Order.Chosen && a.Order.By != ColumnName && !slices.Contains(shown, a.Order.By) {
			a.Order = report.Order{}
		}
	})
}

// presetButtons draws a button for each choice, and one for the usual columns, in the head of the column chooser. It
// returns the x at which they begin.
func (m *menuPart) presetButtons(c *canvas.Canvas, head canvas.Rect) (x float32) {
	x = head.X1
	row := head.Inset(0, 3*c.Em)
	for i := len(presets) - 1; i >= 0; i-- {
		x = c.Button(x, head.X0+110*c.Em, row, presets[i].name, "columns-"+presets[i].name)
	}
	return c.Button(x, head.X0+110*c.Em, row, "usual", "usual-columns")
}

// presetOf returns the columns of reports in the choice of a name.
func presetOf(name string) (columns []report.Column, ok bool) {
	for i := range presets {
		if strings.EqualFold(presets[i].name, name) {
			for _, c := range presets[i].columns {
				if c < report.NumColumns {
					columns = append(columns, c)
				}
			}
			return columns, true
		}
	}
	return nil, false
}

// firstScreen is the screen that the panel began with by itself. The zero value is that of a new panel.
type firstScreen struct {
	kind     report.Kind
	view     report.View
	timeline TimelineMode
	left     bool // somebody has chosen another view since
}

// ShowFirst shows what a user of the program asks first, by its report.Kind. Of a server: routes, those with the
// slowest calls first. Of a command and a profile: the call structure and the tree of the whole run, in sums. Of a
// trace: the timeline of all goroutines. Of a game: the newest frame. It does nothing without frames. Nor does it once
// the view, the order of the rows or the timeline is another than that of a new panel or of the last call. A host calls
// it after frames have arrived, as often as it likes: the kind of a running program shows with its frames. Any
// goroutine may call it.
func (p *Panel) ShowFirst() {
	p.mu.Lock()
	first, timeline, answer := p.first, p.options.Timeline, p.answer.Open
	p.mu.Unlock()
	if first.left {
		return
	}
	now, info := p.view.Get(), p.view.Info()
	if !sameView(now, first.view) || now.Order != first.view.Order || timeline != first.timeline || answer {
		first.left = true
	} else if info.Frames == 0 || info.Kind == first.kind {
		return
	} else {
		first.choose(info.Kind, now)
		p.view.Set(first.view)
		p.view.MoveCursor(-farAway) // to the first line
	}
	p.change(func() {
		if p.first = first; !first.left {
			p.options.Timeline = first.timeline
			if first.timeline != TimelineHidden && !p.timeline.View.Joined() && p.timeline.FitHistory() {
				p.strip.All(int(min(info.Frames, farAway)))
			}
		}
	})
}

// choose chooses the screen for a kind.
func (f *firstScreen) choose(kind report.Kind, from report.View) {
	f.kind, f.view, f.timeline = kind, from, TimelineHidden
	v := &f.view
	v.Mode, v.Order, v.Lens = report.ReportCallTree, report.Order{}, kind.Whole()
	switch kind {
	case report.KindServer:
		v.Mode, v.Order = report.ReportHierarchicalTime, report.Order{Chosen: true, By: report.ColumnCallP99}
	case report.KindTrace:
		v.Mode, f.timeline = report.ReportHierarchicalTime, TimelineLarge
	case report.KindGame:
		v.Mode, v.Lens = report.ReportSelfTime, report.Lens{}
	}
}
