// Package asjson is the JSON form of what IProf measures: of a program's dump, of the reports of iprof run, and of the
// commands that show captures. All of them write a File; each fills the fields that it knows. The comment of
// text.WriteJSON lists the fields for users.
//
//	asjson.WriteDump(w, session.Dump(report.DumpOptions{}), nil)
//	asjson.Write(w, &asjson.File{Frames: 7, Report: asjson.ReportOf(&r, session.Zone)})
//
// Names are any bytes, and read back as they were: see Text. No byte that is written can control a terminal or a page.
package asjson

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/report"
)

// Format and Version are the first two fields of each file. A reader refuses another format, and a greater version.
const (
	Format  = "iprof"
	Version = 2
)

// File is the whole object.
type File struct {
	Format    string    `json:"format"`
	Version   int       `json:"version"`
	Kind      string    `json:"kind,omitempty"` // of program: see report.Kind
	Program   Text      `json:"program,omitempty"`
	Arguments []Text    `json:"arguments,omitempty"`
	Time      time.Time `json:"time,omitzero"`
	GoVersion Text      `json:"go_version,omitempty"`
	Machine   Text      `json:"machine,omitempty"`
	Complete  *bool     `json:"complete,omitempty"` // of a capture: it has its end
	Frames    uint64    `json:"frames"`
	Missed    uint64    `json:"missed_frames,omitempty"` // of a stream: frames between the line before and this one

	RunTime        time.Duration `json:"run_time_ns,omitempty"`
	CPU            time.Duration `json:"cpu_ns,omitempty"`
	Calls          uint64        `json:"calls,omitempty"`
	Overhead       time.Duration `json:"overhead_ns,omitempty"`
	OverheadLow    time.Duration `json:"overhead_low_ns,omitempty"`
	OverheadHigh   time.Duration `json:"overhead_high_ns,omitempty"`
	TicksPerSecond float64       `json:"ticks_per_second,omitempty"`
	Clock          *Clock        `json:"clock,omitempty"`
	Budget         time.Duration `json:"budget_ns,omitempty"`
	Warnings       []Text        `json:"warnings,omitempty"`
	Disturbed      *Disturbed    `json:"disturbed,omitempty"`
	Verdict        *Verdict      `json:"verdict,omitempty"`
	SlowSeen       uint64        `json:"slow_calls_seen,omitempty"`
	Run            *Run          `json:"run,omitempty"`
	Comparison     *Comparison   `json:"comparison,omitempty"`

	Zones           []Zone        `json:"zones,omitempty"`
	Merged          []Node        `json:"merged,omitempty"`
	Lanes           []Lane        `json:"lanes,omitempty"`
	History         []Frame       `json:"history,omitempty"`
	Slowest         []Frame       `json:"slowest,omitzero"`
	SlowestLeft     int           `json:"slowest_left_out,omitempty"`
	Marks           []Mark        `json:"marks,omitempty"`
	Sections        []Section     `json:"sections,omitempty"`
	SectionsDropped uint64        `json:"sections_dropped,omitempty"`
	SlowCalls       []SlowCall    `json:"slow_calls,omitempty"`
	Locks           []Lock        `json:"locks,omitempty"`
	Traced          bool          `json:"locks_of_sync,omitempty"`
	GoStatements    []goStatement `json:"go_statements,omitempty"`
	Goroutines      *Goroutines   `json:"goroutines,omitempty"`
	Allocations     *Allocations  `json:"allocations,omitempty"`
	Recursion       []Depths      `json:"recursion,omitempty"`
	Series          []Series      `json:"series,omitempty"`
	Values          []Value       `json:"values,omitempty"`
	Statistics      []Statistic   `json:"statistics,omitempty"`
	FrameTrees      []FrameTree   `json:"frame_trees,omitempty"`
	Verdicts        []Verdict     `json:"verdicts,omitzero"`
	VerdictsLeft    int           `json:"verdicts_left_out,omitempty"`
	Report          *Report       `json:"report,omitempty"`
	Table           *Table        `json:"table,omitempty"`
}

// Clock is the clock that measured.
type Clock struct {
	Source  string        `json:"source"`
	Why     Text          `json:"why,omitempty"`
	Reading time.Duration `json:"reading_ns,omitempty"`
}

// clockOf returns nil for an unknown clock.
func clockOf(c measure.Clock) *Clock {
	if c == (measure.Clock{}) {
		return nil
	}
	return &Clock{c.Source.String(), Text(c.Why), c.Reading}
}

// Disturbed counts the disturbed frames: see report.FrameSummary.Disturbed.
type Disturbed struct {
	Frames int `json:"frames"`
	Among  int `json:"of_frames"` // the frames that were looked at
}

// DisturbedOf returns the number of disturbed frames, or nil without frames.
func DisturbedOf(frames []report.FrameSummary) *Disturbed {
	if len(frames) == 0 {
		return nil
	}
	return &Disturbed{report.Disturbed(frames), len(frames)}
}

// At names a zone.
type At struct {
	Zone Text          `json:"zone"`
	ID   report.ZoneID `json:"zone_id"`
}

// Site is where the function of a zone is.
type Site struct {
	Function Text `json:"function,omitempty"`
	File     Text `json:"file,omitempty"` // whole path
	Line     int  `json:"line,omitempty"`
}

// SiteOf returns the site of a zone.
func SiteOf(z gather.ZoneInfo) Site { return Site{Text(z.Function), Text(z.File), z.Line} }

// zones finds the zones of a dump.
type zones []gather.ZoneInfo

// info returns a zone, or nothing for an unknown one.
func (z zones) info(id report.ZoneID) gather.ZoneInfo {
	if id >= 0 && int(id) < len(z) {
		return z[id]
	}
	return gather.ZoneInfo{}
}

func (z zones) at(id report.ZoneID) At { return At{Text(z.info(id).Name), id} }
