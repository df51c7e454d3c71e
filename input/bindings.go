package input

import (
	"fmt"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// Binding ties a key to a command. Several bindings may share a Name, as Enter and the keypad's Enter do.
type Binding struct {
	Key    Key
	Mods   Mods   // exactly these must be held
	Name   string // of the command, for Rebind and settings files: "pause"
	Action string // in a word or two, for the footer; bindings with equal words share a line of the help
	Words  string // the same at more length, for the menu of all commands; none: Action
	Repeat bool   // also runs while the key is held
	Always bool   // also while the overlay is visible but not focused
	Do     func(*process.Session, *draw.Panel)
}

// defaults is the keymap, in the order help shows it.
var defaults = []Binding{
	{Key: KeyUp, Name: "up", Action: "move", Words: "row above", Repeat: true, Do: moveCursor(-1)},
	{Key: KeyDown, Name: "down", Action: "move", Words: "row below", Repeat: true, Do: moveCursor(1)},
	{Key: KeyEnter, Name: "select", Action: "open zone", Words: "open the zone: its call graph", Do: selectRecord},
	{Key: KeyKeypadEnter, Name: "select", Action: "open zone", Words: "open the zone: its call graph", Do: selectRecord},
	{Key: KeyBackspace, Name: "parent", Action: "parent", Words: "go to the zone's largest caller", Do: selectParent},
	{Key: KeyLeft, Name: "older", Action: "frame", Words: "frame before", Repeat: true, Do: moveFrame(-1)},
	{Key: KeyRight, Name: "newer", Action: "frame", Words: "frame after", Repeat: true, Do: moveFrame(1)},
	{Key: KeySpace, Name: "pause", Action: "pause", Words: "pause, go on", Do: togglePause},
	{Key: '1', Name: "self", Action: "mode", Words: "zones by self time", Do: setMode(process.SelfTime)},
	{Key: '2', Name: "hierarchical", Action: "mode", Words: "zones by hierarchical time", Do: setMode(process.HierarchicalTime)},
	{Key: '3', Name: "callgraph", Action: "mode", Words: "call graph of a zone", Do: setMode(process.CallGraph)},
	{Key: '4', Name: "descendants", Action: "mode", Words: "all that a zone calls", Do: setMode(process.CallGraphDescendants)},
	{Key: '5', Name: "tree", Action: "mode", Words: "call tree", Do: setMode(process.CallTree)},
	{Key: '6', Name: "extra", Action: "mode", Words: "what slow frames have extra", Do: setMode(process.Extra)},
	{Key: 'A', Name: "average", Action: "average", Words: "average: 0.8 s, 2.5 s, none", Do: cycleAverage},
	{Key: 'P', Name: "precision", Action: "precision", Words: "decimals of milliseconds", Do: cyclePrecision},
	{Key: KeySlash, Mods: Shift, Name: "help", Action: "help", Words: "all keys", Do: toggleHelp},

	{Key: KeyLeftBracket, Name: "previous-over", Action: "frame over budget", Words: "frame over budget before", Repeat: true, Do: moveOver(-1)},
	{Key: KeyRightBracket, Name: "next-over", Action: "frame over budget", Words: "frame over budget after", Repeat: true, Do: moveOver(1)},
	{Key: 'M', Name: "slowest", Action: "slowest frame", Words: "slowest frame of the history", Do: slowestFrame},
	{Key: KeyLeft, Mods: Shift, Name: "older-10", Action: "10 frames", Words: "10 frames back", Repeat: true, Do: moveFrame(-10)},
	{Key: KeyRight, Mods: Shift, Name: "newer-10", Action: "10 frames", Words: "10 frames on", Repeat: true, Do: moveFrame(10)},
	{Key: KeyHome, Name: "oldest", Action: "oldest frame", Do: oldestFrame},
	{Key: KeyEnd, Name: "live", Action: "live", Words: "newest frame, live", Do: goLive},
	{Key: KeyPageUp, Name: "page-up", Action: "page", Words: "a page of rows up", Repeat: true, Do: moveCursor(-pageRows)},
	{Key: KeyPageDown, Name: "page-down", Action: "page", Words: "a page of rows down", Repeat: true, Do: moveCursor(pageRows)},
	{Key: 'T', Name: "sort", Action: "self or hierarchical", Words: "sort by self or hierarchical time", Do: toggleSort},
	{Key: 'R', Name: "recursion", Action: "recursion: one row or spread", Words: "recursion: one row, or one for each depth", Do: toggleRecursion},
	{Key: KeySlash, Name: "find", Action: "find zone", Words: "find zones by name", Do: openFilter},
	{Key: 'F', Mods: Control, Name: "find", Action: "find zone", Words: "find zones by name", Do: openFilter},
	{Key: 'Z', Name: "card", Action: "card of the zone", Words: "card of the zone: histogram, callers, source", Do: toggleCard},
	{Key: 'W', Name: "timeline", Action: "timeline, or call structure", Words: "timeline, or call structure", Do: toggleTimeline},
	{Key: 'W', Mods: Shift, Name: "timeline-large", Action: "timeline in place of the table", Do: enlargeTimeline},
	{Key: 'E', Name: "events", Action: draw.EventsAction, Do: toggleEvents},
	{Key: 'B', Name: "baseline", Action: "compare with this frame", Words: "compare with what is shown now", Do: pinBaseline},
	{Key: 'V', Name: "compare", Action: "differences on, off", Words: "show or hide the differences", Do: toggleCompare},
	{Key: 'H', Name: "lines", Action: "history as columns or lines", Words: "history as columns or as lines", Do: toggleLines},
	{Key: 'G', Name: "group", Action: "group by package", Do: group},
	{Key: 'G', Mods: Shift, Name: "fold", Action: "fold the package", Do: fold},
	{Key: 'F', Name: "frames", Action: "frames: all, slow, over budget …", Words: "frames to report: all, slow, over budget …", Do: openLater},
	{Key: 'I', Name: "pin", Action: "count only below this path", Do: pinCursor},
	{Key: 'I', Mods: Shift, Name: "unpin", Action: "count all paths", Do: unpin},
	{Key: 'J', Name: "own-lane", Action: "only the lane it ran on longest", Do: ownLane},
	{Key: 'U', Name: "budget", Action: "next frame budget", Words: "frame budget: 30 to 144 fps", Do: cycleBudget},
	{Key: 'O', Name: "second", Action: "strip of slowest, memory, values", Words: "strip of slowest frames, memory, values", Do: cycleSecond},
	{Key: 'O', Mods: Shift, Name: "memory", Action: "memory to measure: off … zone", Words: "memory to measure: off, own, frame, zone", Do: cycleMemory},
	{Key: 'X', Mods: Shift, Name: "clear-slowest", Action: "forget the slowest frames", Do: clearSlowest},
	{Key: 'S', Name: "lock-scale", Action: "hold the scale", Words: "hold the scale of the history", Do: lockScale},
	{Key: 'Y', Name: "theme", Action: "colours", Words: "colours: dark, high contrast, colour-blind", Do: cycleTheme},
	{Key: 'K', Name: "columns", Action: "columns of the table", Do: openColumns},
	{Key: 'L', Mods: Control, Name: "pick-lane", Action: "list of lanes", Do: openLanes},
	{Key: 'L', Name: "lane", Action: "lane", Words: "next lane", Do: cycleLane(1)},
	{Key: 'L', Mods: Shift, Name: "previous-lane", Action: "lane", Words: "previous lane", Do: cycleLane(-1)},
	{Key: 'X', Name: "reset", Action: "forget all measurements", Do: reset},
	{Key: KeyLeft, Mods: Alt, Name: "back", Action: "view before, after", Words: "view before this", Do: goBack},
	{Key: KeyRight, Mods: Alt, Name: "forth", Action: "view before, after", Words: "view after this", Do: goForth},
	{Key: 'Z', Mods: Control, Name: "back", Action: "view before, after", Words: "view before this", Do: goBack},
	{Key: 'C', Name: "copy", Action: "copy the table", Words: "copy the table as text", Do: copyTable},
	{Key: 'C', Mods: Shift, Name: "copy-row", Action: "copy the row", Do: copyRow},
	{Key: 'S', Mods: Control, Name: "save-picture", Action: "save a picture (PNG)", Do: savePicture},
	{Key: 'E', Mods: Control, Name: "save-report", Action: "save a page (HTML)", Do: saveReport},
	{Key: KeyTab, Name: "menu", Action: "menu of all commands", Words: "all commands", Do: openLater},
	{Key: KeyMenu, Name: "row-menu", Action: "menu of the row", Do: openLater},
	{Key: 'Q', Name: "row-menu", Action: "menu of the row", Do: openLater},
	{Key: KeyEqual, Mods: Control, Name: "larger", Action: "larger, smaller, as it was", Words: "larger text", Repeat: true, Do: scaleBy(0.125)},
	{Key: KeyMinus, Mods: Control, Name: "smaller", Action: "larger, smaller, as it was", Words: "smaller text", Repeat: true, Do: scaleBy(-0.125)},
	{Key: '0', Mods: Control, Name: "unscaled", Action: "larger, smaller, as it was", Words: "text as large as it was", Do: unscaled},
	{Key: KeyEqual, Name: "zoom-in", Action: "zoom calls or timeline", Words: "zoom in on calls or timeline", Repeat: true, Do: zoomBy(1)},
	{Key: KeyMinus, Name: "zoom-out", Action: "zoom calls or timeline", Words: "zoom out of calls or timeline", Repeat: true, Do: zoomBy(-1)},
	{Key: '0', Name: "fit", Action: "zoom calls or timeline", Words: "fit calls or timeline", Do: fitAll},
	{Key: KeyLeft, Mods: Control, Name: "pan-left", Action: "move calls or timeline", Words: "move calls or timeline left", Repeat: true, Do: panBy(100, 0)},
	{Key: KeyRight, Mods: Control, Name: "pan-right", Action: "move calls or timeline", Words: "move calls or timeline right", Repeat: true, Do: panBy(-100, 0)},
	{Key: KeyUp, Mods: Control, Name: "pan-up", Action: "move calls or timeline", Words: "move calls or timeline up", Repeat: true, Do: panBy(0, 20)},
	{Key: KeyDown, Mods: Control, Name: "pan-down", Action: "move calls or timeline", Words: "move calls or timeline down", Repeat: true, Do: panBy(0, -20)},
	{Key: KeyF1, Name: "cycle", Action: "overlay: off, line, half, full", Always: true, Do: cyclePanel},
	{Key: KeyF2, Name: "focus", Action: draw.FocusAction, Words: "keys to the overlay or to the program", Always: true, Do: toggleFocus},
	{Key: KeyEscape, Name: "leave", Action: "keys back to the program", Do: leave},
}

// Bindings returns the default session's keymap in the order help shows it. The slice is the caller's.
func Bindings() []Binding { return ControllerFor(process.Default()).Bindings() }

// Bindings returns the keymap in the order help shows it. The slice is the caller's.
func (c *Controller) Bindings() []Binding {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Binding(nil), c.bindings...)
}

