package text

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// WriteJSON writes d as one JSON object, ended by a line feed. Field names are stable and carry their unit:
//
//	format, version             "iprof dump", 1; a reader should refuse another format and a greater version
//	program, arguments, time    arguments only when the dump has them; time in RFC 3339
//	go_version, machine
//	run_time_ns, calls, overhead_ns, ticks_per_second, frames, budget_ns, warnings
//	zones[]                     by zone id: name, function, file, line, public, idle
//	merged[]                    nodes of the tree of all lanes
//	lanes[]                     id, name, nodes[]
//	history[]                   oldest first: index, label, length_ms, busy_ms, over, gc_cycles, gc_pause_ms,
//	                            alloc_bytes, alloc_objects, heap_live_bytes, heap_cost_ms, memory (off, own, frame or zone),
//	                            has_report
//	values[]                    numbers of frames as a whole: name, kind (heap, count or level), unit (bytes, ms or nothing),
//	                            value of the newest frame, mean and max of the history, total since start or Reset (of a level
//	                            the latest), per_frame[]: one value a frame of history, null where there was none
//	series[]                    zone, self_ms[]: one value a frame of history, null before the zone existed
//	statistics[]                since start or Reset: zone, frames, self and hier, each per frame min_ms, mean_ms, max_ms,
//	                            deviation_ms, p50_ms, p90_ms, p99_ms, p999_ms, null where not known; where single calls are counted calls, the
//	                            same of them with counted and missing
//	frame_trees[]               index, nodes[]: the merged tree of that frame
//
// A node has zone (index into zones), path (the same number for the same stack in every tree of all lanes), parent (index
// into the same nodes, -1 for a root), level, count, self_ms, hier_ms, and where there are any idle and open, which are
// true, errors, estimated (1 when the time of some entries is
// estimated, 2 when their number is too), standard_error_ms of self_ms, allocs, alloc_bytes, frees, free_bytes, units, heap_objects and heap_bytes, numbers. A parent stands before its children. Numbers have every digit and read back equal; one that is not finite is 0. Characters that
// could drive a terminal or a page are written as \u escapes, so every reader sees the same string. A text that is not
// UTF-8, or that begins with "base64:", is written as "base64:" and its bytes in base64. Cost: BenchmarkWriters.
func WriteJSON(w io.Writer, d *process.Dump) error {
	doc := document{
		Format: "iprof dump", Version: 1,
		Program: jsonText(d.Program), Arguments: texts(d.Arguments), Time: d.Time,
		GoVersion: jsonText(d.GoVersion), Machine: jsonText(d.Machine),
		RunTime: d.RunTime, Calls: d.Calls, Overhead: d.Overhead, TicksPerSecond: finite(d.TicksPerSecond),
		Frames: d.Frames, Budget: d.Budget, Warnings: texts(d.Warnings),
		Zones: convert(d.Zones, jsonZoneOf), Merged: convert(d.Merged, jsonNodeOf),
		Lanes: convert(d.Lanes, jsonLaneOf), History: convert(d.History, jsonFrameOf),
		Series: convert(d.Series, jsonSeriesOf), Values: convert(d.Values, jsonValueOf), FrameTrees: convert(d.FrameTrees, jsonFrameTreeOf),
		Statistics: convert(d.Statistics, jsonStatisticOf),
	}
	p := newPrinter(w)
	if err := json.NewEncoder(p.w).Encode(&doc); err != nil {
		return fmt.Errorf("text: writing JSON: %w", err)
	}
	return p.flush()
}

// document is the JSON object.
type document struct {
	Format         string          `json:"format"`
	Version        int             `json:"version"`
	Program        jsonText        `json:"program"`
	Arguments      []jsonText      `json:"arguments,omitempty"`
	Time           time.Time       `json:"time"`
	GoVersion      jsonText        `json:"go_version"`
	Machine        jsonText        `json:"machine"`
	RunTime        time.Duration   `json:"run_time_ns"`
	Calls          uint64          `json:"calls"`
	Overhead       time.Duration   `json:"overhead_ns"`
	TicksPerSecond float64         `json:"ticks_per_second"`
	Frames         uint64          `json:"frames"`
	Budget         time.Duration   `json:"budget_ns"`
	Warnings       []jsonText      `json:"warnings,omitempty"`
	Zones          []jsonZone      `json:"zones"`
	Merged         []jsonNode      `json:"merged"`
	Lanes          []jsonLane      `json:"lanes"`
	History        []jsonFrame     `json:"history"`
	Series         []jsonSeries    `json:"series,omitempty"`
	Values         []jsonValue     `json:"values,omitempty"`
	Statistics     []jsonStatistic `json:"statistics,omitempty"`
	FrameTrees     []jsonFrameTree `json:"frame_trees,omitempty"`
}

type jsonZone struct {
	Name     jsonText `json:"name"`
	Function jsonText `json:"function"`
	File     jsonText `json:"file"`
	Line     int      `json:"line"`
	Public   bool     `json:"public"`
	Idle     bool     `json:"idle"`
}

type jsonNode struct {
	Zone   int32   `json:"zone"`
	Path   int32   `json:"path"`
	Parent int32   `json:"parent"`
	Level  int32   `json:"level"`
	Count  float64 `json:"count"`
	Self   float64 `json:"self_ms"`
	Hier   float64 `json:"hier_ms"`
	Idle   bool    `json:"idle,omitempty"`
	Open   bool    `json:"open,omitempty"`
	Errors uint64  `json:"errors,omitempty"`

	Estimated     uint8   `json:"estimated,omitempty"`
	StandardError float64 `json:"standard_error_ms,omitempty"`
	jsonCharges
}

