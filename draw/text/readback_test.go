package text

import (
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/iprof/gather"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// UnmarshalJSON undoes MarshalJSON as WriteJSON's documentation describes.
func (t *jsonText) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if rest, marked := strings.CutPrefix(s, base64Mark); marked {
		raw, err := base64.StdEncoding.DecodeString(rest)
		*t = jsonText(raw)
		return err
	}
	*t = jsonText(s)
	return nil
}

// document is the whole JSON object.
type document struct {
	jsonHead
	Zones  []jsonZone `json:"zones"`
	Merged []jsonNode `json:"merged"`
	Lanes  []struct {
		jsonLane
		Nodes []jsonNode `json:"nodes"`
	} `json:"lanes"`
	History    []jsonFrame     `json:"history"`
	Marks      []jsonMark      `json:"marks,omitempty"`
	Forks      []jsonFork      `json:"go_statements,omitempty"`
	Recursion  []jsonDepths    `json:"recursion,omitempty"`
	Series     []jsonSeries    `json:"series,omitempty"`
	Values     []jsonValue     `json:"values,omitempty"`
	Statistics []jsonStatistic `json:"statistics,omitempty"`
	FrameTrees []struct {
		jsonFrameTree
		Nodes []jsonNode `json:"nodes"`
	} `json:"frame_trees,omitempty"`
	Report *jsonReport `json:"report,omitempty"`
}

// readJSON reads a dump back.
func readJSON(t *testing.T, b []byte) *report.Dump {
	t.Helper()
	var doc document
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	node := func(n jsonNode) report.TreeNode {
		return report.TreeNode{Zone: n.Zone, Path: n.Path, Parent: n.Parent, Level: n.Level, Count: n.Count,
			Self: n.Self, Hier: n.Hier, Idle: n.Idle, Open: n.Open, Errors: n.Errors,
			Estimated: gather.Estimated(n.Estimated), StandardError: n.StandardError,
			Charges: report.Charges(n.jsonCharges)}
	}
	str := func(s jsonText) string { return string(s) }
	dump := &report.Dump{
		Program: string(doc.Program), Time: doc.Time, GoVersion: string(doc.GoVersion), Machine: string(doc.Machine),
		RunTime: doc.RunTime, CPU: doc.CPU,
		Calls: doc.Calls, Overhead: doc.Overhead, OverheadLow: doc.OverheadLow,
		OverheadHigh: doc.OverheadHigh, TicksPerSecond: doc.TicksPerSecond,
		Frames: doc.Frames, Budget: doc.Budget,
		Verdict: readVerdict(doc.Verdict),
		Zones: convert(doc.Zones, func(z jsonZone) gather.ZoneInfo {
			return gather.ZoneInfo{Name: string(z.Name), Function: string(z.Function), File: string(z.File),
				Line: z.Line, Public: z.Public, Idle: z.Idle}
		}),
		Merged: convert(doc.Merged, node),
		History: convert(doc.History, func(f jsonFrame) report.FrameSummary {
			return report.FrameSummary{Index: f.Index, Label: string(f.Label),
				Length: f.Length, Busy: f.Busy, Blocked: f.Blocked,
				Over: f.Over, Cycles: f.Cycles, Pause: f.Pause,
				AllocBytes: f.AllocBytes, AllocObjects: f.Objects, HeapLive: f.HeapLive, HeapCost: f.HeapCost,
				Memory:    gather.MemoryMode(slices.Index([]string{"off", "own", "frame", "zone"}, f.Memory)),
				HasReport: f.HasReport, RunQueue: f.RunQueue, LockWait: f.LockWait}
		}),
		Series: readSeries(doc), Values: readValues(doc), Statistics: readStatistics(doc),
	}
	for _, f := range doc.Forks {
		spawn := report.Spawn{Crowd: string(f.Place), Goroutines: f.Goroutines, Paths: f.Paths}
		if len(f.Path) > 0 {
			spawn.Path = convert(f.Path, str)
		}
		dump.Forks = append(dump.Forks, report.Fork{Spawn: spawn, Own: f.Own, Forked: f.Forked, Waited: f.Waited})
	}
	for _, l := range doc.Lanes {
		tree := report.LaneTree{ID: l.ID, Name: string(l.Name), CPU: l.CPU, Nodes: convert(l.Nodes, node)}
		dump.Lanes = append(dump.Lanes, tree)
	}
	for _, f := range doc.FrameTrees {
		dump.FrameTrees = append(dump.FrameTrees,
			report.FrameTree{Index: f.Index, Nodes: convert(f.Nodes, node), Verdict: readVerdict(f.Verdict)})
	}
	if doc.Arguments != nil {
		dump.Arguments = convert(doc.Arguments, str)
	}
	if doc.Warnings != nil {
		dump.Warnings = convert(doc.Warnings, str)
	}
	return dump
}

