package text

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"example.com/iprof/process/report"
)

func TestStatisticsReadBackEqual(t *testing.T) {
	want := []report.ZoneStatistics{
		{Zone: 1, Frames: 300, Self: report.Summary{Min: 0.1, Mean: 0.2, Max: 9.125, Deviation: 1e-9, P50: 0.3, P90: 4,
			P99: 5.5, P999: 1.0 / 3}},
		{Zone: 4, Frames: 1 << 60, Hier: report.Summary{P999: 7}, CallsCounted: 3, CallsMissing: 1 << 50,
			Calls: report.Summary{Min: 2, Max: 3}},
	}
	var b bytes.Buffer
	if err := WriteJSON(&b, &report.Dump{Statistics: want}); err != nil {
		t.Fatal(err)
	}
	var doc document
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if got := readStatistics(doc); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

func summaryOf(s jsonSummary) report.Summary {
	return report.Summary{Min: s.Min, Mean: s.Mean, Max: s.Max, Deviation: s.Deviation,
		P50: float64(s.P50), P90: float64(s.P90), P99: float64(s.P99), P999: float64(s.P999)}
}

// What is not known is null, and read back as that.
func TestUnknownQuantilesAreNull(t *testing.T) {
	none := math.NaN()
	var b bytes.Buffer
	d := &report.Dump{Statistics: []report.ZoneStatistics{{Zone: 1,
		Hier: report.Summary{Max: 2, P50: none, P90: none, P99: none, P999: none}}}}
	if err := WriteJSON(&b, d); err != nil {
		t.Fatal(err)
	}
	var doc struct{ Statistics []jsonStatistic }
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if got := summaryOf(doc.Statistics[0].Hier); got.Max != 2 || got.P50 == got.P50 || got.P999 == got.P999 {
		t.Errorf("got %+v; want quantiles that are not known", got)
	}
	if n := bytes.Count(b.Bytes(), []byte("null")); n < 4 {
		t.Errorf("got %s; want four times null", b.Bytes())
	}
}
