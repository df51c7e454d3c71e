package viewer

import (
	"sync"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/scene"
	"example.com/iprof/viewer/internal/table"
)

// PanelMode chooses how much of the screen a Panel covers.
type PanelMode uint8

// The panel modes. The command "cycle" goes from off to report and graph, full, HUD and off.
const (
	PanelOff            PanelMode = iota
	PanelHUD                      // one line
	PanelReportAndGraph           // a translucent table and history over the host's picture
	PanelFull                     // the whole screen
)

// KeyHint is one line of the help: the keys, with spaces between them, and their effect.
type KeyHint struct {
	Keys, Action string
	Words        string // more words, for the help; "" is Action
	last         string // the last of Keys
	group        CommandGroup
	rank         int // 1 for the first of firstCommands, 0 for none of them
}

// A Panel is the screen of one session. It keeps the user's settings, and the places of the parts in the last Draw. Any
// goroutine may call its methods. PanelFor makes panels; the zero value is not valid.
type Panel struct {
	shared
	unlettered bool // new characters wait for the next Draw
	frozen     frozenPicture
	rest       rowRest
	last       lastPicture
	first      firstScreen
	saving     bool // the act under way saves a file
	pointer    mouse
	text       typing
	drawn      bool // the panel has been drawn: see keepEvents
	disabled   bool // shows the notice of a program with the profiler compiled out
	help       helpPart
	guide      guidePart
	history    viewHistory
	search     slowestSearch

	strip historyPart
	table tablePart

	inSight func(dst []int32) []int32 // see process.SnapshotOptions

	menu menuPart
	card cardPart
	ice  structurePart

	header  headerPart
	notices noticePart
	hud     hudPart

	timeline timelinePart
	listed   listPart
	answer   answerPart
}

// newPanel returns a panel for a source: a session, or a test's stand-in.
func newPanel(s scene.Source) *Panel {
	p := &Panel{shared: shared{source: s, options: Options{Precision: 2, Scale: 1}}}
	for _, of := range []**shared{&p.menu.shared, &p.help.shared, &p.guide.shared, &p.header.shared, &p.notices.shared,
		&p.hud.shared, &p.strip.shared, &p.table.shared, &p.card.shared, &p.ice.shared, &p.timeline.shared,
		&p.listed.shared, &p.answer.shared} {
		*of = &p.shared
	}
	p.table.Arranger.Steady, p.table.Arranger.FoldIdle = true, true
	p.hitAt, p.remember = p.HitAt, p.keepView
	p.inSight = func(dst []int32) []int32 { return p.table.InSight(&p.scene, dst) }
	return p
}

// scroll moves the cursor of the open menu, or else the table, by a number of rows, down if above 0. It stops at the
// ends.
func (p *Panel) scroll(rows int) {
	p.change(func() {
		if p.overlay.menu != menuNone {
			p.menu.step(rows)
			return
		}
		if p.listed.Open {
			p.listed.Scroll(rows)
			return
		}
		p.table.Scroll(rows)
		p.changes-- // the rows may stay as they are
	})
}

// Settling reports whether another Draw of the same data would look different, for example because a scale still moves.
// A host that draws only on changes must go on drawing until it is false.
func (p *Panel) Settling() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settling()
}

func (p *Panel) settling() bool {
	moving := p.strip.Settling(p.canvas.Em) || p.strip.memory.Settling() || p.ice.Moving ||
		p.answer.showsTimeline() && p.timeline.Settling() || p.answer.Pending(&p.scene) || p.table.Remarked ||
		p.table.Missing || p.card.Pending(&p.scene) || !p.scene.Info.Live && p.scene.Overview.Pending > 0
	return moving || p.hasNote() || p.scene.Late || p.unlettered || p.canvas.Tip.Waiting()
}

var panels struct {
	sync.Mutex
	of map[*process.Session]*Panel
}

// PanelFor returns the panel of a session, the same one on each call. The panel and its session live until the program
// ends. The first picture of the default session makes the program keep events (gather.SetEvents, 65,536 for each
// goroutine) if it keeps none, so that a past slow frame has its timeline: see Options.NoEvents. Any goroutine may call
// it.
func PanelFor(s *process.Session) *Panel {
	panels.Lock()
	defer panels.Unlock()
	if p := panels.of[s]; p != nil {
		return p
	}
	if panels.of == nil {
		panels.of = map[*process.Session]*Panel{}
	}
	p := NewPanel(s.View())
	panels.of[s] = p
	return p
}

// NewPanel returns a new panel of a view, such as that of a second window: see [process.NewView]. Its commands act on
// the view and its session. The panel keeps them, and the caller keeps the panel. Any goroutine may call it.
func NewPanel(v *process.View) *Panel {
	p := newPanel(v)
	p.session, p.view = v.Session(), v
	return p
}

// View returns the view that the panel shows. Any goroutine may call it.
func (p *Panel) View() *process.View { return p.view }

// Columns of the table, besides the columns of reports.
const (
	ColumnName         = table.ColumnName         // the zone's name, which is always shown; for SortBy
	ColumnDelta        = table.ColumnDelta        // difference from the baseline, ms
	ColumnDeltaPercent = table.ColumnDeltaPercent // difference from the baseline, percent
	ColumnBar          = table.ColumnBar          // self time within hierarchical time, as a bar
	ColumnSpark        = table.ColumnSpark        // the last 60 frames, as a line
)

