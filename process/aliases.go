package process

import (
	"time"

	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// These types of package report keep their old names here.
type (
	Cause        = report.Cause
	Column       = report.Column
	Dump         = report.Dump
	DumpOptions  = report.DumpOptions
	Fork         = report.Fork
	FrameSummary = report.FrameSummary
	HotZones     = report.HotZones
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
	ColumnEverMean   = report.ColumnEverMean
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

// OverBudget reports whether a frame's busy time is above its budget by more than 2 %. A budget of 0 or less means no
// budget; then it is false. Any goroutine may call it.
func OverBudget(busy, budget time.Duration) bool {
	return report.OverBudget(busy, budget)
}
