package viewer

// hitTips explain the places that react to the mouse and have no tip of their own. A title of "" is the zone's name.
// The history, the timeline and the lines of menus need none: they have their own, or are sentences.
var hitTips = [...]struct{ title, words string }{
	HitRecord:    {"", "a zone, with its numbers in the frame shown.\nA double click or Enter opens its call graph"},
	HitCaret:     {"", "a click shows what the zone calls, or hides it"},
	HitPause:     {"live or paused", "whether the screen goes on to each new frame.\nA click or Space changes that"},
	HitLegend:    {"", "the zone's colour in the history, and its self time in the\nframe shown, in milliseconds"},
	HitZone:      {"", "calls the zone of the card, or is called by it.\nA click goes there"},
	HitSlow:      {"slow frame", "one of the slowest frames since the start, by busy time.\nA click shows it"},
	HitClear:     {"clear", "a click empties the list of the slowest frames"},
	HitCompare:   {"baseline", "the rows are compared with these frames.\nA click ends that"},
	HitStructure: {"call structure", "each bar is as wide as the time of its zone,\nbelow its caller. The wheel zooms"},
	HitFilter:    {"find", "only zones with this text in their name are shown.\nEsc shows all again"},
	HitPackage:   {"package", "the sums of the zones of a package.\nA click folds or opens it"},
	HitLanes:     {"goroutine", "all numbers are of this goroutine alone.\nA click chooses another"},
	HitAxis:      {"frames", "how many frames ago. A click or a drag chooses the frame"},

	HitBorder:       {"border of a column", "a drag changes the width of the column,\na double click resets it"},
	HitTimelineLane: {"goroutine", "what this goroutine did in the order of time.\nA click shows it alone"},
}

// explainHit explains the place under the mouse by its kind, if no part of the screen has explained it.
func (p *Panel) explainHit() {
	c := &p.canvas
	at := c.areaAt(c.hover.x, c.hover.y)
	if !c.hover.here || at == nil {
		return
	}
	if at.hit.Kind == HitCommand {
		p.explainCommand(at)
		return
	}
	if int(at.hit.Kind) >= len(hitTips) || hitTips[at.hit.Kind].words == "" {
		return
	}
	of := hitTips[at.hit.Kind]
	if at.hit.Kind == HitPackage && !p.shown.Report.Grouped() {
		of.title, of.words = "waiting", "the zones that wait, such as for the display, and the\n"+
			"sum of their self times. A click opens them"
	}
	if of.title == "" {
		of.title = p.shown.Zone(at.hit.Zone).Name
	}
	c.explain(at.rect, of.title, of.words)
}

// explainParts explains the parts of the screen whose labels and marks have no tips of their own.
func (p *Panel) explainParts() {
	c := &p.canvas
	if !c.hover.here || c.hitAt(c.hover.x, c.hover.y).Kind != HitPanel {
		return
	}
	at := &p.guide.at
	if p.card.open {
		c.explain(p.card.at, "card of the zone", "its times over the frames of the history, who calls it and\n"+
			"what it calls, and its place in the source. Z closes it")
	}
	if at.second.height() > 0 {
		of := secondTips[p.options.Second%numSeconds]
		c.explain(at.second, of.title, of.words)
	}
	if r := at.icicle; r.height() > 0 {
		c.explain(rect{r.x0, r.y0, r.x1, r.y0 + 26*c.em}, "which frame", "the bars below are of this frame,\n"+
			"or of this mean")
	}
}

// secondTips explain the strips below the history.
var secondTips = [numSeconds]struct{ title, words string }{
	SecondSlowest: {"slowest frames", "the slowest frames since the start, by busy time: a click shows one"},
	SecondMemory:  {"memory", "what a frame allocated, above, and the live heap: the marks are collections"},
	SecondValues:  {"values", "numbers that the program counts, such as entities or bytes sent, frame by frame"},
}

// explainCommand explains a button by the words and the key of its command.
func (p *Panel) explainCommand(at *area) {
	commands := p.allCommands()
	i := commandOf(commands, at.hit.Name)
	if i < 0 {
		return
	}
	words := "a click does it"
	if key := p.keyOf[at.hit.Name]; key != "" && p.canvas.tip.accepts(p.canvas.hovers(at.rect)) {
		words = "a click does it, or the key " + key
	}
	p.canvas.explain(at.rect, commands[i].Described(), words)
}

// areaAt returns the topmost area at a place, or nil.
func (c *canvas) areaAt(x, y float32) *area {
	for i := len(c.areas) - 1; i >= 0; i-- {
		if c.areas[i].contains(x, y) {
			return &c.areas[i]
		}
	}
	return nil
}
