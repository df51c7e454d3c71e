package export_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// samples reads either text format: the values by name and labels.
func samples(t *testing.T, text string) map[string]float64 {
	t.Helper()
	got := map[string]float64{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		v, err := strconv.ParseFloat(line[at+1:], 64)
		if _, twice := got[line[:at]]; err != nil || twice {
			t.Fatalf("%q: %v, twice: %v", line, err, twice)
		}
		got[line[:at]] = v
	}
	return got
}

func texts(t *testing.T, m *export.Metrics) (open, plain string) {
	var a, b bytes.Buffer
	must.Do(t, m.WriteOpenMetrics(&a))
	must.Do(t, m.WriteText(&b))
	return a.String(), b.String()
}

// Zones of random programs, to the nanosecond.
func TestMetricsHaveTheEnginesTimes(t *testing.T) {
	for seed := range uint64(1000) {
		m, p, want := new(export.Metrics), world.NewRandom(seed), map[string]slice{}
		for range 2 {
			f := p.Frame()
			must.Do(t, m.WriteFrame(f))
			for _, l := range f.Lanes {
				for _, n := range l.Nodes {
					z := f.Zones[n.Zone]
					labels := fmt.Sprintf("{zone=%q,function=%q,idle=\"%t\"}", z.Name, z.Function, z.Idle)
					want[labels] = slice{want[labels].ns + int64(n.Self), want[labels].calls + int64(n.Count)}
				}
			}
		}
		open, _ := texts(t, m)
		got := samples(t, open)
		for labels, s := range want {
			unwaited := strings.TrimSuffix(labels, "}") + `,waited="false"}`
			ns := int64(math.Round(got["iprof_zone_self_seconds_total"+unwaited] * 1e9))
			if calls := int64(got["iprof_zone_calls_total"+labels]); s != (slice{}) && (slice{ns, calls}) != s {
				t.Fatalf("seed %d, %s: got %d ns, %d calls; want %v", seed, labels, ns, calls, s)
			}
		}
	}
}

// The part of a zone's self time without a processor, by samples, stands beside its work. Both together are its self
// time, whatever later samples say, and neither goes back. An idle zone has no such part.
func TestWaitedTimeIsASeries(t *testing.T) {
	m := new(export.Metrics)
	f := &gather.Frame{End: 1000, TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "ask"},
		{Name: "vsync", Idle: true}}, Lanes: []gather.LaneFrame{{End: 1000, Nodes: []gather.Node{
		{Parent: -1, Self: 100}, {ID: 1, Zone: 1, Self: 700, Count: 1}, {ID: 2, Zone: 2, Self: 200, Count: 1}}}}}
	before := map[string]float64{}
	for i, c := range []struct{ share, waited float64 }{{0, 0}, {0.5, 0.7}, {0.2, 0.7}, {0.75, 1.4}, {1, 2.1},
		{5, 2.8}, {0, 2.8}} {
		m.TakeHot(&report.HotZones{Waited: map[report.ZoneID]float64{1: c.share, 2: 0.9, 7: 1, -1: 1}})
		must.Do(t, m.WriteFrame(f))
		open, _ := texts(t, m)
		got := samples(t, open)
		const ask = `iprof_zone_self_seconds_total{zone="ask",function="",idle="false",waited=`
		waited, worked := got[ask+`"true"}`], got[ask+`"false"}`]
		if all := 0.7 * float64(i+1); math.Abs(waited-c.waited) > 2e-3 || math.Abs(waited+worked-all) > 1e-9 ||
			waited < before["waited"] || worked < before["worked"] {
			t.Errorf("frame %d, share %v: got %v waited, %v worked; want %v of %v, after %v", i, c.share, waited,
				worked, c.waited, all, before)
		}
		before["waited"], before["worked"] = waited, worked
		if n := strings.Count(open, `waited="true"`); n > 1 || n < 1 && c.share > 0 {
			t.Errorf("frame %d: %d series of waits; want one at most:\n%s", i, n, open)
		}
	}
}