// jsonCharges are process.Charges: the fields must be the same.
type jsonCharges struct {
	Allocs      float64 `json:"allocs,omitempty"`
	AllocBytes  float64 `json:"alloc_bytes,omitempty"`
	Frees       float64 `json:"frees,omitempty"`
	FreeBytes   float64 `json:"free_bytes,omitempty"`
	Units       float64 `json:"units,omitempty"`
	HeapObjects float64 `json:"heap_objects,omitempty"`
	HeapBytes   float64 `json:"heap_bytes,omitempty"`
}

type jsonValue struct {
	Name     jsonText   `json:"name"`
	Kind     string     `json:"kind"`
	Unit     string     `json:"unit,omitempty"`
	Value    float64    `json:"value"`
	Mean     float64    `json:"mean"`
	Max      float64    `json:"max"`
	Total    float64    `json:"total"`
	PerFrame []*float32 `json:"per_frame,omitempty"`
}

type jsonLane struct {
	ID    uint64     `json:"id"`
	Name  jsonText   `json:"name"`
	Nodes []jsonNode `json:"nodes"`
}

type jsonFrame struct {
	Index      uint64   `json:"index"`
	Label      jsonText `json:"label,omitempty"`
	Length     float32  `json:"length_ms"`
	Busy       float32  `json:"busy_ms"`
	Over       bool     `json:"over"`
	Cycles     uint32   `json:"gc_cycles"`
	Pause      float32  `json:"gc_pause_ms"`
	AllocBytes uint64   `json:"alloc_bytes"`
	Objects    uint64   `json:"alloc_objects"`
	HeapLive   uint64   `json:"heap_live_bytes"`
	HeapCost   float32  `json:"heap_cost_ms"`
	Memory     string   `json:"memory"`
	HasReport  bool     `json:"has_report"`
}

type jsonFrameTree struct {
	Index uint64     `json:"index"`
	Nodes []jsonNode `json:"nodes"`
}

type jsonSeries struct {
	Zone int32      `json:"zone"`
	Self []*float32 `json:"self_ms"`
}

func jsonSeriesOf(s process.Series) jsonSeries {
	return jsonSeries{s.Zone, nullable(s.Values)}
}

// nullable turns what is not finite into null.
func nullable(values []float32) []*float32 {
	return convert(values, func(v float32) *float32 {
		if v != finite(v) {
			return nil
		}
		return &v
	})
}

func jsonValueOf(v process.ValueSeries) jsonValue {
	return jsonValue{jsonText(v.Name), kindName(v.Kind), unitName(v.Unit), finite(v.Value), finite(v.Mean), finite(v.Max), finite(v.Total),
		nullable(v.Values)}
}

func jsonZoneOf(z gather.ZoneInfo) jsonZone {
	return jsonZone{jsonText(z.Name), jsonText(z.Function), jsonText(z.File), z.Line, z.Public, z.Idle}
}

func jsonNodeOf(n process.TreeNode) jsonNode {
	return jsonNode{n.Zone, n.Path, n.Parent, n.Level, finite(n.Count), finite(n.Self), finite(n.Hier), n.Idle, n.Open, n.Errors, uint8(n.Estimated), finite(n.StandardError), jsonCharges(n.Charges)}
}

func jsonLaneOf(l process.LaneTree) jsonLane {
	return jsonLane{l.ID, jsonText(l.Name), convert(l.Nodes, jsonNodeOf)}
}

func jsonFrameOf(f process.FrameSummary) jsonFrame {
	return jsonFrame{f.Index, jsonText(f.Label), finite(f.Length), finite(f.Busy), f.Over, f.Cycles, finite(f.Pause),
		f.AllocBytes, f.AllocObjects, f.HeapLive, finite(f.HeapCost), f.Memory.String(), f.HasReport}
}

func jsonFrameTreeOf(t process.FrameTree) jsonFrameTree {
	return jsonFrameTree{t.Index, convert(t.Nodes, jsonNodeOf)}
}

// convert maps a slice; an empty one stays an empty array rather than null.
func convert[A, B any](from []A, f func(A) B) []B {
	to := make([]B, len(from))
	for i := range from {
		to[i] = f(from[i])
	}
	return to
}

func texts(from []string) []jsonText {
	return convert(from, func(s string) jsonText { return jsonText(s) })
}

// finite returns v, or 0 for what JSON has no number for.
func finite[F float32 | float64](v F) F {
	if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
		return 0
	}
	return v
}

// base64Mark begins a text that JSON could not hold as it is.
const base64Mark = "base64:"

// jsonText is a string that reads back equal whatever it holds.
type jsonText string

// MarshalJSON quotes the text. encoding/json escapes what matters to HTML afterwards.
func (t jsonText) MarshalJSON() ([]byte, error) {
	s := string(t)
	if !utf8.ValidString(s) || strings.HasPrefix(s, base64Mark) {
		s = base64Mark + base64.StdEncoding.EncodeToString([]byte(s))
	}
	b := make([]byte, 0, len(s)+8)
	b = append(b, '"')
	for _, r := range s {
		b = appendJSONRune(b, r)
	}
	return append(b, '"'), nil
}

// appendJSONRune appends one character, as \u escapes unless it is printable.
func appendJSONRune(b []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(b, '\\', byte(r))
	case unicode.IsPrint(r):
		return utf8.AppendRune(b, r)
	case r < 0x10000:
		return fmt.Appendf(b, `\u%04x`, r)
	}
	r -= 0x10000
	return fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
}
