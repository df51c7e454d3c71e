package console

import (
	"fmt"

	"example.com/iprof/draw"
)

// word is one command.
type word struct {
	name, arguments, help string
	run                   func(*call) error
}

// words returns all commands, in the order help lists them.
func words() []word {
	return []word{
		{"pause", "", "freeze what is shown; measuring goes on, frames are thrown away", bare((*call).pause)},
		{"resume", "", "show the newest frame again", bare((*call).resume)},
		{"toggle", "", "pause or resume", bare((*call).toggle)},
		{"report", "[MODE]", "print the current view, or the same in another mode", (*call).report},
		{"tree", "", "print everything since start or reset, as trees", bare((*call).tree)},
		{"mode", "[MODE]", "self, hierarchical, callgraph, descendants, calltree, extra, or 1 to 6", (*call).mode},
		{"show", "[hud|report|full]", "show the overlay in the program's window", (*call).show},
		{"hide", "", "hide the overlay", bare((*call).hide)},
		{"hud", "", "show the overlay as one line", bare((*call).hud)},
		{"cursor", "[ROW|+ROWS|-ROWS]", "highlight a record, 0 being the first, or move down or up", (*call).cursor},
		{"select", "[ZONE]", "open the highlighted record's zone, or the zone so named, in the call graph", (*call).choose},
		{"parent", "", "open the parent with the largest hierarchical time", bare((*call).parent)},
		{"frame", "[AGE|-N|+N|live|oldest|slowest]", "show an old frame: by age, N older, N newer", (*call).frame},
		{"timeline", "[LINES]", "when the scopes of the frame shown began and ended, the longest so many", (*call).timeline},
		{"lens", "[LENS]", "the frames of reports: off, all, over or within budget, slowest N, range A B", (*call).lens},
		{"slowest", "[RANK]", "list the slowest frames, which are kept, or show one", (*call).slowest},
		{"columns", "[COLUMN ...|usual|list]", "choose the columns of reports; list tells their names", (*call).columns},
		{"pin", "[ZONE > ZONE ...|off]", "count only what happened below these zones", (*call).pin},
		{"lane", "[ID|NAME|all]", "list the lanes, show one, or all merged", (*call).lane},
		{"average", "[instant|short|long]", "smooth not at all, over 0.8 s, over 2.5 s", (*call).average},
		{"recursion", "[flattened|spread]", "one row for a recursive zone, or one for each depth", (*call).recursion},
		{"sort", "[self|hierarchical]", "by self or hierarchical time", (*call).sort},
		{"memory", "[off|own|frame|zone]", "print what the Go heap did in the frame shown, or choose what is measured", (*call).memory},
		{"events", "[on|off|NUMBER]", "keep the newest events of each lane, which timelines are made of", (*call).events},
		{"calls", "ZONE [on|off]", "count each call of a zone by how long it took, and print that", (*call).calls},
		{"limit", "[PERCENT|off]", "how much of the time measuring may take: beyond it, small zones are estimated", (*call).limit},
		{"recording", "[on|off]", "measure, or leave it", (*call).recording},
		{"budget", "[MS|60fps|usual]", "how long a frame may take", (*call).budget},
		{"history", "[FRAMES]", "how many frames are remembered", (*call).history},
		{"reset", "", "forget all measurements", bare((*call).reset)},
		{"dump-html", "[FILE]", "write everything as a page into a new file, a temporary one if none is named", (*call).dumpHTML},
		{"help", "[WORD]", "list the commands, or explain one", (*call).help},
	}
}

// bare makes a command of something that takes no arguments.
func bare(do func(*call)) func(*call) error {
	return func(c *call) error {
		if err := c.none(); err != nil {
			return err
		}
		do(c)
		return nil
	}
}

// names lists the words.
func names() []string {
	var list []string
	for _, w := range words() {
		list = append(list, w.name)
	}
	return list
}

func (c *call) help() error {
	if c.rest == "" {
		for _, w := range words() {
			c.say("%-9s  %-33s  %s", w.name, w.arguments, w.help)
		}
		c.say("\nWords may be shortened as long as they are clear: mod hier is mode hierarchical.")
		return nil
	}
	at, err := choose("command", c.rest, names())
	if err != nil {
		return err
	}
	w := words()[at]
	c.say("%s %s\n%s", w.name, w.arguments, w.help)
	return nil
}

func (c *call) pause() {
	c.s.Pause()
	c.say("paused")
}

func (c *call) resume() {
	c.s.SetFrame(0)
	c.s.Resume()
	c.say("running")
}

func (c *call) toggle() {
	if c.s.Paused() {
		c.resume()
		return
	}
	c.pause()
}

func (c *call) reset() {
	c.s.Reset()
	c.say("all measurements forgotten")
}

func (c *call) show() error {
	mode := draw.ReportAndGraph
	if c.rest != "" {
		at, err := choose("overlay", c.rest, []string{"hud", "report", "full"})
		if err != nil {
			return err
		}
		mode = draw.HUD + draw.PanelMode(at)
	}
	c.overlay(mode)
	return nil
}

func (c *call) hide() { c.overlay(draw.Off) }
func (c *call) hud()  { c.overlay(draw.HUD) }

// overlay sets how much the overlay shows, which takes the keys back to the program when it is hidden.
func (c *call) overlay(mode draw.PanelMode) {
	panel := draw.PanelFor(c.s)
	panel.SetMode(mode)
	if mode == draw.Off {
		panel.SetFocused(false)
	}
	c.say("overlay %s", [...]string{"hidden", "one line", "report and graph", "full"}[mode])
}

// number reads a row or age: relative says that it has a sign.
func number(typed string) (n int, relative bool, err error) {
	if _, err := fmt.Sscanf(typed, "%d", &n); err != nil || fmt.Sprintf("%+d", n) != typed && fmt.Sprint(n) != typed {
		return 0, false, fmt.Errorf("%q is no number", typed)
	}
	return n, typed[0] == '+' || typed[0] == '-', nil
}
