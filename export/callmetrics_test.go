package export_test

import (
	"fmt"
	"testing"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// counted has the calls of lanes, which may end and take their calls along.
type counted []gather.Calls

func (c counted) AppendCalls(dst []gather.Calls) []gather.Calls { return append(dst, c...) }

// TestCallsAreAHistogram: of zones that count their calls, all lanes together. It never goes back, and its series are
// bounded. A zone that is idle has its mark.
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
	m.TakeCalls(lanes)
	must.Do(t, m.WriteFrame(&f))
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
	m.TakeCalls(lanes[:130])
	_, text = texts(t, m)
	if after := samples(t, text)["iprof_call_seconds_count"+labels+"}"]; after != 202 {
		t.Errorf("one lane has gone: got %v calls; want 202 as before", after)
	}
}
