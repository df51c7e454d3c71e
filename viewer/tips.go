package viewer

import (
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/table"

	"example.com/iprof/viewer/hit"
)

// drawTip draws the tip that is due, or one for the kind of the place, unless a menu or the help is open.
func (p *Panel) drawTip(screen canvas.Rect) {
	if p.overlay.menu == menuNone && p.overlay.page == 0 && p.overlay.step <= offered {
		p.explainHit()
		p.explainParts()
		p.canvas.DrawTip(screen)
	}
}

// hitTips explain the places that react to the mouse and have no other tip. A title of "" is the zone's name. The
// history, the timeline and the lines of menus and lists are not in it: they have other tips, or are sentences.
var hitTips = [...]struct{ title, words string }{
	hit.Record:  {"", table.RecordTip},
	hit.Caret:   {"", "a click shows what the zone calls, or hides it"},
	hit.Pause:   {"live or paused", "whether the screen goes on to each new frame.\nA click or Space changes that"},
	hit.Legend:  {"", "the zone's colour in the history"},
	hit.Zone:    {"", "calls the zone of the card, or is called by it.\nA click goes there"},
	hit.Slow:    {"slow frame", "one of the slowest frames since the start, by busy time.\nA click shows it"},
	hit.Clear:   {"clear", "a click empties the list of the slowest frames"},
	hit.Compare: {"baseline", "the rows are compared with these frames.\nA click ends that"},
	hit.Structure: {"call structure", "each bar is as wide as the time of its zone,\n" +
		"below its caller. The wheel zooms"},

	hit.Filter:  {"find", "only zones with this text in their name are shown.\nEsc shows all again"},
	hit.Package: {"package", "the sums of the zones of a package.\nA click folds or opens it"},
	hit.Lanes:   {"goroutine", "all numbers are of this goroutine alone.\nA click chooses another"},
	hit.Axis:    {"frames", "how many frames ago. A click or a drag chooses the frame"},

	hit.Spread: {"durations", "a drag over the bars, or a click on a number below them, lists\n" +
		"the frames or the calls of these durations"},

	hit.Ribbon:    {"the whole run", "a drag moves the window, its edges resize it"},
	hit.LateGroup: {"late frames", "a click selects these frames: the keys , and . walk through them"},

	hit.Comment: {"your comment", "a click goes to its frames. Alt+C changes it"},
	hit.Section: {"section", "a section of the run. A click selects its frames"},

	hit.Border: {"border of a column", "a drag changes the width of the column,\na double click resets it"},
	hit.TimelineLane: {"goroutine", "what this goroutine did in the order of time.\n" +
		"A click shows it alone, a right click keeps it at the top"},
}

// explainHit explains the place under the mouse by its kind, if no part of the screen has explained it.
func (s *shared) explainHit() {
	c := &s.canvas
	at := c.AreaAt(c.Hover.X, c.Hover.Y)
	if !c.Hover.Here || at == nil {
		return
	}
	if at.Hit.Kind == hit.Command {
		s.explainCommand(at)
		return
	}
	if int(at.Hit.Kind) >= len(hitTips) || hitTips[at.Hit.Kind].words == "" {
		return
	}
	of := hitTips[at.Hit.Kind]
	if at.Hit.Kind == hit.Package && !s.scene.Report.Grouped() {
		of.title, of.words = "waiting", "the zones that wait, such as for the display, and the\n"+
			"sum of their self times. A click opens them"
	}
	if of.title == "" {
		of.title = s.scene.Zone(at.Hit.Zone).Name
	}
	c.Explain(at.Rect, of.title, of.words)
	c.Tip.Beside = at.Hit.Kind == hit.Legend
}

// explainParts explains the labels and marks without other tips.
func (p *Panel) explainParts() {
	c := &p.canvas
	if !c.Hover.Here || c.HitAt(c.Hover.X, c.Hover.Y).Kind != hit.Panel {
		return
	}
	at := &p.at
	if p.card.Open {
		c.Explain(p.card.At, "card of the zone", "its times over the frames of the history, who calls it and\n"+
			"what it calls, and its place in the source. Z closes it")
	}
	if at.second.Height() > 0 {
		of := stripTips[p.options.Strip%numStrips]
		c.Explain(at.second, of.title, of.words)
	}
	if r := at.icicle; r.Height() > 0 {
		c.Explain(canvas.Box(r.X0, r.Y0, r.X1, r.Y0+26*c.Em), "which frame", "the bars below are of this frame,\n"+
			"or of this mean")
	}
}

// stripTips explain the strips below the history.
var stripTips = [numStrips]struct{ title, words string }{
	StripSlowest: {"slowest frames", "the slowest frames since the start, by busy time: a click shows one"},
	StripMemory:  {"memory", "what a frame allocated, above, and the live heap: the marks are collections"},
	StripValues:  {"values", "numbers that the program counts, such as entities or bytes sent, frame by frame"},
}

// explainCommand explains a button by the words and the key of its command.
func (s *shared) explainCommand(at *canvas.Area) {
	commands := s.allCommands()
	i := commandOf(commands, at.Hit.Name)
	if i < 0 {
		return
	}
	words := "a click does it"
	if key := s.keyOf[at.Hit.Name]; key != "" && s.canvas.Tip.Accepts(s.canvas.Hovers(at.Rect)) {
		words = "a click does it, or the key " + key
	}
	s.canvas.Explain(at.Rect, commands[i].Described(), words)
}