// readVerdict reads a verdict back; nil is none.
func readVerdict(v *jsonVerdict) report.Verdict {
	if v == nil {
		return report.Verdict{}
	}
	return report.Verdict{Index: v.Index, Frames: v.Frames, Among: v.Among, Over: v.Over, Working: v.Working,
		Time: v.Time, Usual: v.Usual,
		Excess: v.Excess, Budget: v.Budget, Rest: v.Rest, Causes: convert(v.Causes, func(c jsonCause) report.Cause {
			kind := report.CauseNone
			for kind.String() != c.Kind {
				kind++
			}
			return report.Cause{Kind: kind, Zone: c.Zone, Path: c.Path, Name: string(c.Name), Self: c.Self,
				Time: c.Time, Usual: c.Usual, Spread: c.Spread, Excess: c.Excess, Taken: c.Taken,
				Count: c.Count, Often: c.Often,
				Callers: convert(c.Callers, func(s jsonText) string { return string(s) })}
		})}
}

// readSeries reads the series back, whose names and states are the zones'.
func readSeries(doc document) []report.Series {
	if doc.Series == nil {
		return nil
	}
	return convert(doc.Series, func(s jsonSeries) report.Series {
		z := doc.Zones[s.Zone]
		return report.Series{Zone: s.Zone, Name: string(z.Name), Idle: z.Idle,
			Values: convert(s.Self, func(v *float32) float32 { return *v })}
	})
}

// readValues reads the numbers of frames back.
func readValues(doc document) (values []report.ValueSeries) {
	for _, v := range doc.Values {
		s := report.ValueSeries{FrameValue: report.FrameValue{Name: string(v.Name), Value: v.Value, Mean: v.Mean,
			Max: v.Max, Total: v.Total,
			Kind: report.ValueKind(slices.Index([]string{"heap", "count", "level"}, v.Kind)),
			Unit: report.Unit(slices.Index([]string{"", "bytes", "ms"}, v.Unit))}}
		for _, at := range v.PerFrame {
			s.Values = append(s.Values, *at)
		}
		values = append(values, s)
	}
	return values
}

// readStatistics reads the statistics of zones back.
func readStatistics(doc document) (list []report.ZoneStatistics) {
	for _, s := range doc.Statistics {
		z := report.ZoneStatistics{Zone: s.Zone, Frames: s.Frames, Self: summaryOf(s.Self), Hier: summaryOf(s.Hier)}
		if s.Calls != nil {
			z.CallsCounted, z.CallsMissing, z.Calls = s.Calls.Counted, s.Calls.Missing, summaryOf(s.Calls.jsonSummary)
		}
		list = append(list, z)
	}
	return list
}

// unknownAsBelow0 replaces unknown values (NaN) with -1, so that they compare equal.
func unknownAsBelow0(list []report.ZoneStatistics) {
	for i := range list {
		for _, s := range []*report.Summary{&list[i].Self, &list[i].Hier, &list[i].Calls} {
			for _, v := range []*float64{&s.P50, &s.P90, &s.P99, &s.P999} {
				if *v != *v {
					*v = -1
				}
			}
		}
	}
}

func TestJSONReadsBackEqual(t *testing.T) {
	for name, want := range map[string]*report.Dump{"game": sampledump.Game(), "random": sampledump.Dump(3, 500, 60),
		"hostile": sampledump.Hostile()} {
		t.Run(name, func(t *testing.T) {
			got := readJSON(t, write(t, func(w io.Writer) error { return WriteJSON(w, want) }))
			unknownAsBelow0(got.Statistics)
			unknownAsBelow0(want.Statistics)
			for i := range want.FrameTrees {
				want.FrameTrees[i].Timeline = report.FrameTimeline{} // for pages only
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: the dump read back differs from the one written", name)
			}
		})
	}
}