func TestFramesAreInTheirBuckets(t *testing.T) {
	m := new(export.Metrics)
	for i, ms := range []int{1, 10, 10, 40} {
		f := &gather.Frame{Index: uint64(i), End: ticks(ms * 1e6), TicksPerSecond: 1e9}
		half := time.Duration(ms) * time.Millisecond / 2
		must.Do(t, m.WriteJudged(f, &process.Judged{Time: half, Budget: 16 * time.Millisecond}))
	}
	open, plain := texts(t, m)
	for _, text := range []string{open, plain} {
		got := samples(t, text)
		for name, want := range map[string]float64{
			`iprof_frame_seconds_bucket{le="0.0009765625"}`: 0,
			`iprof_frame_seconds_bucket{le="0.0078125"}`:    1, `iprof_frame_seconds_bucket{le="0.015625"}`: 3,
			`iprof_frame_seconds_bucket{le="0.0625"}`: 4, `iprof_frame_seconds_bucket{le="+Inf"}`: 4,
			"iprof_frame_seconds_count": 4, "iprof_frame_seconds_sum": 0.061, "iprof_frame_busy_seconds_total": 0.0305,
			"iprof_frame_waiting_seconds_total": 0.0305, "iprof_frames_over_budget_total": 1,
			"iprof_frame_budget_seconds": 0.016, "iprof_busy_seconds_sum": 0.0305,
			`iprof_busy_seconds_bucket{le="0.0078125"}`: 3, `iprof_busy_seconds_bucket{le="0.03125"}`: 4,
		} {
			if v, has := got[name]; !has || math.Abs(v-want) > 1e-12 {
				t.Errorf("%s: got %v; want %v", name, v, want)
			}
		}
	}
	if !strings.HasSuffix(open, "# EOF\n") || strings.Contains(plain, "EOF") {
		t.Error("only OpenMetrics ends in # EOF")
	}
}

func TestMetricsCountWhatIsDropped(t *testing.T) {
	m := new(export.Metrics)
	f := frame()
	f.Dropped = gather.Dropped{Names: 1, Nodes: 2, Lanes: 3, Events: 4, Counters: 5, Memory: 6, Marks: 7, States: 8,
		Foreign: 9}
	must.Do(t, m.WriteFrame(f))
	open, _ := texts(t, m)
	got := samples(t, open)
	for i, kind := range strings.Fields("names nodes lanes events counters memory marks states foreign") {
		if v := got[`iprof_dropped_total{kind="`+kind+`"}`]; v != float64(i+1) {
			t.Errorf("%s: got %v; want %d", kind, v, i+1)
		}
	}
}

// 100 ms of slow paths, and no entry whose cost is known.
func TestTheOverheadHasAnInterval(t *testing.T) {
	m := new(export.Metrics)
	f := gather.Frame{TicksPerSecond: 1000, End: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Lanes: []gather.LaneFrame{{End: 1000, Slow: 100, Nodes: []gather.Node{{Parent: -1, Self: 1000}}}}}
	must.Do(t, m.WriteFrame(&f))
	open, _ := texts(t, m)
	got := samples(t, open)
	low, high := got["iprof_overhead_low_seconds_total"], got["iprof_overhead_high_seconds_total"]
	if at := got["iprof_overhead_seconds_total"]; at != 0.1 || low <= 0 || low >= at || high <= at {
		t.Errorf("got an overhead of %v s, from %v to %v; want 0.1 within", at, low, high)
	}
}

// TestPublicZonesHaveOneSeries in each run, whichever function enters them first.
func TestPublicZonesHaveOneSeries(t *testing.T) {
	for _, first := range []string{"example.com/db.a", "example.com/db.(*pool).b.func1"} {
		m := new(export.Metrics)
		f := gather.Frame{TicksPerSecond: 1e6, End: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"},
			{Name: "query", Function: first, Public: true}, {Name: "query", Function: first}},
			Lanes: []gather.LaneFrame{{End: 1000, Nodes: []gather.Node{{Parent: -1}, {Zone: 1, Self: 600, Count: 1},
				{Zone: 2, Self: 400, Count: 1}}}}}
		must.Do(t, m.WriteFrame(&f))
		_, text := texts(t, m)
		for _, want := range []string{`{zone="query",function="example.com/db",idle="false",waited="false"} 0.0006`,
			`{zone="query",function="` + first + `",idle="false",waited="false"} 0.0004`} {
			if !strings.Contains(text, want) {
				t.Errorf("got\n%s\nwant %s", text, want)
			}
		}
	}
}

