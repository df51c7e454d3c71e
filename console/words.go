package console

import (
	"fmt"
	"slices"
	"strings"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// word is a command of the viewer's table, and the function that runs it from a line of text.
type word struct {
	viewer.Command
	run func(*call) error
}

// ownLines are the commands with a function of their own for lines of text, because they take arguments or print. All
// other commands work as in the window.
var ownLines = []struct {
	name string
	run  func(*call) error
}{
	{"pause", bare((*call).pause)},
	{"resume", bare((*call).resume)},
	{"toggle", bare((*call).toggle)},
	{"report", (*call).report},
	{"tree", bare((*call).tree)},
	{"mode", (*call).mode},
	{"show", (*call).show},
	{"hide", bare((*call).hide)},
	{"hud", bare((*call).hud)},
	{"cursor", (*call).cursor},
	{"select", (*call).choose},
	{"parent", bare((*call).parent)},
	{"frame", (*call).frame},
	{"why", bare((*call).why)},
	{"timeline", (*call).timeline},
	{"lens", (*call).lens},
	{"slowest", (*call).slowest},
	{"columns", (*call).columns},
	{"pin", (*call).pin},
	{"lane", (*call).lane},
	{"average", (*call).average},
	{"recursion", (*call).recursion},
	{"sort", (*call).sort},
	{"filter", (*call).filter},
	{"group", (*call).group},
	{"waiting", (*call).waiting},
	{"baseline", bare((*call).baseline)},
	{"compare", (*call).compare},
	{"memory", (*call).memory},
	{"events", (*call).events},
	{"trace", (*call).trace},
	{"sample", (*call).sample},
	{"calls", (*call).calls},
	{"hidden", (*call).hideZone},
	{"mute", (*call).mute},
	{"zone-budget", (*call).zoneBudget},
	{"limit", (*call).limit},
	{"recording", (*call).recording},
	{"budget", (*call).budget},
	{"idle-outside", (*call).eventDriven},
	{"history", (*call).history},
	{"reset", bare((*call).reset)},
	{"undo", bare((*call).undo)},
	{"dump-html", (*call).dumpHTML},
}

// laneCommand is the window's name for the command goroutine. Lines may use either.
const laneCommand = "lane"

// words returns the commands of ownLines and help, in the order in which help lists them.
func words() (list []word) {
	table := viewer.Commands()
	for _, l := range ownLines {
		at := slices.IndexFunc(table, func(c viewer.Command) bool { return c.Name == l.name })
		command := table[at]
		if command.Name == laneCommand {
			command.Name = "goroutine"
		}
		list = append(list, word{command, l.run})
	}
	at := slices.IndexFunc(table, func(c viewer.Command) bool { return c.Name == "help" })
	return append(list, word{table[at], (*call).help})
}

// others returns the commands of the session's panel that are not in words.
func others(s *process.Session) (list []word) {
	own := append(names(), laneCommand)
	for _, c := range viewer.PanelFor(s).Commands() {
		if c.Do != nil && !slices.Contains(own, c.Name) {
			list = append(list, word{c, bare(func(c2 *call) { c2.do(c) })})
		}
	}
	return list
}

// do runs a command as its key does.
func (c *call) do(command viewer.Command) {
	viewer.PanelFor(c.s).Act(command.Do)
	c.printf("%s: %s", command.Name, command.Described())
}

// find returns the command of a name, which may be shortened. It looks in words first, and then in others.
func find(s *process.Session, typed string) (word, error) {
	own := words()
	if strings.EqualFold(typed, laneCommand) {
		typed = "goroutine"
	}
	at, err := choose("command", typed, names())
	if err == nil {
		return own[at], nil
	}
	rest := others(s)
	list := make([]string, len(rest))
	for i := range rest {
		list[i] = rest[i].Name
	}
	if at, failed := choose("command", typed, list); failed == nil {
		return rest[at], nil
	}
	return word{}, err
}

// bare makes a command from a function without arguments.
func bare(do func(*call)) func(*call) error {
	return func(c *call) error {
		if err := c.noArguments(); err != nil {
			return err
		}
		do(c)
		return nil
	}
}

// names returns the names of words.
func names() []string {
	var list []string
	for _, w := range words() {
		list = append(list, w.Name)
	}
	return list
}

func (c *call) help() error {
	if c.rest != "" {
		w, err := find(c.s, c.rest)
		if err != nil {
			return err
		}
		c.printf("%s %s\n%s", w.Name, w.Arguments, w.Says())
		return nil
	}
	for _, w := range words() {
		c.printf("%-12s  %-33s  %s", w.Name, w.Arguments, w.Says())
	}
	c.printf("\nCommands of the window, which do here what they do there:")
	for _, w := range others(c.s) {
		c.printf("%-19s  %s", w.Name, w.Says())
	}
	c.printf("\nWords may be shortened as long as they are clear: mod call is mode callgraph.")
	return nil
}

func (c *call) pause() {
	c.s.Pause()
	c.printf("paused")
}

func (c *call) resume() {
	c.s.SetFrame(0)
	c.s.Resume()
	c.printf("running")
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
	c.printf("all measurements forgotten; undo brings them back for a minute")
}

func (c *call) undo() {
	if c.s.UndoReset() {
		c.printf("the measurements from before the reset are back, those since it are put away")
		return
	}
	c.printf("nothing to bring back: that is possible for a minute after a reset")
}

func (c *call) show() error {
	mode := viewer.PanelReportAndGraph
	if c.rest != "" {
		at, err := choose("overlay", c.rest, []string{"hud", "report", "full"})
		if err != nil {
			return err
		}
		mode = viewer.PanelHUD + viewer.PanelMode(at)
	}
	c.overlay(mode)
	return nil
}

func (c *call) hide() { c.overlay(viewer.PanelOff) }
func (c *call) hud()  { c.overlay(viewer.PanelHUD) }

// overlay sets how much the overlay shows. A hidden overlay gives the keys back to the program.
func (c *call) overlay(mode viewer.PanelMode) {
	viewer.PanelFor(c.s).Change(func(o *viewer.Options) {
		o.Mode, o.Focused = mode, o.Focused && mode != viewer.PanelOff
	})
	c.printf("overlay %s", [...]string{"hidden", "one line", "report and graph", "full"}[mode])
}

// option calls set with the index of the name that the argument chooses. Without an argument it does nothing.
func (c *call) option(kind string, names []string, set func(at int)) error {
	if c.rest == "" {
		return nil
	}
	at, err := choose(kind, c.rest, names)
	if err == nil {
		set(at)
	}
	return err
}

// number parses an integer. relative reports whether it has a sign.
func number(typed string) (n int, relative bool, err error) {
	if _, err := fmt.Sscanf(typed, "%d", &n); err != nil || fmt.Sprintf("%+d", n) != typed && fmt.Sprint(n) != typed {
		return 0, false, fmt.Errorf("%q is no number", typed)
	}
	return n, typed[0] == '+' || typed[0] == '-', nil
}
