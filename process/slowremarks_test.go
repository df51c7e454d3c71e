package process_test

import (
	"bytes"
	"strings"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A slow call has what the program said of it, also in frames before the one in which it ended. What was said of other
// calls of its zone stays out.
func TestSlowCallsSayWhatTheyAreAbout(t *testing.T) {
	s := process.NewSession()
	say := func(f *gather.Frame, at platform.Ticks, lane gather.LaneID, level int32, said string, v float64) {
		f.Remarks = append(f.Remarks, gather.Remark{Time: at, Lane: lane, Zone: 1, Level: level, Text: said,
			Valued: said == "", Value: v})
	}
	for i := range uint64(6) {
		f := markedFrame(i) // 10,000 ticks each
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: "GET /orders"})
		switch i {
		case 1:
			say(f, 14_000, 7, 0, "a call before", 0)
		case 2:
			say(f, 21_000, 7, 0, "customer 7", 0)
			say(f, 22_000, 8, 0, "another goroutine", 0)
			say(f, 23_000, 7, 2, "the same zone below", 0)
		case 3:
			say(f, 35_000, 7, 0, "", 30)
		case 4:
			say(f, 41_000, 7, 0, "\x1b[2J", 0)
			say(f, 48_000, 7, 0, "a call after", 0)
			f.SlowCalls = []gather.SlowCall{{Zone: 1, Lane: 7, Begin: 20_500, End: 45_000, Usual: 900}}
		}
		must.Do(t, s.WriteFrame(f))
	}
	var r report.Report
	s.View().AppendReport(&r)
	c := r.SlowCall()
	if c == nil || c.Said != "customer 7, value 30, \x1b[2J" {
		t.Fatalf("got %+v; want what was said of it", c)
	}
	const want = `GET /orders (customer 7, value 30, \x1b[2J): 24.5 ms, usually 0.90`
	var out, object bytes.Buffer
	if err := text.WriteReport(&out, &r, text.Options{}); err != nil || !strings.Contains(out.String(), want) {
		t.Errorf("report: got\n%s\nwant %s", out.String(), want)
	}
	must.Do(t, text.WriteJSON(&object, s.Dump(report.DumpOptions{})))
	const field = `"said":"customer 7, value 30, \u001b[2J"`
	if !strings.Contains(strings.ReplaceAll(object.String(), `": `, `":`), field) {
		t.Errorf("JSON: there is no %s in\n%.3000s", field, object.String())
	}
}

// Many remarks cost a slow call a bounded time.
func TestSlowCallsAmongManyRemarks(t *testing.T) {
	s := process.NewSession()
	for i := range uint64(20) {
		f := markedFrame(i)
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: "GET /orders"})
		for k := range measure.MaxRemarks {
			f.Remarks = append(f.Remarks, gather.Remark{Time: f.Begin + platform.Ticks(k), Lane: 7, Zone: 1, Text: "x"})
		}
		for range measure.MaxSlowCalls {
			f.SlowCalls = append(f.SlowCalls, gather.SlowCall{Zone: 1, Lane: 7, Begin: 1, End: f.End, Usual: 2})
		}
		must.Do(t, s.WriteFrame(f))
	}
	var r report.Report
	s.View().AppendReport(&r)
	if c := r.SlowCalls[0]; len(c.Said) > 1600 || len(c.Said) < 500 {
		t.Errorf("got a text of %d bytes; want it bounded", len(c.Said))
	}
}