// Options are the settings of a panel that the program, its user or a settings file chooses. The zero value means the
// defaults.
type Options struct {
	Mode    PanelMode // how much of the screen the panel covers; values beyond PanelFull are PanelFull
	Focused bool      // keys and mouse control the panel; without the focus they belong to the host

	Title     string       // the program's title in the header
	Waiting   string       // why there are no frames, in place of advice to a program: "not connected: …"
	Precision int          // decimals of milliseconds, 1..4; 0 is 2
	Theme     draw.Theme   // values beyond the last theme are the first
	Scale     float32      // multiplies the screen's own scale: 0.75..3 in steps of 1/8; 0 is 1
	Strip     Strip        // the strip below the history; values beyond the last are StripNone
	Timeline  TimelineMode // values beyond the last are TimelineHidden

	HideHeat      bool // does not colour fast changing numbers
	HideCollector bool // does not draw the bands and marks of the garbage collector
	NoEvents      bool // the first picture of the running program does not make it keep events: see PanelFor

	Finished bool // all frames are those of a file: no command goes on with newer ones, or says so
	Loading  bool // older frames are still being read: totals are marked "so far"; see Loaded
	OnlyWork bool // the call structure and the bars of the table leave out waits

	// Columns are the columns of the table: columns of reports, ColumnBar and ColumnSpark. Their order is fixed. A
	// narrow table leaves some out. Unknown columns are ignored. An empty list means the default columns. Do not change
	// the elements of a slice that Options returned.
	Columns []report.Column

	// KeptZones and KeptLanes are names of zones whose rows are first in flat reports, and of goroutines that stay at
	// the top of the timeline. Do not change the elements of slices that Options returned.
	KeptZones, KeptLanes []string

	// Comments are the user's comments on frames, at most report.MaxComments. Do not change the elements of a slice
	// that Options returned.
	Comments []report.Comment

	// Commented is called with all comments after the user has changed them. If it is nil, comments last as long as the
	// panel.
	Commented func(all []report.Comment)

	// Ask lets the user type a line. words is the question, text the initial text. It calls done with the typed text,
	// or never. If Ask is nil, the panel cannot ask.
	Ask func(words, text string, done func(text string))

	// Now is the clock for tips and notes. nil means the system's clock.
	Now func() time.Time

	// Others returns further entries for the search in the menu of all commands, such as files: with Action and Do. The
	// panel calls it when the menu opens. nil means no further entries.
	Others func() []Command

	// Clipboard copies text to the clipboard. If it is nil, nothing can be copied.
	Clipboard func(text string)

	// Link returns what the command "link" copies: the name or address of what is shown, with "#" and the moment, such
	// as "frame=140&zone=updateWorld". If it is nil, the moment alone is copied.
	Link func(moment string) string

	// Saver writes a file, at once or later. It calls Note with the name of the file, or with the error. If it is
	// nil, nothing can be saved.
	Saver func(what SaveRequest)

	// Source returns the function that enters a zone, for the zone's card. Draw calls it, so it must not wait, nor use
	// the panel. While the file is being read it returns nil, and Draw calls it again. Package source has an
	// implementation that reads files.
	Source func(zone gather.ZoneInfo) *report.Code

	// Editor opens a file at a line in the user's editor. It calls Note with an error. If it is nil, the panel opens no
	// files. The file name comes from the frames: do not trust it if they come from a capture.
	Editor func(file string, line int)
}

// The range of Options.Scale. Atlases have steps of 1/8, too.
const (
	leastScale    = 0.75
	greatestScale = 3
)

// clamp sets the defaults, and clamps values out of range.
func (o *Options) clamp() {
	o.Mode = min(o.Mode, PanelFull)
	o.Precision, o.Theme = draw.ClampPrecision(o.Precision), o.Theme%draw.NumThemes
	o.Strip, o.Timeline = o.Strip%numStrips, o.Timeline%numTimelineModes
	if !(o.Scale > 0) {
		o.Scale = 1
	}
	o.Scale = draw.Snap(min(max(o.Scale, leastScale), greatestScale)*8) / 8
}

// Change lets f change the options. It clamps values out of range. f must not use the panel.
func (p *Panel) Change(f func(o *Options)) {
	p.change(func() {
		f(&p.options)
		p.options.clamp()
		p.table.Chosen = table.ColumnsOf(p.options.Columns)
		p.options.Columns = p.table.Chosen.List()
		p.strip.NoCollector, p.timeline.NoCollector = p.options.HideCollector, p.options.HideCollector
		p.card.SetSource(p.options.Source, p.options.Editor != nil)
		p.answer.SetSource(p.options.Source)
		p.table.Cool = p.options.HideHeat
		p.table.Arranger.First = p.options.KeptZones
		p.timeline.Keep(p.options.KeptLanes)
		p.strip.Ribbon.Loading = p.options.Loading
		p.options.Comments = clampComments(p.options.Comments)
		p.strip.Comments = p.options.Comments
		p.ice.OnlyWork, p.table.OnlyWork = p.options.OnlyWork, p.options.OnlyWork
	})
}
