package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"example.com/iprof/draw"
	"example.com/iprof/input"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/moment"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/source"
	"example.com/iprof/viewer"
)

// Tab is one view in the window: the sample, a capture or a remote program.
type Tab struct {
	viewer   string // name of the viewer, for messages
	name     string
	saved    bool         // its frames have been saved as a capture
	path     string       // of a capture, else ""
	set      string       // of frames in it that the tab shows, "" for the program's own
	fill     func() error // reads what the tab shows, when it is shown; nil afterwards
	wanted   string       // the link to a moment that is not shown yet, else ""
	linked   bool         // a link has chosen the view
	moment   string       // the link to the moment of a generation of the view
	momentAt uint64
	explains bool // the user has not gone elsewhere: see explain
	session  *process.Session
	panel    *viewer.Panel
	link     *link    // nil without a remote program
	keeper   *keeper  // nil for a capture
	imported *os.File // the capture made from a file of another tool, else nil
	budget   budget.Budget
	sources  *source.Reader
	roots    []string                // folders of -source
	reached  atomic.Pointer[os.File] // the capture whose older frames are read on demand, or nil
	closed   chan struct{}

	explained *report.Verdict                    // the one drawn by explain, or nil
	whole     atomic.Pointer[framefile.Contents] // of a capture whose frames have all been read, for explain
}

// NewTab adds a tab. The first one has the program's own session, and is shown.
func (d *Desk) NewTab(name string) *Tab {
	t := &Tab{viewer: d.options.Viewer, session: process.NewSession(),
		budget: d.options.Limits, roots: d.options.Roots, closed: make(chan struct{})}
	if len(d.tabs) == 0 {
		t.session = process.Default()
	}
	d.call(t, name, "")
	t.panel = viewer.PanelFor(t.session)
	t.panel.Change(func(o *viewer.Options) {
		o.Title, o.Mode, o.Focused = t.name, viewer.PanelFull, true
		d.dress(o)
	})
	d.tabs = append(d.tabs, t)
	if d.tab == nil {
		d.tab = t
	}
	d.listen(t)
	d.startTimeline(t)
	return t
}

// call gives a tab a name that no other tab has: with the folder of its file or, if that is taken too, with a number.
func (d *Desk) call(t *Tab, name, path string) {
	taken := func() bool {
		return slices.ContainsFunc(d.tabs, func(other *Tab) bool { return other != t && other.name == name })
	}
	if path != "" && taken() {
		name = filepath.Base(filepath.Dir(path)) + "/" + name
	}
	whole := name
	for n := 2; taken(); n++ {
		name = fmt.Sprintf("%s (%d)", whole, n)
	}
	t.name = name
}

// dress gives a new tab the look of the shown one, and the first tab the look of the last window.
func (d *Desk) dress(o *viewer.Options) {
	if d.tab == nil {
		d.options.Settings.dress(o)
		return
	}
	as := d.tab.panel.Options()
	o.Scale, o.Theme, o.Columns = as.Scale, as.Theme, as.Columns
	o.KeptZones, o.KeptLanes = as.KeptZones, as.KeptLanes
}

// SetTheme sets the theme of all tabs and of later ones. The user may choose another for each tab.
func (d *Desk) SetTheme(theme draw.Theme) {
	d.options.Settings.Theme = Themes[theme%draw.NumThemes]
	for _, t := range d.tabs {
		t.panel.Change(func(o *viewer.Options) { o.Theme = theme })
	}
}

// switchTo shows another tab.
func (d *Desk) switchTo(t *Tab) {
	if d.tab == t {
		return
	}
	d.tab = t
	d.fillNow(t)
	d.contrast = nil
	if d.Greets() {
		d.greeting.choices = d.choices() // lists captures opened since
	}
	d.host.Title(t.Title())
	d.host.Wake()
}

// turn shows the tab by places to the right of the shown one.
func (d *Desk) turn(by int) {
	n := len(d.tabs)
	d.switchTo(d.tabs[((slices.Index(d.tabs, d.tab)+by)%n+n)%n])
}

// closeTab closes the shown tab. The last one stays.
func (d *Desk) closeTab() {
	at := slices.Index(d.tabs, d.tab)
	if len(d.tabs) == 1 || d.tab.session == process.Default() {
		d.note("this tab stays: " + d.ending())
		return
	}
	gone := d.tab
	d.tabs = slices.Delete(d.tabs, at, at+1)
	d.switchTo(d.tabs[min(at, len(d.tabs)-1)])
	gone.close()
	gone.session.ForgetProgram()
}

