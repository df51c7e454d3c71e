package process

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/process/totals"
)

// The types of package report by the names that they have had here.
type (
	Arranger       = report.Arranger
	Bound          = report.Bound
	CallBucket     = report.CallBucket
	CallSpread     = report.CallSpread
	Charges        = report.Charges
	Code           = report.Code
	CodeCall       = report.CodeCall
	CodeTime       = report.CodeTime
	CodeSite       = report.CodeSite
	ColumnKind     = report.ColumnKind
	ColumnInfo     = report.ColumnInfo
	ColumnSet      = report.ColumnSet
	Delta          = report.Delta
	Baseline       = report.Baseline
	Comparison     = report.Comparison
	ZoneDepths     = report.ZoneDepths
	Dump           = report.Dump
	LaneTree       = report.LaneTree
	FrameTree      = report.FrameTree
	DumpOptions    = report.DumpOptions
	ZoneTotal      = report.ZoneTotal
	Summary        = report.Summary
	ZoneStatistics = report.ZoneStatistics
	FrameTimeline  = report.FrameTimeline
	FrameLane      = report.FrameLane
	FrameScope     = report.FrameScope
	Spawn          = report.Spawn
	Fork           = report.Fork
	PastFrame      = report.PastFrame
	ValueKind      = report.ValueKind
	Unit           = report.Unit
	FrameValue     = report.FrameValue
	ValueSeries    = report.ValueSeries
	HotLine        = report.HotLine
	HotFunction    = report.HotFunction
	HotLines       = report.HotLines
	HotZones       = report.HotZones
	HotFrame       = report.HotFrame
	ZoneID         = report.ZoneID
	LaneID         = report.LaneID
	LaneInfo       = report.LaneInfo
	FrameMark      = report.FrameMark
	MarkInSight    = report.MarkInSight
	Pace           = report.Pace
	Arrangement    = report.Arrangement
	Order          = report.Order
	Grouping       = report.Grouping
	PackageRow     = report.PackageRow
	Window         = report.Window
	Past           = report.Past
	PastColumn     = report.PastColumn
	CollectorTime  = report.CollectorTime
	Picture        = report.Picture
	FramePicture   = report.FramePicture
	Program        = report.Program
	Column         = report.Column
	Mark           = report.Mark
	Report         = report.Report
	Memory         = report.Memory
	Record         = report.Record
	Group          = report.Group
	FrameInfo      = report.FrameInfo
	FrameSummary   = report.FrameSummary
	TreeNode       = report.TreeNode
	Series         = report.Series
	Around         = report.Around
	Spread         = report.Spread
	Tracing        = report.Tracing
	CauseKind      = report.CauseKind
	Cause          = report.Cause
	Verdict        = report.Verdict
	ReportMode     = report.ReportMode
	Average        = report.Average
	Recursion      = report.Recursion
	LensKind       = report.LensKind
	Lens           = report.Lens
	View           = report.View
	StateTime      = report.StateTime
)

