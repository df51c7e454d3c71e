package viewer

import (
	"slices"

	"example.com/iprof/process"
)

// mostKept is the greatest number of zones, and of goroutines, kept at the top.
const mostKept = 20

// toggleName removes a name from a list, or appends it if absent.
func toggleName(list []string, name string) []string {
	if at := slices.Index(list, name); at >= 0 {
		return slices.Delete(slices.Clone(list), at, at+1)
	}
	list = append(slices.Clip(list), name)
	return list[max(len(list)-mostKept, 0):]
}

// keepZone toggles whether the row of the cursor's zone stays at the top of flat reports.
func keepZone(_ *process.Session, p *Panel) {
	r, ok := cursorRecord(p.view)
	if !ok {
		return
	}
	keepLook(p)
	p.Change(func(o *Options) { o.KeptZones = toggleName(o.KeptZones, r.Name) })
	if !p.view.Get().Mode.Flat() && slices.Contains(p.Options().KeptZones, r.Name) {
		p.Note(r.Name + " is first in the lists of zones; a tree keeps its order")
	}
}

// keepLane toggles whether a goroutine stays at the top of the timeline: the one under the mouse, or the only shown
// one.
func keepLane(_ *process.Session, p *Panel) {
	p.mu.Lock()
	name := p.menu.goroutine
	p.menu.goroutine = ""
	if name == "" {
		name = p.timeline.NameOf(p.scene.Hover)
	}
	if name == "" && p.scene.View.Lane != 0 {
		name = p.scene.Info.Lane
	}
	p.mu.Unlock()
	if name == "" {
		p.Note("point at a goroutine of the timeline, or show one alone")
		return
	}
	keepLook(p)
	p.Change(func(o *Options) { o.KeptLanes = toggleName(o.KeptLanes, name) })
}

// openLaneMenu opens the menu of a goroutine of the timeline, or that of all commands without one.
func (m *menuPart) openLaneMenu(name string, x, y float32) {
	m.change(func() { m.goroutine = name })
	if name == "" {
		m.openCommands(x, y)
		return
	}
	m.openItems(name, []MenuItem{
		m.item("keep-lane", "keep it at the top", slices.Contains(m.Options().KeptLanes, name)),
		m.item("open-groups", "", false),
		m.item("pick-lane", "", false),
		m.item("menu", "more …", false),
	}, x, y)
}