func TestJSONWithoutFiniteNumbers(t *testing.T) {
	d := &report.Dump{Merged: []report.TreeNode{{Self: math.NaN(), Hier: math.Inf(1), Count: math.Inf(-1)}},
		TicksPerSecond: math.NaN()}
	got := readJSON(t, write(t, func(w io.Writer) error { return WriteJSON(w, d) }))
	if n := got.Merged[0]; n.Self != 0 || n.Hier != 0 || n.Count != 0 {
		t.Errorf("got %v, %v, %v; want 0, 0, 0", n.Self, n.Hier, n.Count)
	}
}

// unescape undoes printed.Distinct, to show that it can be undone.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i]]
		v, _ := strconv.ParseUint(s[i+1:i+1+digits], 16, 32)
		switch s[i] {
		case '\\':
			b.WriteByte('\\')
		case 'x':
			b.WriteByte(byte(v))
		default:
			b.WriteRune(rune(v))
		}
		i += digits
	}
	return b.String()
}

// readText undoes what WriteCSV does to a text.
func readText(s string) string { return unescape(strings.TrimPrefix(s, "'")) }

func TestCSVReadsBackEqual(t *testing.T) {
	for name, r := range map[string]*report.Report{"all columns": sampledump.Records(200), "masked": sampledump.Flat(),
		"graph": sampledump.CallGraph(), "hostile": sampledump.HostileReport()} {
		t.Run(name, func(t *testing.T) {
			rows, err := csv.NewReader(strings.NewReader(string(write(t,
				func(w io.Writer) error { return WriteCSV(w, r) })))).ReadAll()
			if err != nil {
				t.Fatal(name, err)
			}
			if got, want := len(rows), len(r.Records)+len(r.Values)+1; got != want {
				t.Fatalf("%s: got %d lines; want %d", name, got, want)
			}
			for i := range r.Records {
				got, want := readRecord(rows[0], rows[i+1]), withoutHidden(r.Records[i])
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: record %d: got %+v; want %+v", name, i, got, want)
				}
			}
			for i := range r.Values {
				if got := readValue(rows[0], rows[1+len(r.Records)+i]); got != r.Values[i] {
					t.Fatalf("%s: value %d: got %+v; want %+v", name, i, got, r.Values[i])
				}
			}
		})
	}
}

// readValue builds a number of the frame from one line.
func readValue(head, row []string) (v report.FrameValue) {
	cell := func(name string) string { return row[slices.Index(head, name)] }
	num := func(name string) float64 { x, _ := strconv.ParseFloat(cell(name), 64); return x }
	v = report.FrameValue{Name: readText(cell("zone")), Value: num("value"), Mean: num("value_mean"),
		Max: num("value_max"), Total: num("value_total")}
	v.Kind = report.ValueKind(slices.Index([]string{"heap", "count", "level"}, cell("group")))
	v.Unit = report.Unit(slices.Index([]string{"", "bytes", "ms"}, cell("unit")))
	return v
}

// withoutHidden clears what a record does not show.
func withoutHidden(rec report.Record) report.Record {
	for c := range rec.Values {
		if !rec.Mask.Has(report.Column(c)) {
			rec.Values[c] = 0
		}
	}
	return rec
}

// readRecord builds a record from one line.
func readRecord(head, row []string) report.Record {
	cell := map[string]string{}
	for i, name := range head {
		cell[name] = row[i]
	}
	num := func(name string) float64 { v, _ := strconv.ParseFloat(cell[name], 64); return v }
	rec := report.Record{
		Zone: report.ZoneID(num("zone_id")), Path: int32(num("path_id")), Name: readText(cell["zone"]),
		Site:  readText(cell["site"]),
		Depth: int(num("depth")), Indent: int(num("indent")), Costly: cell["costly"] == "1", Open: cell["open"] == "1",
		Idle: cell["idle"] == "1",
		Mark: map[string]report.Mark{"closed": report.MarkOpen, "opened": report.MarkFocus}[cell["mark"]],
		Group: map[string]report.Group{"parent": report.GroupParent, "focus": report.GroupFocus,
			"child": report.GroupChild}[cell["group"]],
		Heat: float32(num("heat")),

		Estimated: gather.Estimated(num("estimated")), StandardError: num("standard_error_ms"),
	}
	for c := range report.Column(report.NumColumns) {
		if s := cell[c.Info().Name]; s != "" {
			rec.Mask = rec.Mask.With(c)
			rec.Values[c] = num(c.Info().Name)
		}
	}
	return rec
}