// The constants of package report.
const (
	BoundUnknown               = report.BoundUnknown
	BoundCPU                   = report.BoundCPU
	BoundGPU                   = report.BoundGPU
	BoundDisplay               = report.BoundDisplay
	BoundWorker                = report.BoundWorker
	CodeSelf                   = report.CodeSelf
	CodeBegin                  = report.CodeBegin
	CodeCalled                 = report.CodeCalled
	CodeBelow                  = report.CodeBelow
	KindMilliseconds           = report.KindMilliseconds
	KindEntries                = report.KindEntries
	KindPercent                = report.KindPercent
	KindTenths                 = report.KindTenths
	KindWhole                  = report.KindWhole
	MostDepths                 = report.MostDepths
	DumpNodes                  = report.DumpNodes
	DumpScopes                 = report.DumpScopes
	ValueHeap                  = report.ValueHeap
	ValueCount                 = report.ValueCount
	ValueLevel                 = report.ValueLevel
	UnitNone                   = report.UnitNone
	UnitBytes                  = report.UnitBytes
	UnitMilliseconds           = report.UnitMilliseconds
	SeeMarked                  = report.SeeMarked
	MostHotZones               = report.MostHotZones
	LeastSampling              = report.LeastSampling
	MostSampling               = report.MostSampling
	MostHotFrames              = report.MostHotFrames
	CompiledOut                = report.CompiledOut
	AverageSign                = report.AverageSign
	PaceOnTime                 = report.PaceOnTime
	PaceWaited                 = report.PaceWaited
	PaceOver                   = report.PaceOver
	ColumnName                 = report.ColumnName
	ColumnDelta                = report.ColumnDelta
	ColumnDeltaPercent         = report.ColumnDeltaPercent
	GroupingNone               = report.GroupingNone
	GroupingPackage            = report.GroupingPackage
	NumGroupings               = report.NumGroupings
	MostMarks                  = report.MostMarks
	MostStates                 = report.MostStates
	MostPictureSide            = report.MostPictureSide
	ColumnSelf                 = report.ColumnSelf
	ColumnHier                 = report.ColumnHier
	ColumnCount                = report.ColumnCount
	ColumnSelfPercent          = report.ColumnSelfPercent
	ColumnHierPercent          = report.ColumnHierPercent
	ColumnSelfPerCall          = report.ColumnSelfPerCall
	ColumnHierPerCall          = report.ColumnHierPerCall
	ColumnMean                 = report.ColumnMean
	ColumnMax                  = report.ColumnMax
	ColumnMaxSelf              = report.ColumnMaxSelf
	ColumnMaxHold              = report.ColumnMaxHold
	ColumnDeviation            = report.ColumnDeviation
	ColumnP50                  = report.ColumnP50
	ColumnP90                  = report.ColumnP90
	ColumnP99                  = report.ColumnP99
	ColumnP999                 = report.ColumnP999
	ColumnTicks                = report.ColumnTicks
	ColumnAllocs               = report.ColumnAllocs
	ColumnAllocBytes           = report.ColumnAllocBytes
	ColumnFrees                = report.ColumnFrees
	ColumnFreeBytes            = report.ColumnFreeBytes
	ColumnErrors               = report.ColumnErrors
	ColumnMin                  = report.ColumnMin
	ColumnMinSelf              = report.ColumnMinSelf
	ColumnMeanSelf             = report.ColumnMeanSelf
	ColumnDeviationSelf        = report.ColumnDeviationSelf
	ColumnP50Self              = report.ColumnP50Self
	ColumnP90Self              = report.ColumnP90Self
	ColumnP99Self              = report.ColumnP99Self
	ColumnP999Self             = report.ColumnP999Self
	ColumnEverMin              = report.ColumnEverMin
	ColumnEverMean             = report.ColumnEverMean
	ColumnEverMax              = report.ColumnEverMax
	ColumnEverDeviation        = report.ColumnEverDeviation
	ColumnEverP50              = report.ColumnEverP50
	ColumnEverP90              = report.ColumnEverP90
	ColumnEverP99              = report.ColumnEverP99
	ColumnEverP999             = report.ColumnEverP999
	ColumnEverMinSelf          = report.ColumnEverMinSelf
	ColumnEverMeanSelf         = report.ColumnEverMeanSelf
	ColumnEverMaxSelf          = report.ColumnEverMaxSelf
	ColumnEverDeviationSelf    = report.ColumnEverDeviationSelf
	ColumnEverP50Self          = report.ColumnEverP50Self
	ColumnEverP90Self          = report.ColumnEverP90Self
	ColumnEverP99Self          = report.ColumnEverP99Self
	ColumnEverP999Self         = report.ColumnEverP999Self
	ColumnCallMin              = report.ColumnCallMin
	ColumnCallMax              = report.ColumnCallMax
	ColumnCallDeviation        = report.ColumnCallDeviation
	ColumnCallP50              = report.ColumnCallP50
	ColumnCallP90              = report.ColumnCallP90
	ColumnCallP99              = report.ColumnCallP99
	ColumnCallP999             = report.ColumnCallP999
	ColumnCallsCounted         = report.ColumnCallsCounted
	ColumnCallsMissing         = report.ColumnCallsMissing
	ColumnExtraSelf            = report.ColumnExtraSelf
	ColumnExtraHier            = report.ColumnExtraHier
	ColumnExtraPercent         = report.ColumnExtraPercent
	ColumnUnits                = report.ColumnUnits
	ColumnPerUnit              = report.ColumnPerUnit
	ColumnHeapObjects          = report.ColumnHeapObjects
	ColumnHeapBytes            = report.ColumnHeapBytes
	ColumnAtOnce               = report.ColumnAtOnce
	ColumnWaiting              = report.ColumnWaiting
	ColumnRunnable             = report.ColumnRunnable
	NumColumns                 = report.NumColumns
	MarkNone                   = report.MarkNone
	MarkOpen                   = report.MarkOpen
	MarkFocus                  = report.MarkFocus
	GroupParent                = report.GroupParent
	GroupFocus                 = report.GroupFocus
	GroupChild                 = report.GroupChild
	SpreadBars                 = report.SpreadBars
	CauseNone                  = report.CauseNone
	CauseLonger                = report.CauseLonger
	CauseMoreCalls             = report.CauseMoreCalls
	CauseNewPath               = report.CauseNewPath
	CauseWaiting               = report.CauseWaiting
	CauseCollector             = report.CauseCollector
	CauseOutside               = report.CauseOutside
	CauseSpread                = report.CauseSpread
	CauseLargest               = report.CauseLargest
	CauseProcessor             = report.CauseProcessor
	CauseLocks                 = report.CauseLocks
	CauseGPU                   = report.CauseGPU
	CauseWorker                = report.CauseWorker
	CauseState                 = report.CauseState
	ReportSelfTime             = report.ReportSelfTime
	ReportHierarchicalTime     = report.ReportHierarchicalTime
	ReportCallGraph            = report.ReportCallGraph
	ReportCallGraphDescendants = report.ReportCallGraphDescendants
	ReportCallTree             = report.ReportCallTree
	ReportExtra                = report.ReportExtra
	NumReportModes             = report.NumReportModes
	AverageShort               = report.AverageShort
	AverageLong                = report.AverageLong
	AverageInstant             = report.AverageInstant
	RecursionFlattened         = report.RecursionFlattened
	RecursionSpread            = report.RecursionSpread
	LensOff                    = report.LensOff
	LensAll                    = report.LensAll
	LensOver                   = report.LensOver
	LensWithin                 = report.LensWithin
	LensSlowest                = report.LensSlowest
	LensRange                  = report.LensRange
	NumLensKinds               = report.NumLensKinds
)

