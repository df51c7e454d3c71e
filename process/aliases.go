package process

import (
	"time"

	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// Some types of package report by the names that they have had here.
type (
	Cause        = report.Cause
	Column       = report.Column
	Dump         = report.Dump
	DumpOptions  = report.DumpOptions
	Fork         = report.Fork
	FrameSummary = report.FrameSummary
	LaneTree     = report.LaneTree
	Lens         = report.Lens
	PastFrame    = report.PastFrame
	Picture      = report.Picture
	Program      = report.Program
	Record       = report.Record
	Report       = report.Report
	Spawn        = report.Spawn
	Tracing      = report.Tracing
	TreeNode     = report.TreeNode
	Verdict      = report.Verdict
	View         = report.View
	ZoneID       = report.ZoneID
)

// Some constants of package report.
const (
	AverageInstant   = report.AverageInstant
	AverageShort     = report.AverageShort
	CauseCollector   = report.CauseCollector
	CauseLonger      = report.CauseLonger
	ColumnAllocBytes = report.ColumnAllocBytes
	ColumnAllocs     = report.ColumnAllocs
	ColumnCallMax    = report.ColumnCallMax
	ColumnCallP50    = report.ColumnCallP50
	ColumnCount      = report.ColumnCount
	ColumnFreeBytes  = report.ColumnFreeBytes
	ColumnFrees      = report.ColumnFrees
	ColumnHeapBytes  = report.ColumnHeapBytes
	ColumnHier       = report.ColumnHier
	ColumnP99        = report.ColumnP99
	ColumnPerUnit    = report.ColumnPerUnit
	ColumnSelf       = report.ColumnSelf
	ColumnUnits      = report.ColumnUnits
	GroupFocus       = report.GroupFocus
	LensAll          = report.LensAll
	ReportCallGraph  = report.ReportCallGraph
)

// OwnLane is the lane of the calling goroutine, for Session.AppendTimeline.
const OwnLane = timeline.OwnLane

// ColumnsOf returns a set of columns. Columns out of range are left out.
func ColumnsOf(columns ...Column) report.ColumnSet {
	return report.ColumnsOf(columns...)
}

// OverBudget reports whether a frame that was busy for a time is over a budget: by more than 2 %. Nothing is over a
// budget of 0 or less, which is none. Any goroutine may call it.
func OverBudget(busy, budget time.Duration) bool {
	return report.OverBudget(busy, budget)
}
