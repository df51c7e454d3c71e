package draw

// HitKind says what lies at a place on the screen.
type HitKind uint8

// The kinds, with what their Hit tells besides.
const (
	HitNone         HitKind = iota // nothing of the panel's
	HitPanel                       // the panel's ground: the host's picture is hidden there
	HitRecord                      // a row of the table: Index of the record, Zone, Path
	HitGraph                       // a column of the history: Age of the frame
	HitHeader                      // a heading of the table: Index is the process.Column
	HitIcicle                      // a bar of the call structure: Zone, Path
	HitTab                         // a tab: Index is the process.ReportMode
	HitPause                       // the sign that says live or paused
	HitLegend                      // a zone's name beside the history: Zone
	HitZone                        // a zone's name on the zone card: Zone, Path
	HitSlow                        // a frame of the slowest: Index is its rank, Age its age, or -1 when its report is lost
	HitClear                       // the sign that clears the slowest frames
	HitCompare                     // the sign that says what is compared with: it ends comparing
	HitStructure                   // the call structure beside its bars: the frame itself
	HitCaret                       // the sign of a row that folds or opens: Index of the record, Zone, Path
	HitFilter                      // the text that names must hold
	HitColumn                      // a line of the column chooser: Index is the process.Column
	HitLane                        // a line of the lane picker: Lane
	HitMenuAway                    // beside an open menu: it closes
	HitLanes                       // the sign that says which lane is shown: it opens the picker
	HitAxis                        // under the columns of the history: Age of the frame, which a drag moves
	HitCommand                     // a line of a menu, or a sign that does a thing: Name of the command
	HitPackage                     // a row that sums up a package: Index is its place among them
	HitTimeline                    // the timeline: of a scope Zone, Lane, and Index, which is good until the next Draw
	HitTimelineLane                // the name of a lane beside its band: Lane
)

// Hit is what lies at a place. Fields that the kind does not tell of are zero; Zone and Path then are -1.
type Hit struct {
	Kind       HitKind
	Index      int
	Zone, Path int32
	Age        int
	Lane       uint64
	Name       string
}

// area is a place on the screen and what lies there.
type area struct {
	rect
	hit     Hit
	columns int // of a graph: how many frames lie side by side in it, the newest at the right
}

// add remembers an area. Later ones lie above earlier ones.
func (c *canvas) add(r rect, h Hit) { c.areas = append(c.areas, area{rect: r, hit: h}) }

// nothing is a hit of a kind that is no zone's.
func hitOf(kind HitKind, index int) Hit { return Hit{Kind: kind, Index: index, Zone: -1, Path: -1} }

// hitAt finds the topmost area.
func (c *canvas) hitAt(x, y float32) Hit {
	for i := len(c.areas) - 1; i >= 0; i-- {
		a := &c.areas[i]
		if !a.contains(x, y) {
			continue
		}
		h := a.hit
		if a.columns > 0 {
			column := int((x - a.x0) / (a.x1 - a.x0) * float32(a.columns))
			h.Age = a.columns - 1 - min(max(column, 0), a.columns-1)
		}
		return h
	}
	return hitOf(HitNone, 0)
}

// HitAt tells what the last Draw put at a place, in pixels.
func (p *Panel) HitAt(x, y float32) Hit {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hit(x, y)
}