// The variables of package report.
var (
	Statistics = report.Statistics
	AllColumns = report.AllColumns
	DumpPage   = report.DumpPage
)

// AtOnce returns how many lanes were in a zone at once, on average: its hierarchical time by the time that passed. It
// is 0 if that is not more than one lane could have.
func AtOnce(hier float64, passed time.Duration) float64 {
	return report.AtOnce(hier, passed)
}

// FunctionName returns the name of a function without package and type: "collide" of "game.(*World).collide". Of a
// function literal it is that of the function around it: "step" of "game.step.func1".
func FunctionName(function string) string {
	return report.FunctionName(function)
}

// ColumnsOf returns a set of columns. Columns out of range are left out.
func ColumnsOf(columns ...Column) ColumnSet {
	return report.ColumnsOf(columns...)
}

// Crowd returns the go statement in a lane's name, such as "main.serve server.go:42" of "main.serve server.go:42 #7" or
// of "main.serve server.go:42 (ended)". It returns "" for other names.
func Crowd(lane string) string {
	return report.Crowd(lane)
}

// AppendZoneTotals appends the sums of nodes by zone, the largest self time first, equal times by zone id. Recursion
// counts once in Hier: a node below another of the same zone adds nothing to it. The nodes must be a tree in preorder,
// as Session.AppendTree returns it. The work is linear in their number at any depth.
func AppendZoneTotals(dst []ZoneTotal, nodes []TreeNode) []ZoneTotal {
	return report.AppendZoneTotals(dst, nodes)
}