// close ends a tab's connection, and the reading of its file.
func (t *Tab) close() {
	close(t.closed)
	t.link.close()
	t.keeper.close()
	closeImported(t.imported)
	if file := t.reached.Load(); file != nil {
		t.closeRead(file)
	}
}

// Detached reports whether the tab shows nothing of this process.
func (t *Tab) Detached() bool { return t.path != "" || t.link != nil }

// tabCommands adds the commands of the window to a tab's panel.
func (d *Desk) tabCommands(t *Tab, c *input.Controller) {
	for _, k := range []struct {
		key          input.Key
		mods         input.Mods
		name, action string
		group        viewer.CommandGroup
		do           func()
	}{
		{input.KeyTab, input.ModControl, "next-tab", "the next tab", viewer.GroupDisplay, func() { d.turn(1) }},
		{input.KeyTab, input.ModControl | input.ModShift, "previous-tab", "the tab before", viewer.GroupDisplay,
			func() { d.turn(-1) }},
		{'W', input.ModControl, "close-tab", "close this tab", viewer.GroupDisplay, d.closeTab},
		{'D', input.ModControl, "compare-tabs", "compare with the tab left of it, or with the baseline",
			viewer.GroupOutput, d.contrastTabs},
		{'O', input.ModControl, "open", "open a capture or a trace", viewer.GroupOutput,
			d.choose},
		{0, 0, "connect", "connect to a program that runs", viewer.GroupOutput, d.askAddress},
		{0, 0, "run-program", "run a program of yours and show it", viewer.GroupOutput, d.askProgram},
		{'S', input.ModControl | input.ModShift, "save-capture", "save a capture of all frames since the window opened",
			viewer.GroupOutput, func() { d.saves.ask(saveCapture) }},
	} {
		if !d.offers(k.name) {
			continue
		}
		t.panel.AddCommand(viewer.Command{Name: k.name, Group: k.group, Action: k.action, Always: true,
			Do: func(*process.Session, *viewer.Panel) { k.do() }})
		if k.key != 0 {
			c.Bind(k.key, k.mods, k.name)
		}
	}
	if d.options.Browser {
		c.Unbind('Q', input.ModControl)
		for _, k := range browserKeys {
			_ = c.Rebind(k.Command, k.Key, k.Mods) // a command that is not offered needs no key
		}
	}
	d.exportCommands(t)
}

// browserKeys are the keys of commands in a browser, which keeps their usual keys for itself.
var browserKeys = [...]input.Binding{
	{Key: input.KeyPageDown, Mods: input.ModAlt, Command: "next-tab"},
	{Key: input.KeyPageUp, Mods: input.ModAlt, Command: "previous-tab"},
	{Key: 'Q', Mods: input.ModAlt, Command: "close-tab"},
	{Key: 'N', Mods: input.ModAlt, Command: "call-list"},
	{Key: 'N', Mods: input.ModAlt | input.ModShift, Command: "trace-allocations"},
	{Key: 'O', Mods: input.ModAlt, Command: "pick-lane"},
	{Key: 'R', Mods: input.ModAlt | input.ModShift, Command: "recording"},
	{Key: input.KeyEqual, Mods: input.ModAlt | input.ModShift, Command: "larger"},
	{Key: input.KeyMinus, Mods: input.ModAlt | input.ModShift, Command: "smaller"},
	{Key: '0', Mods: input.ModAlt | input.ModShift, Command: "unscaled"},
}

// Uses reports whether a key has a command in the shown tab. In a browser, all other keys with Ctrl are the browser's.
func (d *Desk) Uses(k input.Key, m input.Mods) bool {
	same := func(b input.Binding) bool { return b.Key == k && b.Mods == m }
	return slices.ContainsFunc(d.controller().Bindings(), same)
}

// choose asks for files to open.
func (d *Desk) choose() {
	if d.host.Choose != nil {
		d.host.Choose()
		return
	}
	d.prompt.ask(d.files())
}

// ShowFile opens a capture in a new tab, or shows the tab that already has it.
func (d *Desk) ShowFile(path string) {
	path, link := moment.Split(path)
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	for _, t := range d.tabs {
		if t.path == path && t.set == "" {
			d.switchTo(t)
			d.GoTo(link)
			return
		}
	}
	d.show(filepath.Base(path), func(t *Tab) error { return d.open(t, path, link) })
}

// show shows a new tab if fill succeeds.
func (d *Desk) show(name string, fill func(t *Tab) error) {
	t := d.NewTab(name)
	if err := fill(t); err != nil {
		d.tabs = d.tabs[:len(d.tabs)-1]
		d.host.Title(d.tab.Title())
		d.note("not opened: " + err.Error())
		return
	}
	d.switchTo(t)
}
