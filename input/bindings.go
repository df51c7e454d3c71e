package input

import (
	"fmt"
	"slices"
	"strings"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// A Binding assigns a command of the panel to a key: see viewer.Panel.Commands. Several keys may have the same command.
// Enter and the keypad's Enter do.
type Binding struct {
	Key     Key
	Mods    Mods // exactly these must be held
	Command string
}

// defaults is the keymap of a new controller, in the order of the help.
var defaults = []Binding{
	{KeyUp, 0, "up"},
	{KeyDown, 0, "down"},
	{KeyEnter, 0, "select"},
	{KeyKeypadEnter, 0, "select"},
	{KeyBackspace, 0, "parent"},
	{KeyLeft, 0, "older"},
	{KeyRight, 0, "newer"},
	{KeySpace, 0, "pause"},
	{'1', 0, "self"},
	{'2', 0, "hierarchical"},
	{'3', 0, "callgraph"},
	{'4', 0, "descendants"},
	{'5', 0, "calltree"},
	{'6', 0, "extra"},
	{'A', 0, "average"},
	{'P', 0, "precision"},
	{KeySlash, ModShift, "help"},

	{KeyLeftBracket, 0, "previous-over"},
	{KeyRightBracket, 0, "next-over"},
	{'M', 0, "slowest"},
	{'D', 0, "why"},
	{KeyLeft, ModShift, "older-10"},
	{KeyRight, ModShift, "newer-10"},
	{KeyHome, 0, "oldest"},
	{KeyEnd, 0, "live"},
	{KeyPageUp, 0, "page-up"},
	{KeyPageDown, 0, "page-down"},
	{'T', 0, "sort"},
	{'R', 0, "recursion"},
	{KeySlash, 0, "find"},
	{'F', ModControl, "find"},
	{'Z', 0, "card"},
	{'Z', ModShift, "source"},
	{'Z', ModAlt, "sample"},
	{'W', 0, "timeline"},
	{'W', ModShift, "timeline-large"},
	{'N', 0, "next-occurrence"},
	{'N', ModShift, "previous-occurrence"},
	{'R', ModShift, "ruler"},
	{'0', ModShift, "fit-history"},
	{'E', 0, "events"},
	{'B', 0, "baseline"},
	{'V', 0, "compare"},
	{'H', 0, "lines"},
	{'G', 0, "group"},
	{'G', ModShift, "fold"},
	{'F', 0, "frames"},
	{KeyDelete, 0, "hidden"},
	{KeyDelete, ModShift, "show-zones"},
	{'M', ModShift, "mute"},
	{'U', ModShift, "zone-budget"},
	{'I', 0, "pin"},
	{'I', ModShift, "unpin"},
	{'J', 0, "own-lane"},
	{'U', 0, "budget"},
	{'O', 0, "second"},
	{'O', ModShift, "memory"},
	{'X', ModShift, "clear-slowest"},
	{'S', 0, "lock-scale"},
	{'Y', 0, "theme"},
	{'H', ModShift, "heat"},
	{'J', ModShift, "collector"},
	{'R', ModControl, "recording"},
	{'P', ModShift, "limit"},
	{'D', ModShift, "history"},
	{'K', 0, "columns"},
	{'L', ModControl, "pick-lane"},
	{'L', 0, "lane"},
	{'L', ModShift, "previous-lane"},
	{'L', ModAlt, "open-groups"},
	{'X', 0, "reset"},
	{'X', ModControl, "undo"},
	{KeyLeft, ModAlt, "back"},
	{KeyRight, ModAlt, "forth"},
	{'Z', ModControl, "back"},
	{'C', 0, "copy"},
	{'C', ModShift, "copy-row"},
	{'S', ModControl, "save-picture"},
	{'E', ModControl, "save-report"},
	{KeyTab, 0, "menu"},
	{KeyMenu, 0, "row-menu"},
	{'Q', 0, "row-menu"},
	{KeyEqual, ModControl, "larger"},
	{KeyMinus, ModControl, "smaller"},
	{'0', ModControl, "unscaled"},
	{KeyEqual, 0, "zoom-in"},
	{KeyMinus, 0, "zoom-out"},
	{'0', 0, "fit"},
	{KeyLeft, ModControl, "pan-left"},
	{KeyRight, ModControl, "pan-right"},
	{KeyUp, ModControl, "pan-up"},
	{KeyDown, ModControl, "pan-down"},
	{KeyF1, 0, "cycle"},
	{KeyF2, 0, "focus"},
	{KeyEscape, 0, "leave"},
}

// Bindings returns the keymap of the default session in the order of the help. The slice is a copy. Any goroutine may
// call it.
func Bindings() []Binding { return ControllerFor(process.Default()).Bindings() }

// Bindings returns the keymap in the order of the help. The slice is a copy.
func (c *Controller) Bindings() []Binding {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Binding(nil), c.bindings...)
}

// Bind assigns a command to a key. The key loses its old command; the command keeps its other keys. The command is one
// of viewer.Panel.Commands. A program adds its own commands with viewer.Panel.AddCommand. A key with an unknown command
// does nothing. Commands run on the goroutine that delivers the event.
func (c *Controller) Bind(key Key, mods Mods, command string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(func(old Binding) bool { return old.Key == key && old.Mods == mods })
	c.bindings = append(c.bindings, Binding{key, mods, command})
	c.publish()
}

// Unbind removes the binding of a key. The key's events go to the program again.
func (c *Controller) Unbind(key Key, mods Mods) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(func(old Binding) bool { return old.Key == key && old.Mods == mods })
	c.publish()
}

// Rebind assigns a new key to a command, and removes the command's old keys. The key loses its old command. For an
// unknown name, Rebind changes nothing and returns an error that lists the known names.
func (c *Controller) Rebind(name string, key Key, mods Mods) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if command, ok := c.panel.Command(name); !ok || command.Do == nil {
		return fmt.Errorf("input: no command %q: there are %s", name, strings.Join(c.names(), ", "))
	}
	at := slices.IndexFunc(c.bindings, func(b Binding) bool { return b.Command == name })
	if at < 0 {
		at, c.bindings = len(c.bindings), append(c.bindings, Binding{})
	}
	c.bindings[at] = Binding{key, mods, name}
	kept := c.bindings[:0]
	for i, b := range c.bindings {
		if i == at || b.Command != name && (b.Key != key || b.Mods != mods) {
			kept = append(kept, b)
		}
	}
	c.bindings = kept
	c.publish()
	return nil
}

func (c *Controller) remove(which func(Binding) bool) {
	c.bindings = slices.DeleteFunc(c.bindings, which)
}

// names returns the names of the commands that a key can have.
func (c *Controller) names() (names []string) {
	for _, command := range c.panel.Commands() {
		if command.Do != nil {
			names = append(names, command.Name)
		}
	}
	return names
}

// find returns the command of a key.
func (c *Controller) find(key Key, mods Mods) (command viewer.Command, bound bool) {
	for _, b := range c.bindings {
		if b.Key == key && b.Mods == mods&anyMod {
			return c.panel.Command(b.Command)
		}
	}
	return command, false
}

// Keys returns the keys of bindings with their names in the help: see viewer.Panel.SetKeys and viewer.Panel.Hints.
func Keys(bindings []Binding) (keys []viewer.KeyName) {
	for _, b := range bindings {
		keys = append(keys, viewer.KeyName{Key: keyName(b.Key, b.Mods), Command: b.Command})
	}
	return keys
}

// publish gives the panel the names of the keys.
func (c *Controller) publish() { c.panel.SetKeys(Keys(c.bindings)) }
