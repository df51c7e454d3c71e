package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// Options are the settings of a panel that the program, its user or a settings file chooses. The zero value has the
// defaults.
type Options struct {
	Mode    PanelMode // how much of the screen the panel covers; values beyond PanelFull are PanelFull
	Focused bool      // keys and mouse control the panel; without the focus they belong to the host

	Title     string       // the program's title in the header
	Precision int          // decimals of milliseconds, 1..4; 0 is 2
	Theme     draw.Theme   // values beyond the last theme are the first
	Scale     float32      // multiplies the screen's own scale: 0.75..3 in steps of 1/8; 0 is 1
	Second    Second       // the strip below the history; values beyond the last are SecondNone
	Timeline  TimelineMode // values beyond the last are TimelineHidden

	HideHeat      bool // numbers that change fast have no colour of their own
	HideCollector bool // no bands and marks where the garbage collector worked

	// Columns are the columns of the table: those of reports, ColumnBar and ColumnSpark. Their order is fixed. A narrow
	// table leaves some out. Unknown columns are ignored. None at all stand for the usual ones. Do not change the
	// elements of a slice that Options returned.
	Columns []process.Column

	// Clipboard copies text to the clipboard. If it is nil, nothing can be copied.
	Clipboard func(text string)

	// Saver writes a file, at once or later. It calls Note with the name of the file, or with the error. If it is
	// nil, nothing can be saved.
	Saver func(what Save)

	// Source returns the function that enters a zone, for the zone's card. While it is being read it returns nil, and
	// is asked again: Draw calls it, so it must not wait, nor use the panel. Package source has one that reads files.
	Source func(zone gather.ZoneInfo) *process.Code

	// Editor opens a file at a line, in the editor of the user. It calls Note with the error, if there is one. If it is
	// nil, the panel opens none. The file is what the frames say: those of a capture may be anybody's.
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
	o.Second, o.Timeline = o.Second%numSeconds, o.Timeline%numTimelineModes
	if !(o.Scale > 0) {
		o.Scale = 1
	}
	o.Scale = draw.Snap(min(max(o.Scale, leastScale), greatestScale)*8) / 8
}

// Options returns the options in force. Defaults replace zeros.
func (p *Panel) Options() Options {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.options
}

// Change changes some options and keeps the others. Values out of range are clamped. The function must not use the
// panel.
func (p *Panel) Change(f func(o *Options)) {
	p.change(func() {
		f(&p.options)
		p.options.clamp()
		p.table.chosen = columnsOf(p.options.Columns)
		p.options.Columns = p.table.chosen.list()
		p.timeline.mode = p.options.Timeline
		p.strip.noCollector, p.timeline.noCollector = p.options.HideCollector, p.options.HideCollector
		p.card.code.source, p.card.known = p.options.Source, false
		p.table.cool = p.options.HideHeat
		p.card.opens = p.options.Editor != nil
	})
}
