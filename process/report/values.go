package report

import "example.com/iprof/gather"

// ValueKind is the kind of a FrameValue.
type ValueKind uint8

// The kinds of FrameValues.
const (
	ValueHeap  ValueKind = iota // of the Go heap and its garbage collector, from runtime/metrics
	ValueCount                  // the sum of the program's calls of Count in a frame
	ValueLevel                  // the latest value that the program set with Value
)

// Unit is the unit of a FrameValue.
type Unit uint8

// The units of FrameValues.
const (
	UnitNone         Unit = iota
	UnitBytes             // bytes
	UnitMilliseconds      // ms
)

// FrameValue is a number of a whole frame: of the Go heap, or a count or level of the program.
type FrameValue struct {
	_     incomparable
	Name  string // any text for a count or a level: sinks escape it
	Kind  ValueKind
	Unit  Unit
	Value float64 // of the frame or average; live heap and levels are never averaged
	Mean  float64 // over the frames of the history that have a value
	Max   float64 // over the same frames
	Total float64 // counts and heap: sum since start or Reset; levels and live heap: the latest value
}

// ValueSeries is a FrameValue in each of the newest frames.
type ValueSeries struct {
	FrameValue
	Values []float32 // oldest first; the last is age 0. NaN in frames without a value
}

// Series is the self time of one zone per frame, for graphs.
type Series struct {
	Zone      ZoneID
	Name      string
	Package   string // of the function that enters the zone, "" if not known
	Idle      bool
	Values    []float32        // ms, oldest first; the last is age 0. NaN before the zone existed
	Estimated gather.Estimated // how the time is estimated in any of the frames: Estimated.Sign stands before the name
}