// PickFrames returns the ages of the frames whose trees a Dump keeps, oldest first. Of the frames with a report, these
// are the n slowest by busy time and the n newest; if n < 0, all. The history is oldest first: its last frame has age
// 0.
func PickFrames(history []FrameSummary, n int) []int {
	return report.PickFrames(history, n)
}

// FilterText returns the normal form of a filter text, as View.Filter has it: at most 64 bytes, printable, ASCII
// letters in lower case. See Session.SetFilter.
func FilterText(text string) string {
	return report.FilterText(text)
}

// Forks returns the times of go statements in the lanes of a Dump with AllLanes, in the order of spawns. A statement
// outside zones has no Own and no Waited. What the goroutines of a statement start themselves is not in its Forked.
func Forks(d *Dump, spawns []Spawn) []Fork {
	return report.Forks(d, spawns)
}

// IdleEnd returns where the idle children of a tree's root begin, with their number and their hierarchical time in ms:
// only they and what they call follow. They are the last ones, because busy ones come first. If they are less than two,
// it returns the length of the tree and 0.
func IdleEnd(nodes []TreeNode) (from, zones int, hier float64) {
	return report.IdleEnd(nodes)
}

// FoldTotals takes the idle zones from totals, if they are two or more, and returns their number and their sums. The
// others keep their order. A single one comes last.
func FoldTotals(totals []ZoneTotal) (busy []ZoneTotal, idle ZoneTotal, zones int) {
	return report.FoldTotals(totals)
}

// Share returns a time in percent of a whole, or 0 if there is no whole.
func Share(part, whole float64) float64 {
	return report.Share(part, whole)
}

// OverBudget reports whether a frame that was busy for a time is over a budget: by more than 2 %. Nothing is over a
// budget of 0 or less, which is none. Any goroutine may call it.
func OverBudget(busy, budget time.Duration) bool {
	return report.OverBudget(busy, budget)
}

// ShortName returns the short name of a zone that is named after its function: the type and the function, without
// package, pointer and parentheses, as in BlockRender.drawChunks. Other zones have none: "". The screen and the page
// show short names; colours and tips tell the package. Any goroutine may call it.
func ShortName(z *gather.ZoneInfo) string {
	return report.ShortName(z)
}

// AppendValueGraph appends the numbers of frames as Series, for the graphs of zones: gl.DrawGraphGL, draw.AppendGraph.
// These graphs are in ms, a unit that counts and levels do not have. So each number is scaled: its greatest distance
// from 0 becomes high ms, for example 16.7 for the height of a frame budget. Series.Zone is -1. It reuses the memory of
// the Series in dst's capacity.
//
//	series = session.AppendSeries(series[:0], 300)
//	values = session.AppendValueSeries(values[:0], 300)
//	series = process.AppendValueGraph(series, values, 16.7)
//	gl.DrawGraphGL(series, -1, x, y, 2, 4, nil)
func AppendValueGraph(dst []Series, values []ValueSeries, high float32) []Series {
	return report.AppendValueGraph(dst, values, high)
}

// The types of package timeline by the names that they have had here.
type (
	EventSource     = timeline.EventSource
	PartSource      = timeline.PartSource
	Timeline        = timeline.Timeline
	TimelineBand    = timeline.Band
	TimelineFrame   = timeline.Frame
	TimelineGroup   = timeline.Group
	TimelineLane    = timeline.Lane
	TimelineLoad    = timeline.Load
	TimelineRow     = timeline.Row
	TimelineScope   = timeline.Scope
	TimelineSpan    = timeline.Interval
	TimelineState   = timeline.Coverage
	TimelineStretch = timeline.Stretch
)

// The constants of package timeline by the names that they have had here.
const (
	LeastGroup       = timeline.LeastGroup
	MostTimelineRows = timeline.MostRows
	OwnLane          = timeline.OwnLane
	TimelineCut      = timeline.Cut
	TimelineGone     = timeline.Gone
	TimelineOff      = timeline.Off
	TimelineWhole    = timeline.Whole
)

// The types of package totals by the names that they have had here.
type (
	LaneTotals = totals.LaneTotals
	LaneZones  = totals.LaneZones
	ZoneTime   = totals.ZoneTime
)