// Counters never go back, also of a zone that gets its series late, and lose no time.
func TestSeriesAreBounded(t *testing.T) {
	m, before, ns := new(export.Metrics), map[string]float64{}, 0.0
	f := &gather.Frame{TicksPerSecond: 1e9, End: 1000}
	for round := range 30 {
		for range 10 {
			f.Zones = append(f.Zones, gather.ZoneInfo{Name: "zone " + strconv.Itoa(len(f.Zones))})
		}
		l := gather.LaneFrame{Nodes: []gather.Node{{Parent: -1, Self: 1}}}
		for i := range f.Zones {
			l.Nodes = append(l.Nodes, gather.Node{Zone: gather.ZoneID(i), Self: ticks(1 + i*round%7), Count: 1})
		}
		for _, n := range l.Nodes {
			ns += float64(n.Self)
		}
		f.Lanes = []gather.LaneFrame{l}
		must.Do(t, m.WriteFrame(f))
		open, _ := texts(t, m)
		got, series, sum := samples(t, open), 0, 0.0
		for name, v := range got {
			if v < before[name] {
				t.Fatalf("round %d: %s goes back from %v to %v", round, name, before[name], v)
			}
			if strings.HasPrefix(name, "iprof_zone_self") {
				series++
				sum += v
			}
		}
		if before = got; series > 101 || math.Abs(sum*1e9-ns) > 0.5 {
			t.Fatalf("round %d: %d series with %v ns; want 101 at most, with %v ns", round, series, sum*1e9, ns)
		}
	}
}

// With hostile names.
func TestPromtoolTakesMetrics(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool here; tools/packages check installs it")
	}
	m := new(export.Metrics)
	for i := range uint64(3) {
		must.Do(t, m.WriteFrame(hand(i)))
	}
	_, plain := texts(t, m)
	cmd := exec.Command(promtool, "check", "metrics")
	cmd.Stdin = strings.NewReader(plain)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s\nin\n%s", err, out, plain)
	}
}

func ticks(n int) platform.Ticks { return platform.Ticks(n) }

// brief prints the lines that begin with a word.
type brief struct{ word string }

func (b brief) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if strings.HasPrefix(line, b.word) {
			fmt.Print(line)
		}
	}
	return len(p), nil
}

// counted has the calls of lanes, which may end and take their calls along.
type counted []gather.Calls

func (c counted) AppendCalls(dst []gather.Calls) []gather.Calls { return append(dst, c...) }