func TestEscapedNamesArePlainAndReadBack(t *testing.T) {
	seen := map[string]string{}
	for _, name := range sampledump.HostileNames {
		got := printed.Distinct(name)
		checkPlain(t, got)
		if back := unescape(got); back != name {
			t.Errorf("Distinct(%.40q): got %.40q back; want it unchanged", name, back)
		}
		if other, known := seen[got]; known {
			t.Errorf("%.40q and %.40q look alike: %q", name, other, got)
		}
		seen[got] = name
	}
	for name, want := range map[string]string{"a\x1b[m": `a\x1b[m`, "\u202e": `\u202e`, "\xff": `\xff`, "é日": "é日",
		`\`: `\\`, "\U000e0041": `\U000e0041`} {
		t.Run(name, func(t *testing.T) {
			if got := printed.Distinct(name); got != want {
				t.Errorf("Distinct(%q): got %q; want %q", name, got, want)
			}
		})
	}
}

// checkPlain fails when s could do more to a terminal than show characters.
func checkPlain(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("got invalid UTF-8 %.60q; want none", s)
	}
	for _, r := range s {
		if r != '\n' && r != '\r' && !strconv.IsPrint(r) {
			t.Errorf("got %U; want printable characters only", r)
			return
		}
	}
}

// FuzzSinks writes a hostile name through every writer.
func FuzzSinks(f *testing.F) {
	for _, name := range sampledump.HostileNames {
		f.Add(name[:min(len(name), 5000)]) // longer ones keep the fuzzer busy making them shorter
	}
	f.Fuzz(func(t *testing.T, name string) {
		d := sampledump.Dump(1, 4, 3)
		d.Zones[1].Name, d.Lanes[0].Name, d.Program, d.Machine = name, name, name, name
		d.Warnings, d.Time = []string{name}, time.Time{}
		r := sampledump.Flat()
		r.Title, r.Records[0].Name, r.Records[1].Site = name, name, name
		r.Values = append(r.Values, report.FrameValue{Name: name, Kind: report.ValueCount})
		d.Values = append(d.Values, report.ValueSeries{FrameValue: r.Values[0]})
		checkPlain(t, string(write(t, func(w io.Writer) error { return WriteReport(w, r, Options{}) })))
		checkPlain(t, string(write(t, func(w io.Writer) error { return WriteTree(w, d, Options{}) })))
		checkPlain(t, string(write(t, func(w io.Writer) error { return WriteZones(w, d, Options{}) })))
		checkPlain(t, Name(name))
		b := write(t, func(w io.Writer) error { return WriteJSON(w, d) })
		checkPlain(t, string(b))
		if got := readJSON(t, b).Zones[1].Name; got != name {
			t.Errorf("JSON: got %q back; want %q", got, name)
		}
		checkCSV(t, r)
	})
}

// checkCSV checks that no cell is a formula and that the first name reads back.
func checkCSV(t *testing.T, r *report.Report) {
	t.Helper()
	b := write(t, func(w io.Writer) error { return WriteCSV(w, r) })
	checkPlain(t, string(b))
	rows, err := csv.NewReader(strings.NewReader(string(b))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range []string{rows[1][4], rows[2][5], rows[len(rows)-1][4]} {
		if s := strings.TrimLeft(cell, " "); s != "" && strings.ContainsAny(s[:1], "=+-@\t\r") {
			t.Errorf("CSV: got cell %q; want no formula", cell)
		}
	}
	if got := readText(rows[1][4]); got != r.Records[0].Name {
		t.Errorf("CSV: got %q back; want %q", got, r.Records[0].Name)
	}
}
