package viewer

import (
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/strip"
)

// HitKind is the kind of thing at a place on the screen: see package hit.
type HitKind = hit.Kind

// A Hit describes what lies at a place on the screen: see package hit.
type Hit = hit.Hit

// The kinds of hits, and the fields that their hits have.
const (
	HitNone         = hit.None         // nothing of the panel
	HitPanel        = hit.Panel        // the panel's background, which hides the host's picture
	HitRecord       = hit.Record       // a row of the table: Index of the record, Zone, Path
	HitGraph        = hit.Graph        // a column of the history: Age of the frame
	HitHeader       = hit.Header       // a heading of the table: Index is the report.Column
	HitIcicle       = hit.Icicle       // a bar of the call structure: Zone, Path
	HitTab          = hit.Tab          // a tab: Index is the report.ReportMode
	HitPause        = hit.Pause        // the live or paused sign
	HitLegend       = hit.Legend       // a zone's name beside the history: Zone
	HitZone         = hit.Zone         // a zone's name on the zone card: Zone, Path
	HitSlow         = hit.Slow         // one of the slowest frames: Index is its rank; Age is -1 if its report is lost
	HitClear        = hit.Clear        // the sign that clears the slowest frames
	HitCompare      = hit.Compare      // the sign that names the baseline, and ends comparing
	HitStructure    = hit.Structure    // the call structure outside its bars: the frame itself
	HitCaret        = hit.Caret        // the caret of a row that folds or opens: Index of the record, Zone, Path
	HitFilter       = hit.Filter       // the text of the filter
	HitColumn       = hit.Column       // a line of the column chooser: Index is the report.Column
	HitLane         = hit.Lane         // a line of the lane picker: Lane, or the Name of a group that opens
	HitMenuAway     = hit.MenuAway     // the screen outside an open menu: a press closes the menu
	HitLanes        = hit.Lanes        // the sign that names the lane, and opens the lane picker
	HitAxis         = hit.Axis         // the axis below the history: Age of the frame; a drag chooses the frame
	HitCommand      = hit.Command      // a line of a menu, or a button: Name of the command
	HitPackage      = hit.Package      // the row of a package: Index is the package's number
	HitTimeline     = hit.Timeline     // the timeline: Zone, Lane and Index of a scope; Age of the frame, or -1
	HitTimelineLane = hit.TimelineLane // a lane's name beside its band: Lane; a group's: Name, which opens
	HitBorder       = hit.Border       // the border of two columns: Index is the report.Column at its right
	HitGuide        = hit.Guide        // a part of the guided look: Index is for Press
	HitSpread       = hit.Spread       // a histogram, or a number below one: Index is for StartBrush
	HitListRow      = hit.ListRow      // a row of a list: Index is its place
	HitListHeader   = hit.ListHeader   // a heading of a list: Index is the column
	HitRibbon       = hit.Ribbon       // the whole run above the history
	HitLateGroup    = hit.LateGroup    // late frames of one cause: Index is its place in report.Overview.Groups
	HitComment      = hit.Comment      // the flag of a comment: Index is its place in Options.Comments
	HitSection      = hit.Section      // a section of the run: Index is report.Section.Number
)

// HitAt returns the hit at a place of the last Draw, in pixels. Outside the panel it is HitNone.
func (p *Panel) HitAt(x, y float32) Hit {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hit(x, y)
}

// frameAt returns the number (FrameSummary.Index) of the frame of a hit in the last Draw: of its Age for HitGraph and
// HitAxis, and of its rank for HitSlow. ok is false for other hits, without such a frame, and if Session.ShowFrame
// cannot show the slow frame. Any goroutine may call it.
func (p *Panel) frameAt(hit Hit) (index uint64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch hit.Kind {
	case HitGraph, HitAxis:
		return p.frameOfAge(hit.Age)
	case HitSlow:
		return strip.SlowFrame(&p.shown, hit.Index)
	}
	return 0, false
}

// hit returns the hit at a place. On the timeline it includes the scope.
func (p *Panel) hit(x, y float32) Hit {
	h := p.canvas.HitAt(x, y)
	if p.shown.ByTime && (h.Kind == HitGraph || h.Kind == HitAxis) {
		h.Age = p.shown.AgeAt(p.strip.Plot, x)
	}
	switch h.Kind {
	case HitTimeline:
		if s, ok := p.timeline.ScopeUnder(x, y); ok {
			h.Index, h.Zone, h.Lane = s.At, s.Zone(), s.Lane
		}
		h.Age = p.timeline.AgeUnder(x)
	case HitGraph:
		if y >= p.strip.Plot.Y1 {
			break // in the strip below, where other columns are high
		}
		h.Age = p.strip.Snap(&p.shown, x, p.canvas.Em, h.Age)
	}
	return h
}
