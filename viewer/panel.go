package viewer

import (
	"sync"

	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process"
)

// PanelMode is how much of the screen a Panel covers.
type PanelMode uint8

// The panel modes, in the order of the command "cycle".
const (
	PanelOff            PanelMode = iota
	PanelHUD                      // one line
	PanelReportAndGraph           // a translucent table and history over the host's picture
	PanelFull                     // the whole screen
	numPanelModes       = iota
)

// KeyHint is one line of the help: the keys, with spaces between them, and their effect.
type KeyHint struct {
	Keys, Action string
	Words        string // more words, for the help; "" is Action
	last         string // last of the Keys
}

// A Panel is the screen of one session. It keeps the user's settings, and the places of all that the last Draw drew.
// Any goroutine may call its methods. PanelFor makes panels; the zero value cannot be used.
type Panel struct {
	mu        sync.Mutex
	session   *process.Session
	serial    uint64 // counts the user's changes, and moves of the mouse
	changes   uint64 // counts the user's changes
	hold      hold
	colors    zonecolor.Colors
	again     again
	disabled  bool // shows the notice of a program with the profiler compiled out
	source    source
	options   Options
	help      help
	guide     guide
	note      string
	noteDraws int // number of Draws that still show the note
	commands  []Command
	keys      []KeyHint
	keyOf     map[string]string // first key by command
	visited   visited

	canvas canvas
	shown  shown
	strip  strip
	table  table
	menu   menu
	card   zoneCard
	ice    iceView

	pinned  pinned
	slowest slowest
	memory  memory
	values  valueStrip

	timeline timeline
	verdict  verdictLine
}

// newPanel returns a panel of a source: a session, or a test's stand-in.
func newPanel(s source) *Panel {
	p := &Panel{source: s, options: Options{Precision: 2, Scale: 1}}
	p.table.arranger.Steady, p.table.arranger.FoldIdle = true, true
	return p
}

// toggleHelp shows the list of keys over the screen. Further calls show its other pages, and then hide it.
func (p *Panel) toggleHelp() { p.change(func() { p.help.next() }) }

// Scroll moves the cursor of the open menu, or else the table, by a number of rows, down if above 0. It stops at the
// ends.
func (p *Panel) Scroll(rows int) {
	p.change(func() {
		if p.menu.kind != menuNone {
			p.menu.step(rows)
			return
		}
		p.table.scroll(rows)
		p.changes-- // the rows may stay as they are
	})
}

// SetHover sets the position of the mouse in pixels. The panel highlights the part under it. A NaN is nowhere.
func (p *Panel) SetHover(x, y float32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := point{x, y, true}
	if !finite(x) || !finite(y) {
		at = point{}
	}
	if p.canvas.hover != at {
		p.canvas.hover, p.canvas.tip.rested = at, 0
		p.serial++
	}
}

// Settling reports whether another Draw of the same data would look different, because a scale still moves, for
// example. A host that draws only on changes goes on drawing until it is false.
func (p *Panel) Settling() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settling()
}

func (p *Panel) settling() bool {
	moving := p.strip.moving || p.memory.bytes.moving || p.memory.heap.moving || p.ice.moving ||
		p.strip.others.scale.moving ||
		p.timeline.view.moving || p.timeline.search.direction != 0
	moving = moving || p.strip.unfit(p.canvas.em) || p.strip.grown || p.table.remarked
	moving = moving || p.card.open && p.card.code.open && p.card.code.pending(p.shown.Zone(p.card.zone))
	return moving || p.noteDraws > 0 || p.shown.late || p.canvas.tip.waiting()
}

// change applies a change by the user.
func (p *Panel) change(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serial++
	p.changes++
	f()
}
