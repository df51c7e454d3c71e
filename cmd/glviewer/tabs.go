package main

import (
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/input"
	"example.com/iprof/internal/budget"
	"example.com/iprof/process"
	"example.com/iprof/source"
	"example.com/iprof/viewer"
)

// tab is one of the things that the window can show: the sample, a capture or a program elsewhere.
type tab struct {
	name     string
	title    string // of the window
	saved    bool   // its frames have been saved as a capture
	path     string // of a capture, else ""
	session  *process.Session
	panel    *viewer.Panel
	link     *link    // nil without a program elsewhere
	keeper   *keeper  // nil for a capture
	imported *os.File // the capture made of a file of another tool, else nil
	budget   budget.Budget
	sources  *source.Reader
	roots    []string                // folders of -source
	reached  atomic.Pointer[os.File] // the capture whose older frames are read when they are shown, or nil
	closed   chan struct{}
}

// newTab adds a tab. The first one has the program's own session.
func (v *application) newTab(name string) *tab {
	t := &tab{name: name, title: "IProf · " + name, session: process.NewSession(), budget: v.limits,
		roots: v.options.sources, closed: make(chan struct{})}
	if len(v.tabs) == 0 {
		t.session = process.Default()
	}
	t.panel = viewer.PanelFor(t.session)
	t.panel.Change(func(o *viewer.Options) { o.Title, o.Mode, o.Focused = name, viewer.PanelFull, true })
	v.tabs = append(v.tabs, t)
	v.listen(t)
	v.startTimeline(t)
	return t
}

// switchTo shows another tab.
func (v *application) switchTo(t *tab) {
	if v.tab == t {
		return
	}
	v.tab, v.contrast = t, nil
	v.window.SetTitle(t.title)
	v.next = time.Time{}
	glfw.PostEmptyEvent()
}

// turn shows the tab so many places to the right.
func (v *application) turn(by int) {
	n := len(v.tabs)
	v.switchTo(v.tabs[((slices.Index(v.tabs, v.tab)+by)%n+n)%n])
}

// closeTab closes the tab that is shown. The last one stays.
func (v *application) closeTab() {
	at := slices.Index(v.tabs, v.tab)
	if len(v.tabs) == 1 || v.tab.session == process.Default() {
		v.panel.Note("this tab stays: Ctrl+Q closes the window")
		return
	}
	gone := v.tab
	v.tabs = slices.Delete(v.tabs, at, at+1)
	v.switchTo(v.tabs[min(at, len(v.tabs)-1)])
	gone.close()
	gone.session.ForgetProgram()
}

// close ends a tab's connection, and the reading of its file.
func (t *tab) close() {
	close(t.closed)
	t.link.close()
	t.keeper.close()
	closeImported(t.imported)
	if file := t.reached.Load(); file != nil {
		t.closeRead(file)
	}
}

// still reports whether the tab shows nothing of this process.
func (t *tab) still() bool { return t.path != "" || t.link != nil }

// tabCommands adds the commands of the window to a tab's panel.
func (v *application) tabCommands(t *tab, c *input.Controller) {
	for _, k := range []struct {
		key          input.Key
		mods         input.Mods
		name, action string
		group        viewer.Group
		do           func()
	}{
		{input.KeyTab, input.ModControl, "next-tab", "the next tab", viewer.GroupDisplay, func() { v.turn(1) }},
		{input.KeyTab, input.ModControl | input.ModShift, "previous-tab", "the tab before", viewer.GroupDisplay,
			func() { v.turn(-1) }},
		{'W', input.ModControl, "close-tab", "close this tab", viewer.GroupDisplay, v.closeTab},
		{'D', input.ModControl, "compare-tabs", "compare the tab before with this one", viewer.GroupOutput,
			v.contrastTabs},
		{'O', input.ModControl, "open", "open a capture or a trace", viewer.GroupOutput,
			func() { v.prompt.show() }},
		{'S', input.ModControl | input.ModShift, "save-capture", "save a capture of all since the window opened",
			viewer.GroupOutput, func() { v.saves.ask(saveCapture) }},
	} {
		t.panel.AddCommand(viewer.Command{Name: k.name, Group: k.group, Action: k.action, Always: true,
			Do: func(*process.Session, *viewer.Panel) { k.do() }})
		c.Bind(k.key, k.mods, k.name)
	}
	v.exportCommands(t)
}

// showFile opens a capture in a tab of its own, or shows the tab that has it.
func (v *application) showFile(path string) {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	for _, t := range v.tabs {
		if t.path == path {
			v.switchTo(t)
			return
		}
	}
	t := v.newTab(filepath.Base(path))
	if err := v.open(t, path); err != nil {
		v.tabs = v.tabs[:len(v.tabs)-1]
		v.window.SetTitle(v.tab.title)
		v.panel.Note("not opened: " + err.Error())
		return
	}
	v.switchTo(t)
}