// Of zones that count their calls, all lanes together. It never goes back, and its series are bounded. A zone that is
// idle has its mark.
func TestCallsAreAHistogram(t *testing.T) {
	f := gather.Frame{TicksPerSecond: 1e6, End: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	for i := range 130 {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: fmt.Sprint("GET /", i), Function: "shop.a", Public: true})
	}
	var lanes counted
	for lane := range 2 {
		for zone := range 130 {
			c := gather.Calls{Lane: gather.LaneID(lane), Zone: gather.ZoneID(1 + zone)}
			for k := range 100 {
				c.Add(platform.Ticks(1000 + 10*k)) // 1 to 2 ms
			}
			c.Add(400_000)
			lanes = append(lanes, c)
		}
	}
	f.Zones[3].Idle = true
	f.SlowCalls = []gather.SlowCall{{Zone: 8}, {Zone: 3}, {Zone: 8}, {Zone: 9}, {Zone: 131}, {Zone: -1}}
	m := new(export.Metrics)
	must.Do(t, m.WriteJudged(&f, &process.Judged{Calls: lanes}))
	_, text := texts(t, m)
	got := samples(t, text)
	labels := `{zone="GET /7",function="shop",idle="false"`
	other := `{zone="(other)",function="",idle="false"`
	idle := `{zone="GET /2",function="shop",idle="true"`
	for name, want := range map[string]float64{
		"iprof_call_seconds_count" + labels + "}":                   202,
		"iprof_call_seconds_bucket" + labels + `,le="+Inf"}`:        202,
		"iprof_call_seconds_bucket" + labels + `,le="0.5"}`:         202,
		"iprof_call_seconds_bucket" + labels + `,le="0.25"}`:        200,
		"iprof_call_seconds_bucket" + labels + `,le="0.001953125"}`: 190, // 95 of 100 are shorter, within a bucket
		"iprof_slow_calls_total" + labels + "}":                     2,
		"iprof_call_seconds_count" + other + "}":                    30 * 202,

		"iprof_call_seconds_count" + idle + "}": 202,
		"iprof_slow_calls_total" + idle + "}":   1,
	} {
		v, known := got[name]
		if v < want*0.98 || v > want*1.02 || !known {
			t.Errorf("%s: got %v, %v; want %v", name, v, known, want)
		}
	}
	if sum := got["iprof_call_seconds_sum"+labels+"}"]; sum < 1.09 || sum > 1.11 {
		t.Errorf("got a sum of %v; want 1.1 s", sum)
	}
	f.SlowCalls = nil
	must.Do(t, m.WriteJudged(&f, &process.Judged{Calls: lanes[:130]}))
	_, text = texts(t, m)
	if after := samples(t, text)["iprof_call_seconds_count"+labels+"}"]; after != 202 {
		t.Errorf("one lane has gone: got %v calls; want 202 as before", after)
	}
}

func TestTimeAwayIsAMetric(t *testing.T) {
	m := new(export.Metrics)
	frame := func(away time.Duration, known gather.AwayKnown) {
		f := &gather.Frame{End: ticks(20e6), TicksPerSecond: 1e9,
			Away: gather.Away{Time: away, Known: known}}
		must.Do(t, m.WriteFrame(f))
	}
	frame(0, gather.AwayUnknown)
	if open, plain := texts(t, m); strings.Contains(open+plain, "\niprof_frame_away_seconds_total ") {
		t.Errorf("the system does not tell: got\n%s", open)
	}
	frame(time.Millisecond, gather.AwayExact)
	frame(9*time.Millisecond, gather.AwayAtMost)
	frame(15*time.Millisecond, gather.AwayExact)
	frame(0, gather.AwayUnknown)
	open, plain := texts(t, m)
	for _, text := range []string{open, plain} {
		got := samples(t, text)
		for name, want := range map[string]float64{
			"iprof_frame_away_seconds_total": 0.025, "iprof_frames_disturbed_total": 2} {
			if v, has := got[name]; !has || math.Abs(v-want) > 1e-12 {
				t.Errorf("%s: got %v, %t; want %v", name, v, has, want)
			}
		}
	}
}

// No spreadsheet runs a name: not after spaces, and not with full-width signs.
func TestCellsAreNoFormulas(t *testing.T) {
	for _, name := range []string{"=cmd()", "  =cmd()", "+1", "-1", "@sum", "'quoted", "＝cmd()", " ＋1", "－1", "＠sum",
		"plain", " plain", "a=b", "日本"} {
		f := frame()
		f.Zones[1] = gather.ZoneInfo{Name: name, Function: name, File: name}
		f.Label = name
		var b bytes.Buffer
		x := export.NewCSV(&b)
		write(t, x, f)
		must.Do(t, x.Close())
		rows := must.Get(csv.NewReader(&b).ReadAll())(t)
		for _, cell := range []string{rows[1][1], rows[1][4], rows[1][5], rows[1][6]} {
			if strings.IndexAny(strings.TrimLeft(cell, " "), "=+-@＝＋－＠") == 0 {
				t.Errorf("%q: got the cell %q; want no formula", name, cell)
			}
			if strings.TrimPrefix(cell, "'") != name {
				t.Errorf("%q: got the cell %q; want the name behind an apostrophe, or the name", name, cell)
			}
		}
	}
}
