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
	Action string // in words, for the help; bindings with equal words share a line there
	Repeat bool   // also runs while the key is held
	Always bool   // also while the overlay is visible but not focused
	Do     func(*process.Session, *draw.Panel)
}

// defaults is the keymap, in the order help shows it.
var defaults = []Binding{
	{Key: KeyUp, Name: "up", Action: "move", Repeat: true, Do: moveCursor(-1)},
	{Key: KeyDown, Name: "down", Action: "move", Repeat: true, Do: moveCursor(1)},
	{Key: KeyEnter, Name: "select", Action: "open zone", Do: selectRecord},
	{Key: KeyKeypadEnter, Name: "select", Action: "open zone", Do: selectRecord},
	{Key: KeyBackspace, Name: "parent", Action: "parent", Do: selectParent},
	{Key: KeyLeft, Name: "older", Action: "frame", Repeat: true, Do: moveFrame(-1)},
	{Key: KeyRight, Name: "newer", Action: "frame", Repeat: true, Do: moveFrame(1)},
	{Key: KeySpace, Name: "pause", Action: "pause", Do: togglePause},
	{Key: '1', Name: "self", Action: "mode", Do: setMode(process.SelfTime)},
	{Key: '2', Name: "hierarchical", Action: "mode", Do: setMode(process.HierarchicalTime)},
	{Key: '3', Name: "callgraph", Action: "mode", Do: setMode(process.CallGraph)},
	{Key: '4', Name: "descendants", Action: "mode", Do: setMode(process.CallGraphDescendants)},
	{Key: '5', Name: "tree", Action: "mode", Do: setMode(process.CallTree)},
	{Key: '6', Name: "extra", Action: "mode", Do: setMode(process.Extra)},
	{Key: 'A', Name: "average", Action: "average", Do: cycleAverage},
	{Key: 'P', Name: "precision", Action: "precision", Do: cyclePrecision},
	{Key: KeySlash, Mods: Shift, Name: "help", Action: "help", Do: toggleHelp},

	{Key: KeyLeftBracket, Name: "previous-over", Action: "frame over budget", Repeat: true, Do: moveOver(-1)},
	{Key: KeyRightBracket, Name: "next-over", Action: "frame over budget", Repeat: true, Do: moveOver(1)},
	{Key: 'M', Name: "slowest", Action: "slowest frame", Do: slowestFrame},
	{Key: KeyLeft, Mods: Shift, Name: "older-10", Action: "10 frames", Repeat: true, Do: moveFrame(-10)},
	{Key: KeyRight, Mods: Shift, Name: "newer-10", Action: "10 frames", Repeat: true, Do: moveFrame(10)},
	{Key: KeyHome, Name: "oldest", Action: "oldest frame", Do: oldestFrame},
	{Key: KeyEnd, Name: "live", Action: "live", Do: goLive},
	{Key: KeyPageUp, Name: "page-up", Action: "page", Repeat: true, Do: moveCursor(-pageRows)},
	{Key: KeyPageDown, Name: "page-down", Action: "page", Repeat: true, Do: moveCursor(pageRows)},
	{Key: 'T', Name: "sort", Action: "self or hierarchical", Do: toggleSort},
	{Key: 'R', Name: "recursion", Action: "recursion: one row or spread", Do: toggleRecursion},
	{Key: KeySlash, Name: "find", Action: "find zone", Do: openFilter},
	{Key: 'F', Mods: Control, Name: "find", Action: "find zone", Do: openFilter},
	{Key: 'Z', Name: "card", Action: "card of the zone", Do: toggleCard},
	{Key: 'W', Name: "timeline", Action: "when it happened, or what called what", Do: toggleTimeline},
	{Key: 'W', Mods: Shift, Name: "timeline-large", Action: "timeline in place of the table", Do: enlargeTimeline},
	{Key: 'E', Name: "events", Action: draw.EventsAction, Do: toggleEvents},
	{Key: 'B', Name: "baseline", Action: "compare with this frame", Do: pinBaseline},
	{Key: 'V', Name: "compare", Action: "differences on, off", Do: toggleCompare},
	{Key: 'H', Name: "lines", Action: "history as columns or lines", Do: toggleLines},
	{Key: 'G', Name: "group", Action: "group by package", Do: group},
	{Key: 'G', Mods: Shift, Name: "fold", Action: "fold the package", Do: fold},
	{Key: 'F', Name: "frames", Action: "which frames: all, over budget …", Do: openLater},
	{Key: 'I', Name: "pin", Action: "count only below this path", Do: pinCursor},
	{Key: 'I', Mods: Shift, Name: "unpin", Action: "count all paths", Do: unpin},
	{Key: 'J', Name: "own-lane", Action: "only the lane it ran on longest", Do: ownLane},
	{Key: 'U', Name: "budget", Action: "next frame budget", Do: cycleBudget},
	{Key: 'O', Name: "second", Action: "slowest frames, memory, values", Do: cycleSecond},
	{Key: 'O', Mods: Shift, Name: "memory", Action: "measure memory: off, own, frame, zone", Do: cycleMemory},
	{Key: 'X', Mods: Shift, Name: "clear-slowest", Action: "forget the slowest frames", Do: clearSlowest},
	{Key: 'S', Name: "lock-scale", Action: "hold the scale", Do: lockScale},
	{Key: 'Y', Name: "theme", Action: "colours", Do: cycleTheme},
	{Key: 'K', Name: "columns", Action: "columns of the table", Do: openColumns},
	{Key: 'L', Mods: Control, Name: "pick-lane", Action: "list of lanes", Do: openLanes},
	{Key: 'L', Name: "lane", Action: "lane", Do: cycleLane(1)},
	{Key: 'L', Mods: Shift, Name: "previous-lane", Action: "lane", Do: cycleLane(-1)},
	{Key: 'X', Name: "reset", Action: "forget all measurements", Do: reset},
	{Key: KeyLeft, Mods: Alt, Name: "back", Action: "view before, after", Do: goBack},
	{Key: KeyRight, Mods: Alt, Name: "forth", Action: "view before, after", Do: goForth},
	{Key: 'Z', Mods: Control, Name: "back", Action: "view before, after", Do: goBack},
	{Key: 'C', Name: "copy", Action: "copy the table", Do: copyTable},
	{Key: 'C', Mods: Shift, Name: "copy-row", Action: "copy the row", Do: copyRow},
	{Key: 'S', Mods: Control, Name: "save-picture", Action: "save a picture (PNG)", Do: savePicture},
	{Key: 'E', Mods: Control, Name: "save-report", Action: "save a page (HTML)", Do: saveReport},
	{Key: KeyTab, Name: "menu", Action: "menu of all commands", Do: openLater},
	{Key: KeyMenu, Name: "row-menu", Action: "menu of the row", Do: openLater},
	{Key: 'Q', Name: "row-menu", Action: "menu of the row", Do: openLater},
	{Key: KeyEqual, Mods: Control, Name: "larger", Action: "larger, smaller, as it was", Repeat: true, Do: scaleBy(0.125)},
	{Key: KeyMinus, Mods: Control, Name: "smaller", Action: "larger, smaller, as it was", Repeat: true, Do: scaleBy(-0.125)},
	{Key: '0', Mods: Control, Name: "unscaled", Action: "larger, smaller, as it was", Do: unscaled},
	{Key: KeyEqual, Name: "zoom-in", Action: "zoom calls or timeline", Repeat: true, Do: zoomBy(1)},
	{Key: KeyMinus, Name: "zoom-out", Action: "zoom calls or timeline", Repeat: true, Do: zoomBy(-1)},
	{Key: '0', Name: "fit", Action: "zoom calls or timeline", Do: fitAll},
	{Key: KeyLeft, Mods: Control, Name: "pan-left", Action: "move calls or timeline", Repeat: true, Do: panBy(100, 0)},
	{Key: KeyRight, Mods: Control, Name: "pan-right", Action: "move calls or timeline", Repeat: true, Do: panBy(-100, 0)},
	{Key: KeyUp, Mods: Control, Name: "pan-up", Action: "move calls or timeline", Repeat: true, Do: panBy(0, 20)},
	{Key: KeyDown, Mods: Control, Name: "pan-down", Action: "move calls or timeline", Repeat: true, Do: panBy(0, -20)},
	{Key: KeyF1, Name: "cycle", Action: "overlay: off, line, half, full", Always: true, Do: cyclePanel},
	{Key: KeyF2, Name: "focus", Action: "keys to the overlay or the program", Always: true, Do: toggleFocus},
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
