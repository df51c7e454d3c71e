// Package scene holds the data of one picture: a Snapshot of the session, the zone under the mouse, and the found
// zones. Every part of the screen draws from it, so all show the same moment.
package scene

import (
	"image/color"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// CursorZone returns the zone of the cursor's record, or -1.
func (d *Scene) CursorZone() report.ZoneID {
	if r := d.Report.CursorRecord(); r != nil {
		return r.Zone
	}
	return -1
}

// LearnNames finds the short names of new zones.
func (d *Scene) LearnNames() {
	for i := len(d.names); i < len(d.Zones); i++ {
		d.names = append(d.names, report.ShortName(&d.Zones[i]))
	}
}

// Label returns a zone's name as lists show it. The tip has the whole name.
func (d *Scene) Label(zone report.ZoneID, name string) string {
	if zone >= 0 && int(zone) < len(d.names) && d.names[zone] != "" && name == d.Zones[zone].Name {
		return d.names[zone]
	}
	return name
}

// AddFrames adds the area of a graph whose frames are those in sight.
func (d *Scene) AddFrames(c *canvas.Canvas, r canvas.Rect, kind hit.Kind) {
	c.Areas = append(c.Areas, canvas.Area{Rect: r, Hit: hit.Of(kind, 0), Frames: d.Past.Frames, Skip: d.Past.Skip})
}

// Source is a panel's view of a session. Draw takes one Snapshot, so all parts of a screen show the same moment.
type Source interface {
	Get() report.View
	Arrange(change func(a *report.Arrangement))
	PinBaseline()
	ClearSlowest()
	Generation() uint64
	Snapshot(dst *process.Snapshot, o process.SnapshotOptions)
	WantCalls(zone report.ZoneID) (release func())
}

// Scene is the data of one Draw. The next Draw reuses its memory.
type Scene struct {
	process.Snapshot
	View     report.View
	Info     report.FrameInfo
	Hover    hit.Hit  // the part under the mouse
	of       uint64   // Programs of names, Found and Colors
	names    []string // short names, by zone; "" for none
	Found    found    // by the text being searched for
	Colors   zonecolor.Colors
	steady   steady
	ByTime   bool // the history is by time, not by frame: see OneAxis
	Finished bool // see viewer.Options
	Late     bool // the part under the mouse, or the kind of program, has changed: another Draw shows it everywhere
}

// Take takes the snapshot of a Draw.
func (d *Scene) Take(s Source, o process.SnapshotOptions) {
	o.Frames = HistoryFrames
	if o.Values {
		o.Frames = max(o.Frames, o.Past.Skip+o.Past.Frames)
	}
	if o.Around && !d.Info.Live {
		o.Frames = max(o.Frames, min(d.Past.Kept, cardFrames)) // those of the single calls beside them
	}
	if s.Snapshot(&d.Snapshot, o); d.of != d.Programs { // the numbers of zones mean others
		d.of = d.Programs
		d.names = d.names[:0]
		d.Found = found{}
		d.Colors = zonecolor.Colors{}
	}
	d.View, d.Info = d.Report.View, d.Report.Frame
	d.steady.settle(d)
	d.Found.take(d)
}

// Decimals returns the number of decimals for milliseconds of the shown frame.
func (d *Scene) Decimals(c *canvas.Canvas) int { return d.Info.Decimals(c.Averages) }

// AppendParts appends the parts of a frame's length, in the unit that suits the length: see FrameInfo.AppendParts.
func AppendParts(dst []byte, of *report.FrameInfo, decimals int) []byte {
	v, _, decimals := draw.TimeInUnit(of.Length, decimals)
	if i := *of; v > 0 && v != of.Length {
		per := v / of.Length
		i.Length = v
		i.Busy = per * i.Busy
		i.Blocked = per * i.Blocked
		i.Idle = per * i.Idle
		i.GPU = per * i.GPU
		return i.AppendParts(dst, decimals)
	}
	return of.AppendParts(dst, decimals)
}

// ZoneUnderMouse returns the zone that all parts of the screen highlight, or -1.
func (d *Scene) ZoneUnderMouse() report.ZoneID {
	switch d.Hover.Kind {
	case hit.Record, hit.Caret, hit.Zone, hit.Icicle, hit.Legend, hit.Timeline:
		return d.Hover.Zone
	}
	return -1
}

// cardFrames is the greatest number of frames in the statistics of a card that stands still.
const cardFrames = 10_000

// HistoryFrames is the number of frames in the history strip, until the user zooms it.
const HistoryFrames = 300

// CursorFold returns the folded row that hides the cursor's row, or nil.
func (d *Scene) CursorFold() *report.PackageRow {
	line := d.Report.LineOf(d.Report.Cursor)
	if line < 0 || line >= d.Report.Len() {
		return nil
	}
	return d.Report.Package(line)
}

// ZoneOf returns a zone that matches a filter, even if it was not entered in the shown frame. It prefers a zone of
// exactly that name. Without one it returns -1.
func (d *Scene) ZoneOf(filter string) report.ZoneID {
	found := report.ZoneID(-1)
	for i := range d.Zones {
		switch name := strings.ToLower(d.Zones[i].Name); {
		case i == 0 || filter == "": // the root is in each frame
		case name == filter:
			return report.ZoneID(i)
		case found < 0 && strings.Contains(name, filter):
			found = report.ZoneID(i)
		}
	}
	return found
}

// AbsentWords returns words for a usually absent cause: see report.Cause.Absent.
func AbsentWords(c *report.Cause) string {
	switch c.Kind {
	case report.CauseWaiting:
		return "usually no wait here"
	case report.CauseCollector:
		return "usually no stop here"
	}
	return "usually not called here"
}

// VerdictColor returns red for a frame over budget, amber for an unusual frame within it, and grey for one in which the
// program chose to wait.
func VerdictColor(c *canvas.Canvas, v *report.Verdict) color.NRGBA {
	if len(v.Causes) == 1 && v.Causes[0].Chosen {
		return c.Grey
	}
	if v.Over {
		return c.Red
	}
	return c.Amber
}
