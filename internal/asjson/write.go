package asjson

import (
	"encoding/json"
	"fmt"
	"io"

	"example.com/iprof/internal/allocated"
	"example.com/iprof/process/report"
)

// Write writes a file, indented. It sets the format and the version. Errors are the writer's.
func Write(w io.Writer, f *File) error {
	f.Format, f.Version = Format, Version
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(f)
}

// WriteLine is Write on one line, for streams of several files.
func WriteLine(w io.Writer, f *File) error {
	f.Format, f.Version = Format, Version
	return json.NewEncoder(w).Encode(f)
}

// Read reads a file. It refuses another format, a greater version, and unknown fields.
func Read(r io.Reader) (*File, error) {
	d, f := json.NewDecoder(r), new(File)
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		return nil, err
	}
	if f.Format != Format || f.Version > Version {
		return nil, fmt.Errorf("the format is %q, version %d; this program reads %q up to version %d", f.Format,
			f.Version, Format, Version)
	}
	return f, nil
}

// WriteDump writes a dump on one line, with run unless that is nil. Lists follow value by value, because a list may
// have a million values: its memory does not grow with them. Errors are the writer's.
func WriteDump(w io.Writer, d *report.Dump, run *Run) error {
	j, z := newWriter(w), zones(d.Zones)
	head := headOf(d)
	head.Run = run
	j.begin(head)
	writeList(j, "zones", d.Zones, zoneOf)
	writeList(j, "merged", d.Merged, func(n report.TreeNode) Node {
		out := nodeOf(n)
		out.AtOnce = finite(d.AtOnce(n.Hier))
		return out
	})
	writeTrees(j, "lanes", d.Lanes, func(l report.LaneTree) (any, []report.TreeNode) {
		return Lane{ID: l.ID, Name: Text(l.Name), CPU: l.CPU}, l.Nodes
	})
	writeList(j, "history", d.History, FrameOf)
	writeSome(j, "marks", d.Marks, markOf)
	writeSome(j, "sections", d.Sections, sectionOf)
	writeSome(j, "slow_calls", d.SlowCalls, func(c *report.SlowCall) SlowCall { return slowCallOf(c, d.Now) })
	writeSome(j, "locks", d.Locks(), lockOf)
	writeSome(j, "go_statements", d.Spawns, goStatementOf)
	if d.Survey != nil {
		j.name("goroutines")
		j.value(goroutinesOf(d.Survey), 0)
	}
	if t := allocated.Of(d.Allocated); t != nil {
		j.name("allocations")
		j.value(z.allocations(t), 0)
	}
	writeSome(j, "recursion", d.Recursion, z.depths)
	writeSome(j, "series", d.Series, z.series)
	writeSome(j, "values", d.Values, valueOf)
	writeSome(j, "statistics", d.Statistics, z.statistic)
	if len(d.FrameTrees) > 0 {
		writeTrees(j, "frame_trees", d.FrameTrees, func(t report.FrameTree) (any, []report.TreeNode) {
			return FrameTree{Frame: t.Index, Verdict: VerdictOf(&t.Verdict, z.info)}, t.Nodes
		})
	}
	if d.Report != nil {
		j.name("report")
		j.value(ReportOf(d.Report, z.info), 0)
	}
	return j.end()
}

// headOf returns the fields of a dump that are written at once.
func headOf(d *report.Dump) *File {
	return &File{Format: Format, Version: Version, Kind: d.Kind.String(),
		Program: Text(d.Program), Arguments: texts(d.Arguments), Time: d.Time,
		GoVersion: Text(d.GoVersion), Machine: Text(d.Machine),
		RunTime: d.RunTime, CPU: d.CPU, Calls: d.Calls, TicksPerSecond: finite(d.TicksPerSecond),
		Overhead: d.Overhead, OverheadLow: d.OverheadLow, OverheadHigh: d.OverheadHigh,
		Clock: clockOf(d.Clock), Frames: d.Frames, Budget: d.Budget, Warnings: texts(d.Warnings),
		Disturbed: DisturbedOf(d.History),
		Verdict:   VerdictOf(&d.Verdict, zones(d.Zones).info), SlowSeen: d.SlowSeen, Traced: d.Traced,
	}
}
