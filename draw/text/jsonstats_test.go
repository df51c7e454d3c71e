package text

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"example.com/iprof/process"
)

func TestStatisticsReadBackEqual(t *testing.T) {
	want := []process.ZoneStatistics{
		{Zone: 1, Frames: 300, Self: process.Summary{Min: 0.1, Mean: 0.2, Max: 9.125, Deviation: 1e-9, P50: 0.3, P90: 4, P99: 5.5, P999: 1.0 / 3}},
		{Zone: 4, Frames: 1 << 60, Hier: process.Summary{P999: 7}, CallsCounted: 3, CallsMissing: 1 << 50, Calls: process.Summary{Min: 2, Max: 3}},
	}
	var b bytes.Buffer
	if err := WriteJSON(&b, &process.Dump{Statistics: want}); err != nil {
		t.Fatal(err)
	}
	var doc struct{ Statistics []jsonStatistic }
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	var got []process.ZoneStatistics
	for _, s := range doc.Statistics {
		z := process.ZoneStatistics{Zone: s.Zone, Frames: s.Frames, Self: process.Summary(s.Self), Hier: process.Summary(s.Hier)}
		if s.Calls != nil {
			z.CallsCounted, z.CallsMissing, z.Calls = s.Calls.Counted, s.Calls.Missing, process.Summary(s.Calls.jsonSummary)
		}
		got = append(got, z)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
}
