package viewer

import (
	"slices"

	"example.com/iprof/process"
)

// mostKept is the greatest number of zones, and of goroutines, kept at the top.
const mostKept = 20

// toggled removes a name from a list, or appends it if absent.
func toggled(list []string, name string) []string {
	if at := slices.Index(list, name); at >= 0 {
		return slices.Delete(slices.Clone(list), at, at+1)
	}
	list = append(slices.Clip(list), name)
	return list[max(len(list)-mostKept, 0):]
}

// keepZone toggles whether the row of the cursor's zone stays at the top of flat reports.
func keepZone(s *process.Session, p *Panel) {
	r, ok := cursorRecord(s)
	if !ok {
		return
	}
	p.keepLook()
	p.Change(func(o *Options) { o.KeptZones = toggled(o.KeptZones, r.Name) })
	if !s.View().Mode.Flat() && slices.Contains(p.Options().KeptZones, r.Name) {
		p.Note(r.Name + " is first in the lists of zones; a tree keeps its order")
	}
}

// keepLane toggles whether a goroutine stays at the top of the timeline: the one under the mouse, or the only shown
// one.
func keepLane(s *process.Session, p *Panel) {
	p.mu.Lock()
	name := p.laneAsked
	p.laneAsked = ""
	if name == "" {
		name = p.timeline.NameOf(p.shown.Hover)
	}
	if name == "" && p.shown.View.Lane != 0 {
		name = p.shown.Info.Lane
	}
	p.mu.Unlock()
	if name == "" {
		p.Note("point at a goroutine of the timeline, or show one alone")
		return
	}
	p.keepLook()
	p.Change(func(o *Options) { o.KeptLanes = toggled(o.KeptLanes, name) })
}

// openLaneMenu opens the menu of the goroutine at a place of the timeline. The place is as for openRowMenu.
func (p *Panel) openLaneMenu(x, y float32) {
	p.mu.Lock()
	p.laneAsked = p.timeline.NameOf(p.hit(x, y))
	name := p.laneAsked
	p.mu.Unlock()
	if name == "" {
		p.openCommands(x, y)
		return
	}
	p.openItems(name, []MenuItem{
		p.item("keep-lane", "keep it at the top", slices.Contains(p.Options().KeptLanes, name)),
		p.item("open-groups", "", false),
		p.item("pick-lane", "", false),
		p.item("menu", "more …", false),
	}, x, y)
}

func openLaneMenu(_ *process.Session, p *Panel) { p.openLaneMenu(nowhere()) }
