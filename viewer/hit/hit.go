// Package hit describes the thing at a place of the profiler's screen, so that a click there can act on it.
//
//	switch h := panel.HitAt(x, y); h.Kind { // panel is a viewer.Panel
//	case hit.Record:
//		session.SetCursor(h.Index)
//	case hit.Command:
//		panel.Run(h.Name)
//	}
package hit

import "example.com/iprof/process/report"

// Kind is the kind of thing at a place on the screen.
type Kind uint8

// The kinds, and the fields that their hits have.
const (
	None         Kind = iota // nothing of the panel
	Panel                    // the panel's ground: the host's picture is hidden there
	Record                   // a row of the table: Index of the record, Zone, Path
	Graph                    // a column of the history: Age of the frame
	Header                   // a heading of the table: Index is the report.Column
	Icicle                   // a bar of the call structure: Zone, Path
	Tab                      // a tab: Index is the report.ReportMode
	Pause                    // the sign that says live or paused
	Legend                   // a zone's name beside the history: Zone
	Zone                     // a zone's name on the zone card: Zone, Path
	Slow                     // one of the slowest frames: Index is its rank; Age is -1 if its report is lost
	Clear                    // the sign that clears the slowest frames
	Compare                  // the sign that names the baseline, and ends comparing
	Structure                // the call structure outside its bars: the frame itself
	Caret                    // the caret of a row that folds or opens: Index of the record, Zone, Path
	Filter                   // the text of the filter
	Column                   // a line of the column chooser: Index is the report.Column
	Lane                     // a line of the lane picker: Lane, or the Name of a group that opens
	MenuAway                 // the screen outside an open menu: a press closes the menu
	Lanes                    // the sign that names the lane, and opens the lane picker
	Axis                     // the axis below the history: Age of the frame; a drag chooses the frame
	Command                  // a line of a menu, or a button: Name of the command
	Package                  // the row of a package: Index is the package's number
	Timeline                 // the timeline: Zone, Lane and Index of a scope; Age of the frame, or -1
	TimelineLane             // a lane's name beside its band: Lane; a group's: Name, which opens
	Border                   // the border of two columns: Index is the report.Column at its right
	Guide                    // a part of the guided look: Index is 0 to go on, 1 to go back, 2 to end it
	Ribbon                   // the whole run above the history
	Spread                   // a histogram, or a number below one: Index is its number
	ListRow                  // a row of a list: Index is its place
	ListHeader               // a heading of a list: Index is the column
	LateGroup                // the words of late frames of one cause: Index is its place in report.Overview.Groups
	Comment                  // the flag of a comment: Index is its place in viewer.Options.Comments
	Section                  // a section of the run above the history: Index is report.Section.Number
)

// A Hit describes the thing at a place on the screen. Fields that its kind does not have are zero, except that Zone and
// Path are -1.
type Hit struct {
	Kind  Kind
	Index int
	Zone  report.ZoneID
	Path  int32
	Age   int
	Lane  report.LaneID
	Name  string
}

// Of returns a hit of a kind that has no zone.
func Of(kind Kind, index int) Hit { return Hit{Kind: kind, Index: index, Zone: -1, Path: -1} }

// OfCommand returns a hit that runs a command.
func OfCommand(name string) Hit {
	h := Of(Command, 0)
	h.Name = name
	return h
}
