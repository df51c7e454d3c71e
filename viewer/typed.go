package viewer

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A Line is one run of a command from a line of text: of the console, of a terminal page, or from another program.
type Line struct {
	Session *process.Session
	Panel   *Panel
	Rest    string // the typed text after the command's name

	command Command
	out     io.Writer
	failed  error // the first error of out
}

// Run runs a command as a line of text; rest is the text after its name. It writes the answer to w. The first error is
// the line's, and the second the first error of w. A command without a function for lines has the effect of its key,
// and answers with its name and words. Any goroutine may call it.
func (c *Command) Run(s *process.Session, w io.Writer, rest string) (wrong, failed error) {
	t := &Line{Session: s, Panel: PanelFor(s), Rest: rest, command: *c, out: w}
	if c.Line != nil {
		wrong = c.Line(t)
	} else if wrong = t.noArguments(); wrong == nil {
		t.act()
	}
	return wrong, t.failed
}

// Printf writes a line to the user.
func (t *Line) Printf(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// Write writes to the user. After an error it writes nothing.
func (t *Line) Write(b []byte) (n int, err error) {
	if t.failed == nil {
		n, t.failed = t.out.Write(b)
	}
	return n, t.failed
}

// act has the effect of the command's key.
func (t *Line) act() {
	t.Panel.Act(t.command.Do)
	t.Printf("%s: %s", t.command.Name, t.command.Described())
}

// onOff are the arguments of switches.
var onOff = []string{"off", "on"}

func index(on bool) int {
	if on {
		return 1
	}
	return 0
}

// zone returns the zone with this name. The name may be shortened. It searches the zones of the shown frame first, then
// all zones since start or Reset.
func (t *Line) zone(typed string) (report.ZoneID, error) {
	ids, names := shownZones(t)
	at, err := Choose("zone", typed, names)
	if err == nil {
		return ids[at], nil
	}
	ids, names = addZones(t, ids, names)
	at, err = Choose("zone", typed, names)
	if err != nil {
		return -1, err
	}
	return ids[at], nil
}

// shownZones returns the zones of the frame shown, and their names.
func shownZones(t *Line) (ids []report.ZoneID, names []string) {
	var r report.Report
	view := t.Panel.view.Get()
	view.Mode, view.Pin = report.ReportSelfTime, nil
	t.Panel.view.AppendReportOf(&r, view)
	for i := range r.Records {
		ids, names = append(ids, r.Records[i].Zone), append(names, text.Name(r.Records[i].Name))
	}
	return ids, names
}

// addZones appends the other zones of the totals. Their goroutines may have ended.
func addZones(t *Line, ids []report.ZoneID, names []string) ([]report.ZoneID, []string) {
	known := map[report.ZoneID]bool{}
	for _, id := range ids {
		known[id] = true
	}
	for _, n := range t.Session.AppendTotals(nil) {
		if !known[n.Zone] {
			known[n.Zone] = true
			ids, names = append(ids, n.Zone), append(names, text.Name(t.Session.Zone(n.Zone).Name))
		}
	}
	return ids, names
}

// zoneAndAnswer parses the name of a zone, and "on" or "off" behind it. answer is "" without either.
func (t *Line) zoneAndAnswer() (zone report.ZoneID, answer string, err error) {
	name := t.Rest
	if at := strings.LastIndexByte(name, ' '); at >= 0 {
		if last := strings.ToLower(name[at+1:]); last == "on" || last == "off" {
			name, answer = strings.TrimSpace(name[:at]), last
		}
	}
	zone, err = t.zone(name)
	return zone, answer, err
}

// noArguments returns an error if the command got arguments.
func (t *Line) noArguments() error {
	if t.Rest != "" {
		return fmt.Errorf("%q is not expected here", t.Rest)
	}
	return nil
}

// Choose returns the index of the choice that typed names: in full, or by a unique prefix. Case does not matter. what
// names the kind of choice in the error.
func Choose(what, typed string, choices []string) (int, error) {
	at, prefixed := -1, []string(nil)
	for i, choice := range choices {
		if strings.EqualFold(choice, typed) {
			return i, nil
		}
		if len(typed) < len(choice) && strings.EqualFold(choice[:len(typed)], typed) {
			at, prefixed = i, append(prefixed, choice)
		}
	}
	switch len(prefixed) {
	case 0:
		return -1, fmt.Errorf("no %s %q; there are %s", what, typed, listed(choices))
	case 1:
		return at, nil
	}
	return -1, fmt.Errorf("%s %q could be %s", what, typed, listed(prefixed))
}

// mostListed is the greatest number of choices that an error lists.
const mostListed = 60

func listed(choices []string) string {
	if len(choices) > mostListed {
		return fmt.Sprintf("%s and %d more", strings.Join(choices[:mostListed], ", "), len(choices)-mostListed)
	}
	return strings.Join(choices, ", ")
}

// option calls set with the index of the name that the argument chooses. Without an argument it does nothing.
func (t *Line) option(kind string, names []string, set func(at int)) error {
	if t.Rest == "" {
		return nil
	}
	at, err := Choose(kind, t.Rest, names)
	if err == nil {
		set(at)
	}
	return err
}

// number parses an integer. relative reports whether it has a sign.
func number(typed string) (n int, relative bool, err error) {
	n, err = strconv.Atoi(typed)
	if err != nil || fmt.Sprintf("%+d", n) != typed && fmt.Sprint(n) != typed {
		return 0, false, fmt.Errorf("%q is not a number", typed)
	}
	return n, typed[0] == '+' || typed[0] == '-', nil
}

// bare makes a command from a function without arguments.
func bare(do func(*Line)) func(*Line) error {
	return func(t *Line) error {
		if err := t.noArguments(); err != nil {
			return err
		}
		do(t)
		return nil
	}
}
