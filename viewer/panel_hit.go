package viewer

import "example.com/iprof/process"

// HitKind is the kind of thing at a place on the screen.
type HitKind uint8

// The kinds, and the fields that their hits have.
const (
	HitNone         HitKind = iota // nothing of the panel
	HitPanel                       // the panel's ground: the host's picture is hidden there
	HitRecord                      // a row of the table: Index of the record, Zone, Path
	HitGraph                       // a column of the history: Age of the frame
	HitHeader                      // a heading of the table: Index is the process.Column
	HitIcicle                      // a bar of the call structure: Zone, Path
	HitTab                         // a tab: Index is the process.ReportMode
	HitPause                       // the sign that says live or paused
	HitLegend                      // a zone's name beside the history: Zone
	HitZone                        // a zone's name on the zone card: Zone, Path
	HitSlow                        // one of the slowest frames: Index is its rank; Age is -1 if its report is lost
	HitClear                       // the sign that clears the slowest frames
	HitCompare                     // the sign that names the baseline, and ends comparing
	HitStructure                   // the call structure outside its bars: the frame itself
	HitCaret                       // the caret of a row that folds or opens: Index of the record, Zone, Path
	HitFilter                      // the text of the filter
	HitColumn                      // a line of the column chooser: Index is the process.Column
	HitLane                        // a line of the lane picker: Lane, or the Name of a group that opens
	HitMenuAway                    // the screen outside an open menu: a press closes the menu
	HitLanes                       // the sign that names the lane, and opens the lane picker
	HitAxis                        // the axis below the history: Age of the frame; a drag chooses the frame
	HitCommand                     // a line of a menu, or a button: Name of the command
	HitPackage                     // the row of a package: Index is the package's number
	HitTimeline                    // the timeline: Zone, Lane and Index of a scope; the Index is for the last Draw
	HitTimelineLane                // a lane's name beside its band: Lane; a group's: Name, which opens
	HitBorder                      // the border of two columns: Index is the process.Column at its right
	HitGuide                       // a part of the guided look: Index is for Press
)

// A Hit describes what lies at a place on the screen. Fields that the kind does not have are zero, but Zone and Path
// are -1.
type Hit struct {
	Kind  HitKind
	Index int
	Zone  process.ZoneID
	Path  int32
	Age   int
	Lane  process.LaneID
	Name  string

	row *process.TimelineRow // of a scope
}

// area is a place on the screen with its hit.
type area struct {
	rect
	hit    Hit
	frames int // number of frames side by side in a graph, the newest at the right
	skip   int // age of the newest of them
}

// add adds an area. Later areas lie above earlier ones.
func (c *canvas) add(r rect, h Hit) { c.areas = append(c.areas, area{rect: r, hit: h}) }

// addFrames adds the area of a graph whose frames are those in sight.
func (c *canvas) addFrames(r rect, kind HitKind, d *shown) {
	c.areas = append(c.areas, area{r, hitOf(kind, 0), d.Past.Frames, d.Past.Skip})
}

// hitOf returns a hit of a kind that has no zone.
func hitOf(kind HitKind, index int) Hit { return Hit{Kind: kind, Index: index, Zone: -1, Path: -1} }

// hitAt returns the hit of the topmost area at a place.
func (c *canvas) hitAt(x, y float32) Hit {
	for i := len(c.areas) - 1; i >= 0; i-- {
		a := &c.areas[i]
		if !a.contains(x, y) {
			continue
		}
		h := a.hit
		if a.frames > 0 {
			column := int((x - a.x0) / (a.x1 - a.x0) * float32(a.frames))
			h.Age = a.skip + a.frames - 1 - min(max(column, 0), a.frames-1)
		}
		return h
	}
	return hitOf(HitNone, 0)
}

// HitAt returns what the last Draw put at a place, in pixels. Outside the panel it is HitNone.
func (p *Panel) HitAt(x, y float32) Hit {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hit(x, y)
}

// Press does what a click on a hit changes in the panel alone: it sorts by a heading, chooses a column, folds a
// package, goes on with the guided look, and closes the menu of the hit. It reports whether the hit is one of these.
// Any goroutine may call it.
func (p *Panel) Press(hit Hit) bool {
	switch hit.Kind {
	case HitHeader:
		p.sortBy(process.Column(hit.Index))
	case HitColumn:
		p.toggleColumn(process.Column(hit.Index))
	case HitPackage:
		p.toggleFold(hit.Index)
	case HitLane:
		if hit.Name != "" {
			p.toggleGroup(hit.Name)
			return true
		}
		p.closeMenu()
	case HitTimelineLane:
		if hit.Name == "" {
			return false
		}
		p.change(func() { p.timeline.bands.open.toggle(hit.Name) })
	case HitCommand, HitMenuAway:
		p.closeMenu()
	case HitGuide:
		p.pressGuide(hit.Index)
	default:
		return false
	}
	return true
}

// FrameAt returns the number (FrameSummary.Index) of the frame of a hit in the last Draw: of its Age for HitGraph and
// HitAxis, and of its rank for HitSlow. The bool is false for other hits, if there is no such frame, and if
// Session.ShowFrame cannot show the slow frame. Any goroutine may call it.
func (p *Panel) FrameAt(hit Hit) (index uint64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch hit.Kind {
	case HitGraph, HitAxis:
		return p.frameOfAge(hit.Age)
	case HitSlow:
		return p.slowFrame(hit.Index)
	}
	return 0, false
}
