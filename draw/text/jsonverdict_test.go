package text

import (
	"bytes"
	"encoding/json"
	"testing"

	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// A verdict's pattern is data, not only words.
func TestJSONHasPatternsAsData(t *testing.T) {
	for _, c := range []struct {
		pattern report.Pattern
		want    string
	}{
		{report.Pattern{Kind: report.PatternPeriod, Every: 60}, `{"kind":"period","every_frames":60}`},
		{report.Pattern{Kind: report.PatternRise, Low: 2.1, High: 7.9},
			`{"kind":"rise","since_frame":0,"low_ms":2.1,"high_ms":7.9}`},
		{report.Pattern{Kind: report.PatternTurns, Low: 2, High: 8, Oftener: true},
			`{"kind":"turns","low_ms":2,"high_ms":8,"more_often_now":true}`},
		{},
	} {
		d := sampledump.Game()
		d.Verdict.Causes[0].Pattern = c.pattern
		var b, flat bytes.Buffer
		if err := WriteJSON(&b, d); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Verdict struct {
				Causes []struct{ Pattern json.RawMessage }
			}
		}
		if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		if raw := doc.Verdict.Causes[0].Pattern; len(raw) > 0 {
			if err := json.Compact(&flat, raw); err != nil {
				t.Fatal(err)
			}
		}
		if got := flat.String(); got != c.want {
			t.Errorf("got %s; want %s", got, c.want)
		}
	}
}
