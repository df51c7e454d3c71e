package draw

import (
	"sync"

	"example.com/iprof/process"
)

// PanelMode is how much a Panel shows.
type PanelMode uint8

// The panel modes, in the order Cycle goes through.
const (
	Off            PanelMode = iota
	HUD                      // one line
	ReportAndGraph           // a translucent table and history over the host's picture
	Full                     // the whole screen
	numPanelModes  = iota
)

// KeyHint is one line of help: the keys, apart by spaces, and what they do.
type KeyHint struct {
	Keys, Action string
	Words        string // for the help, where there is room for more words; none: Action
}

// Panel is the display of one session: what it shows, and where on the screen that was last drawn. Its methods may be called
// from any goroutine.
type Panel struct {
	mu        sync.Mutex
	session   *process.Session
	serial    uint64 // of the last change by the user
	again     again
	disabled  bool // as if compiled out
	source    source
	mode      PanelMode
	focused   bool
	help      help
	precision int
	theme     Theme
	uiScale   float32 // 0: 1
	clipboard func(string)
	saver     func(Save)
	note      string
	noteDraws int // for how many it still stays
	title     string
	keys      []KeyHint

	canvas canvas
	shown  shown
	strip  strip
	table  table
	menu   menu
	card   zoneCard
	second Second
	base   baseline
	ice    iceView

	pinned  pinned
	slowest slowest
	memory  memory
	values  valueStrip

	timeline timeline
}

// newPanel returns a panel over anything that answers like a session.
func newPanel(s source) *Panel { return &Panel{source: s, precision: 2} }

// Mode returns how much is shown. A new panel is Off.
func (p *Panel) Mode() PanelMode {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mode
}

// SetMode chooses how much is shown; values beyond Full are Full.
func (p *Panel) SetMode(m PanelMode) { p.change(func() { p.mode = min(m, Full) }) }

// Cycle goes on to the next mode: off, HUD, report and graph, full, off.
func (p *Panel) Cycle() { p.change(func() { p.mode = (p.mode + 1) % numPanelModes }) }

// Focused reports whether keys and mouse belong to the panel rather than to the host.
func (p *Panel) Focused() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.focused
}

// SetFocused gives keys and mouse to the panel or back to the host.
func (p *Panel) SetFocused(focused bool) { p.change(func() { p.focused = focused }) }

// ToggleFocus turns Focused round.
func (p *Panel) ToggleFocus() { p.change(func() { p.focused = !p.focused }) }

// Precision returns the decimals of milliseconds: 2 at first.
func (p *Panel) Precision() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.precision
}

// SetPrecision sets the decimals of milliseconds, clamped to 1..4; 0 is 2.
func (p *Panel) SetPrecision(decimals int) {
	p.change(func() { p.precision = clampPrecision(decimals) })
}

// Theme returns the colours in use.
func (p *Panel) Theme() Theme {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.theme
}

// SetTheme chooses the colours; values beyond the last theme are the first.
func (p *Panel) SetTheme(t Theme) { p.change(func() { p.theme = t % numThemes }) }

// ToggleHelp shows the keys over the screen, or hides them. Where they do not fit, it turns the page first.
func (p *Panel) ToggleHelp() { p.change(func() { p.help.next() }) }

// SetTitle names the program in the full screen's header.
func (p *Panel) SetTitle(program string) { p.change(func() { p.title = program }) }

// SetKeys sets the help. The first lines that fit stand in the footer. The slice is copied.
func (p *Panel) SetKeys(keys []KeyHint) {
	p.change(func() { p.keys = append(p.keys[:0:0], keys...) })
}

// Scroll moves the table by so many rows, down if above 0; it stops at the ends.
func (p *Panel) Scroll(rows int) { p.change(func() { p.table.scroll(rows) }) }

// SetHover says where the mouse is, in pixels: what lies there is highlighted. NaN is nowhere.
func (p *Panel) SetHover(x, y float32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := (point{x, y, true}); p.canvas.hover != at {
		p.canvas.hover, p.canvas.tip.rested = at, 0
		p.serial++
	}
}

// Settling reports whether another Draw of the same data would look different: scales that still ease. A host that draws
// only when something changed goes on drawing until it is false.
func (p *Panel) Settling() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settling()
}

func (p *Panel) settling() bool {
	return p.strip.moving || p.memory.bytes.moving || p.memory.heap.moving || p.noteDraws > 0 || p.ice.moving || p.timeline.view.moving || p.shown.late || p.canvas.tip.waiting()
}

func (p *Panel) change(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serial++
	f()
}
