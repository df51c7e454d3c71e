package asjson_test

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// convert maps a slice.
func convert[A, B any](from []A, f func(A) B) []B {
	to := make([]B, len(from))
	for i := range from {
		to[i] = f(from[i])
	}
	return to
}

// written returns a dump as JSON.
func written(t *testing.T, d *report.Dump) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, asjson.WriteDump(&b, d, nil))
	return b.Bytes()
}

// readJSON reads a dump back.
func readJSON(t *testing.T, b []byte) *report.Dump {
	t.Helper()
	doc := must.Get(asjson.Read(bytes.NewReader(b)))(t)
	node := func(n asjson.Node) report.TreeNode {
		return report.TreeNode{Zone: n.Zone, Path: n.Path, Parent: n.Parent, Level: n.Level, Count: n.Count,
			Self: n.Self, Hier: n.Hier, Idle: n.Idle, Open: n.Open, Errors: n.Errors,
			Estimated: n.Estimated, StandardError: n.StandardError,
			Charges: report.Charges(n.Charges)}
	}
	str := func(s asjson.Text) string { return string(s) }
	dump := &report.Dump{
		Program: string(doc.Program), Time: doc.Time, GoVersion: string(doc.GoVersion), Machine: string(doc.Machine),
		RunTime: doc.RunTime, CPU: doc.CPU,
		Calls: doc.Calls, Overhead: doc.Overhead, OverheadLow: doc.OverheadLow,
		OverheadHigh: doc.OverheadHigh, TicksPerSecond: doc.TicksPerSecond,
		Frames: doc.Frames, Budget: doc.Budget,
		Verdict: readVerdict(doc.Verdict),
		Zones: convert(doc.Zones, func(z asjson.Zone) gather.ZoneInfo {
			return gather.ZoneInfo{Name: string(z.Name), Function: string(z.Function), File: string(z.File),
				Line: z.Line, Public: z.Public, Idle: z.Idle}
		}),
		Merged:  convert(doc.Merged, node),
		History: convert(doc.History, readFrame),
		Series:  readSeries(doc), Values: readValues(doc), Statistics: readStatistics(doc),
	}
	for _, f := range doc.GoStatements {
		spawn := report.Spawn{Crowd: string(f.Place), Goroutines: f.Goroutines, Paths: f.Paths}
		if len(f.Path) > 0 {
			spawn.Path = convert(f.Path, str)
		}
		dump.Spawns = append(dump.Spawns, report.SpawnTimes{Spawn: spawn, Own: f.Own,
			Spawned: f.Spawned, Waited: f.Waited})
	}
	for _, l := range doc.Lanes {
		tree := report.LaneTree{ID: l.ID, Name: string(l.Name), CPU: l.CPU, Nodes: convert(l.Nodes, node)}
		dump.Lanes = append(dump.Lanes, tree)
	}
	for _, f := range doc.FrameTrees {
		dump.FrameTrees = append(dump.FrameTrees,
			report.FrameTree{Index: f.Frame, Nodes: convert(f.Nodes, node), Verdict: readVerdict(f.Verdict)})
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
func readVerdict(v *asjson.Verdict) report.Verdict {
	if v == nil {
		return report.Verdict{}
	}
	return report.Verdict{Index: v.Frame, Frames: v.Frames, Among: v.Among, Over: v.Over, Working: v.Working,
		Time: v.Time, Usual: v.Usual,
		Excess: v.Excess, Budget: v.Budget, Rest: v.Rest, Causes: convert(v.Causes, func(c asjson.Cause) report.Cause {
			kind := report.CauseNone
			for kind.String() != c.Kind {
				kind++
			}
			return report.Cause{Kind: kind, Zone: c.ID, Path: c.Path, Name: string(c.Zone), Self: c.Self,
				Time: c.Time, Usual: c.Usual, Spread: c.Spread, Excess: c.Excess, Taken: c.Taken,
				Count: c.Count, Often: c.Often, Pattern: readPattern(c.Pattern),
				Callers: append([]string(nil), convert(c.Callers, func(s asjson.Text) string { return string(s) })...)}
		})}
}

// readPattern reads the pattern of a cause back.
func readPattern(p *asjson.Pattern) (out report.Pattern) {
	if p == nil {
		return out
	}
	out.Kind = map[string]report.PatternKind{"period": report.PatternPeriod, "rise": report.PatternRise,
		"step": report.PatternStep, "turns": report.PatternTurns}[p.Kind]
	out.Every = p.Every
	out.Low, out.High = p.Low, p.High
	out.Oftener = p.Oftener
	if p.Since != nil {
		out.Since = *p.Since
	}
	return out
}

// readFrame reads a frame of the history back.
func readFrame(f asjson.Frame) report.FrameSummary {
	frame := report.FrameSummary{Index: f.Frame, Label: string(f.Label), Length: f.Length, Busy: f.Busy,
		Blocked: f.Blocked, Over: f.Over, Cycles: f.Cycles, Pause: f.Pause,
		AllocBytes: f.AllocBytes, AllocObjects: f.Objects, HeapLive: f.HeapLive, HeapCost: f.HeapCost,
		Memory:    gather.MemoryMode(slices.Index([]string{"off", "own", "frame", "zone"}, f.Memory)),
		HasReport: f.HasReport, RunQueue: f.RunQueue, LockWait: f.LockWait}
	if f.Away != nil {
		frame.Away, frame.AwayKnown = *f.Away, gather.AwayExact
		if f.AwayAtMost {
			frame.AwayKnown = gather.AwayAtMost
		}
	}
	return frame
}

// readSeries reads the series back, whose names and states are the zones'.
func readSeries(doc *asjson.File) []report.Series {
	if doc.Series == nil {
		return nil
	}
	return convert(doc.Series, func(s asjson.Series) report.Series {
		z := doc.Zones[s.ID]
		return report.Series{Zone: s.ID, Name: string(z.Name), Idle: z.Idle,
			Values: convert(s.Self, func(v *float32) float32 { return *v })}
	})
}

// readValues reads the numbers of frames back.
func readValues(doc *asjson.File) (values []report.ValueSeries) {
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
func readStatistics(doc *asjson.File) (list []report.ZoneStatistics) {
	for _, s := range doc.Statistics {
		z := report.ZoneStatistics{Zone: s.ID, Frames: s.Frames, Self: summaryOf(s.Self), Hier: summaryOf(s.Hier)}
		if s.Calls != nil {
			z.CallsCounted, z.CallsMissing, z.Calls = s.Calls.Counted, s.Calls.Missing, summaryOf(s.Calls.Summary)
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

// leaveOut removes what only pages and other programs of Go see.
func leaveOut(d *report.Dump) {
	d.Totals, d.Recursion, d.Report = nil, nil, nil
	d.LaneCount, d.Now, d.Verdict.Tick = 0, 0, 0
	for i := range d.History {
		d.History[i].Others, d.History[i].OtherLanes = 0, 0
	}
	for i := range d.Series {
		d.Series[i].Package = ""
	}
	for i := range d.FrameTrees {
		f := &d.FrameTrees[i]
		f.Timeline, f.Parts, f.Verdict.Tick = report.FrameTimeline{}, nil, 0
		if !f.Verdict.Found() {
			f.Verdict = report.Verdict{}
		}
	}
}

func TestDumpsReadBackEqual(t *testing.T) {
	for name, want := range map[string]*report.Dump{"game": sampledump.Game(), "random": sampledump.Dump(3, 500, 60),
		"hostile": sampledump.Hostile()} {
		t.Run(name, func(t *testing.T) {
			got := readJSON(t, written(t, want))
			unknownAsBelow0(got.Statistics)
			unknownAsBelow0(want.Statistics)
			leaveOut(want)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: the dump read back differs from the one written", name)
			}
		})
	}
}

func TestNumbersThatAreNotFiniteAre0(t *testing.T) {
	d := &report.Dump{Merged: []report.TreeNode{{Self: math.NaN(), Hier: math.Inf(1), Count: math.Inf(-1)}},
		TicksPerSecond: math.NaN()}
	got := readJSON(t, written(t, d))
	if n := got.Merged[0]; n.Self != 0 || n.Hier != 0 || n.Count != 0 {
		t.Errorf("got %v, %v, %v; want 0, 0, 0", n.Self, n.Hier, n.Count)
	}
}

func summaryOf(s asjson.Summary) report.Summary {
	return report.Summary{Min: s.Min, Mean: s.Mean, Max: s.Max, Deviation: s.Deviation,
		P50: float64(s.P50), P90: float64(s.P90), P99: float64(s.P99), P999: float64(s.P999)}
}

// What is not known is null, and read back as that.
func TestUnknownQuantilesAreNull(t *testing.T) {
	none := math.NaN()
	b := written(t, &report.Dump{Statistics: []report.ZoneStatistics{{Zone: 1,
		Hier: report.Summary{Max: 2, P50: none, P90: none, P99: none, P999: none}}}})
	if got := readJSON(t, b).Statistics[0].Hier; got.Max != 2 || got.P50 == got.P50 || got.P999 == got.P999 {
		t.Errorf("got %+v; want quantiles that are not known", got)
	}
	if n := bytes.Count(b, []byte("null")); n < 4 {
		t.Errorf("got %s; want four times null", b)
	}
}

func TestPatternsOfCauses(t *testing.T) {
	for _, c := range []struct {
		pattern report.Pattern
		want    string
	}{
		{report.Pattern{Kind: report.PatternPeriod, Every: 60}, `{"kind":"period","every_frames":60}`},
		{report.Pattern{Kind: report.PatternRise, Low: 2.1, High: 7.9},
			`{"kind":"rise","since_frame":0,"low_ms":2.1,"high_ms":7.9}`},
		{report.Pattern{Kind: report.PatternStep, Since: 40, Low: 2.1, High: 7.9},
			`{"kind":"step","since_frame":40,"low_ms":2.1,"high_ms":7.9}`},
		{report.Pattern{Kind: report.PatternTurns, Low: 2, High: 8, Oftener: true},
			`{"kind":"turns","low_ms":2,"high_ms":8,"more_often_now":true}`},
		{},
	} {
		d := sampledump.Game()
		d.Verdict.Causes[0].Pattern = c.pattern
		f := must.Get(asjson.Read(bytes.NewReader(written(t, d))))(t)
		got := ""
		if p := f.Verdict.Causes[0].Pattern; p != nil {
			text, _ := json.Marshal(p)
			got = string(text)
		}
		if got != c.want {
			t.Errorf("got %s; want %s", got, c.want)
		}
	}
}
