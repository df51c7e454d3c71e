package viewer

import (
	"slices"
	"strings"
	"sync"

	"example.com/iprof/process"
)

// CommandGroup is the subject of a command. The menu of all commands has a heading for each group.
type CommandGroup uint8

// The groups, in the order of the menu.
const (
	GroupRows    CommandGroup = iota // the cursor, and the choice of rows
	GroupFrames                      // the choice of frames
	GroupReport                      // the choice of report and lane
	GroupTime                        // timeline and call structure
	GroupDisplay                     // the screen itself
	GroupMeasure                     // the choice of measurements
	GroupOutput                      // copies and files
	numGroups    = iota
)

// groupNames are the headings.
var groupNames = [numGroups]string{
	"rows", "frames", "report", "timeline and call structure", "display", "measuring", "output",
}

// String returns the heading of a group. Values out of range have that of the last group.
func (g CommandGroup) String() string { return groupNames[min(g, numGroups-1)] }

// action is the effect of a command on a session and its panel.
type action = func(*process.Session, *Panel)

// onPanel returns the action that is a method of the panel.
func onPanel(do func(*Panel)) action { return func(_ *process.Session, p *Panel) { do(p) } }

// These return the actions that are methods of a part.
func onHistory(do func(*historyPart)) action   { return onPanel(func(p *Panel) { do(&p.strip) }) }
func onTable(do func(*tablePart)) action       { return onPanel(func(p *Panel) { do(&p.table) }) }
func onTimeline(do func(*timelinePart)) action { return onPanel(func(p *Panel) { do(&p.timeline) }) }

// A Command is an action of the user: with a key, from a menu, or with a line of text. The table of Commands has each
// command once. Keys, menus, help, console, terminal page and remote control come from there.
type Command struct {
	Name  string // names the command in key bindings and lines of text: "older-10"
	Also  string // another name for it in lines of text; help then shows this one
	Group CommandGroup
	Keys  string // of the table: the keys that a new input.Controller binds, with spaces between: "Shift+Z ?"

	Action string // short help: a word or two for the footer; commands of equal Action share a line of the help
	Words  string // long help, for menus and the help of keys; "" is Action
	Help   string // the help's line for all commands of equal Action, set in the first of them; "" is Words

	Arguments string // arguments of a line of text: "[MODE]"
	Text      string // describes the effect of a line of text, if it differs from Do's; "" is Words

	Repeat bool // runs again while the key is held
	Always bool // also runs while the panel does not have the focus
	Page   bool // useful on a page of text

	Do   func(*process.Session, *Panel) // the effect; nil: only a line of text runs the command
	Line func(*Line) error              // the effect of a line of text, if it differs from Do's
	at   func(p *Panel, x, y float32)   // the effect at a place of the screen, if it differs from Do's
}

// Described returns the words for the command in a menu: Words, or else Action, or else Text.
func (c *Command) Described() string {
	switch {
	case c.Words != "":
		return c.Words
	case c.Action != "":
		return c.Action
	}
	return c.Text
}

// Says returns the words for a line of text that begins with the command's name: Text, or else Described.
func (c *Command) Says() string {
	if c.Text != "" {
		return c.Text
	}
	return c.Described()
}

// tableOfCommands holds the commands after the first use.
var tableOfCommands struct {
	sync.Once
	all []Command
}

// commands returns the table of all commands, in the order of the help. It makes the table on first use, so that a
// program without a panel does not link the functions of the commands.
func commands() []Command {
	t := &tableOfCommands
	t.Do(func() { t.all = listCommands() })
	return t.all
}

// Commands returns the table of all commands, in the order of the help. The slice is shared; do not change it. Any
// goroutine may call it.
func Commands() []Command { return commands() }

// AddCommand adds a command of the program to the panel. It replaces a command of the same Name. Menus, help, console
// and terminal page show it; input.Controller.Bind assigns a key to it. Any goroutine may call it.
func (p *Panel) AddCommand(c Command) {
	p.change(func() {
		p.commands = slices.Clone(p.allCommands())
		if at := commandOf(p.commands, c.Name); at >= 0 {
			p.commands[at] = c
		} else {
			p.commands = append(p.commands, c)
		}
	})
}