// Bind adds a binding, the program's own or one more key for a command, instead of what the key did before. Its Do runs on
// the goroutine that delivers events, and may call any control.
func (c *Controller) Bind(b Binding) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(func(old Binding) bool { return old.Key == b.Key && old.Mods == b.Mods })
	c.bindings = append(c.bindings, b)
	c.publish()
}

// Unbind makes a key the program's own again.
func (c *Controller) Unbind(key Key, mods Mods) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(func(old Binding) bool { return old.Key == key && old.Mods == mods })
	c.publish()
}

// Rebind gives the command of that name a new key instead of its old ones. The key's old command loses it. An unknown name
// is an error that lists the known ones.
func (c *Controller) Rebind(name string, key Key, mods Mods) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.command(name)
	if at < 0 {
		return fmt.Errorf("input: no command %q: there are %s", name, strings.Join(c.names(), ", "))
	}
	moved := c.bindings[at]
	moved.Key, moved.Mods = key, mods
	c.bindings[at] = moved
	kept := c.bindings[:0]
	for i, b := range c.bindings {
		if i == at || b.Name != name && (b.Key != key || b.Mods != mods) {
			kept = append(kept, b)
		}
	}
	c.bindings = kept
	c.publish()
	return nil
}

func (c *Controller) remove(which func(Binding) bool) {
	kept := c.bindings[:0]
	for _, b := range c.bindings {
		if !which(b) {
			kept = append(kept, b)
		}
	}
	c.bindings = kept
}

// command is the index of the first binding of that name, -1 when there is none.
func (c *Controller) command(name string) int {
	for i, b := range c.bindings {
		if b.Name == name {
			return i
		}
	}
	return -1
}

func (c *Controller) names() (names []string) {
	for _, b := range c.bindings {
		if len(names) == 0 || names[len(names)-1] != b.Name {
			names = append(names, b.Name)
		}
	}
	return names
}

// find is the binding of a chord. Locks such as caps lock do not matter.
func (c *Controller) find(key Key, mods Mods) (Binding, bool) {
	for _, b := range c.bindings {
		if b.Key == key && b.Mods == mods&telling {
			return b, true
		}
	}
	return Binding{}, false
}
