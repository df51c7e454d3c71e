package viewer

import (
	"strings"
	"sync"
	"time"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// shared is what the parts of a panel share: the session, the data of the picture, the kit to draw it, and the options.
// A part knows no other part.
type shared struct {
	mu      sync.Mutex       // of the panel and its parts
	session *process.Session // nil for a test's stand-in
	view    *process.View    // of the session; nil for a test's stand-in
	source  scene.Source     // the view, or a test's stand-in
	serial  uint64           // counts the user's changes, and moves of the mouse
	changes uint64           // counts the user's changes
	options Options

	canvas canvas.Canvas
	scene  scene.Scene
	at     regions // places of the parts in the last Draw

	hitAt    func(x, y float32) Hit   // see Panel.HitAt
	remember func(before report.View) // see Panel.keepView

	overlay overlays // what lies over the screen

	commands  []Command // nil: the table of all commands
	keys      []KeyHint
	names     []KeyName         // of SetKeys
	places    bool              // keys have their places on a US layout: the window delivers no characters
	keyOf     map[string]string // first key by command, as the keyboard has it
	commandOf map[string]string // command by key

	typing bool     // characters are typed into the filter of the table or of the list
	marked []uint64 // frames of the list, which the history marks
	costly bool     // a row of the last Draw is marked "!"

	note     string
	noteEnds time.Time // end of the note's time
	messages []message
}

// overlays is what lies over the screen: an open menu, a page of the help, a step of the guided look.
type overlays struct {
	menu menuKind
	page int // page 0 is closed, page 1 has the signs
	step int // of guideSteps; 0: none
}

// change applies a change by the user.
func (s *shared) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	s.changes++
	f()
}

// arrange changes the arrangement of the session's reports.
func (s *shared) arrange(change func(a *report.Arrangement)) {
	s.change(func() { s.source.Arrange(change) })
}

// arrangement returns the arrangement of the session's reports.
func (s *shared) arrangement() report.Arrangement { return s.source.Get().Arrangement }

// keyName returns the first key of a command, "" if it has no key.
func (s *shared) keyName(command string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keyOf[command]
}

// helpKey returns the key of the help. The lock is held.
func (s *shared) helpKey() string {
	if key := s.keyOf["help"]; key != "" {
		return key
	}
	return "?"
}

// focusKey returns the key that gives the panel the focus, "" if it has the focus.
func (s *shared) focusKey() string {
	if s.options.Focused {
		return ""
	}
	for i := range s.keys {
		if s.keys[i].Action == FocusAction {
			return s.keys[i].Keys
		}
	}
	return ""
}

// allCommands is Commands. The lock is held. A program that only sets a panel's options makes no table.
func (s *shared) allCommands() []Command {
	if s.commands == nil {
		return commands()
	}
	return s.commands
}

// Options returns the options in force. Defaults replace zeros.
func (s *shared) Options() Options {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.options
}

// warning returns a warning of the report. It points to rows marked "!" only if one is in sight.
func (s *shared) warning(i int) string {
	w := s.scene.Report.Warnings[i]
	if s.costly {
		return w
	}
	return strings.TrimSuffix(w, report.SeeMarked)
}

// showTimeline shows the timeline, if it is hidden.
func (s *shared) showTimeline() {
	if s.options.Timeline == TimelineHidden {
		s.options.Timeline = TimelineShown
	}
}

// copy copies a text to the clipboard, and shows a note. Without a clipboard it does nothing: see Options.
func (s *shared) copy(text, note string) {
	s.mu.Lock()
	f := s.options.Clipboard
	s.mu.Unlock()
	if f == nil || text == "" {
		return
	}
	s.Note(note)
	f(text)
}

// color gives new zones their colours.
func (s *shared) color() {
	s.scene.LearnNames()
	s.scene.LearnColors()
	s.canvas.Theme = s.options.Theme
}

// boundTo returns the command of a key.
func (s *shared) boundTo(key string) (c Command, bound bool) {
	s.mu.Lock()
	name, bound := s.commandOf[key]
	s.mu.Unlock()
	if !bound {
		return c, false
	}
	return s.Command(name)
}

// Command returns the command of a name. ok is false for an unknown name. Any goroutine may call it.
func (s *shared) Command(name string) (c Command, ok bool) {
	commands := s.Commands()
	at := commandOf(commands, name)
	if at < 0 {
		return c, false
	}
	return commands[at], true
}

// Commands returns the commands of the panel in the order of the help: the table of all commands, and those that
// AddCommand added. The slice is shared; do not change it. Any goroutine may call it.
func (s *shared) Commands() []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.allCommands()
}

// listens reports whether keys and mouse control the panel.
func (s *shared) listens() bool {
	o := s.Options()
	return o.Mode != PanelOff && o.Focused
}

// accepts reports whether the panel would run a command now. A hidden panel runs only commands that show it.
func (s *shared) accepts(c *Command) bool {
	o := s.Options()
	if o.Mode == PanelOff {
		return c.Always && c.Name != "focus"
	}
	return c.Always || o.Focused
}

// SetHover sets the position of the mouse in pixels. The panel highlights the part under it. NaN means outside the
// screen.
func (s *shared) SetHover(x, y float32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := canvas.At(x, y, true)
	if !canvas.Finite(x) || !canvas.Finite(y) {
		at = canvas.Point{}
	}
	if s.canvas.Hover != at {
		s.canvas.Hover, s.canvas.Tip.Moved, s.canvas.Tip.Ended = at, s.now(), false
		s.serial++
	}
}

// endTip hides the tip of the place under the mouse until the mouse moves, and the tip of the shown frame. Call it when
// the user presses a button or turns the wheel: the tip would hide the change. Any goroutine may call it.
func (s *shared) endTip() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.canvas.Tip.End()
	s.serial++
}

// Session returns the session of the panel.
func (s *shared) Session() *process.Session { return s.session }