func commandOf(commands []Command, name string) int {
	return slices.IndexFunc(commands, func(c Command) bool { return c.Name == name })
}

// Run runs the command of a name, and remembers the view before: see Remember. It reports whether there is such a
// command with an effect. Any goroutine may call it.
func (p *Panel) Run(name string) bool {
	if runLine(p, name) {
		return true
	}
	c, ok := p.Command(name)
	if !ok || c.Do == nil {
		return false
	}
	p.Act(c.Do)
	return true
}

// runAt is Run at a place of the screen, in pixels: a menu opens there, and "fit" fits the bar or the scope there.
// Other commands ignore the place. Any goroutine may call it.
func (p *Panel) runAt(name string, x, y float32) bool {
	c, ok := p.Command(name)
	if !ok || c.at == nil {
		return p.Run(name)
	}
	p.Act(func(*process.Session, *Panel) { c.at(p, x, y) })
	return true
}

// Act runs the effect of a key or of the mouse, and remembers the view before: see Remember. Any goroutine may call it;
// do runs on the calling goroutine.
func (p *Panel) Act(do func(*process.Session, *Panel)) {
	// The effect on a session is visible at once.
	defer p.change(func() {
		if !p.saving { // a saved picture has the tip that the user sees
			p.canvas.Tip.End()
		}
		p.saving = false
	})
	if p.session == nil {
		do(nil, p)
		return
	}
	before := p.view.Get()
	do(p.session, p)
	p.leaveAnswer()
	p.remember(before)
}

// KeyName is the name of a key with its modifiers, and the name of the key's command: "Shift+←" and "older-10". Package
// input names the keys.
type KeyName struct {
	Key, Command string

	// Printed is Key as the user's keyboard has it, if characters do not come or its layout has no such character:
	// "Shift+-" for "?" on a German keyboard, "Я" for "Z" on a Russian one. It is "" if the layout is not known.
	Printed string
}

// keypadEnter is the name of the keypad's Enter. In the help both keys are Enter.
const keypadEnter = "KeypadEnter"

// SetKeys sets the keys of the commands, for Key, the help, the footer and the menus. Of equal keys the first counts.
// Any goroutine may call it.
func (p *Panel) SetKeys(keys []KeyName) {
	p.mu.Lock()
	places := p.places
	p.mu.Unlock()
	nameKeys(p, keys, places)
}

// showPlaces names the keys by their places, or by their characters.
func showPlaces(p *Panel, places bool) {
	p.mu.Lock()
	names, were := p.names, p.places
	p.mu.Unlock()
	if places != were {
		nameKeys(p, names, places)
	}
}

// nameKeys is SetKeys for a window of which is known whether keys have their places.
func nameKeys(p *Panel, keys []KeyName, places bool) {
	shown := slices.Clone(keys)
	for i := range shown {
		shown[i].Key = shown[i].shown(places)
	}
	hints := p.Hints(shown)
	p.change(func() {
		p.keys, p.names, p.places = hints, keys, places
		p.keyOf, p.commandOf = map[string]string{}, map[string]string{}
		for i, k := range keys {
			if p.commandOf[k.Key] == "" {
				p.commandOf[k.Key] = k.Command
			}
			if p.keyOf[k.Command] == "" {
				p.keyOf[k.Command] = shown[i].Key
			}
		}
	})
}

// Hints returns the lines of a help text. Commands of equal Action share a line, with their keys in order. It leaves
// out unknown commands. Any goroutine may call it.
func (p *Panel) Hints(keys []KeyName) (lines []KeyHint) {
	for _, k := range keys {
		if c, ok := p.Command(k.Command); ok {
			lines = addHint(lines, strings.Replace(k.Key, keypadEnter, "Enter", 1), &c)
		}
	}
	return lines
}

func addHint(lines []KeyHint, key string, c *Command) []KeyHint {
	for i := range lines {
		if l := &lines[i]; l.Action == c.Action {
			if l.last != key { // Enter and the keypad's Enter have the same name
				l.Keys += " " + key
			}
			l.last = key
			return lines
		}
	}
	words := c.Help
	if words == "" {
		words = c.Words
	}
	return append(lines, KeyHint{Keys: key, Action: c.Action, Words: words, last: key, group: c.Group,
		rank: 1 + slices.Index(firstCommands[:], c.Name)})
}
