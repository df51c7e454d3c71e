package process_test

import (
	"slices"
	"testing"

	"example.com/iprof/process/report"
)

// steadyReport makes a flat report of zones by their time, as a session would: the greatest first.
func steadyReport(frame uint64, cursor string, times map[string]float64) *report.Report {
	r := &report.Report{View: report.View{Mode: report.ReportSelfTime}}
	r.Frame = report.FrameInfo{Live: true, Index: frame, Frames: frame, Length: 20}
	for name, ms := range times {
		rec := report.Record{Zone: report.ZoneID(name[0]), Path: -1, Name: name}
		rec.Values[report.ColumnSelf] = ms
		r.Records = append(r.Records, rec)
	}
	slices.SortFunc(r.Records, func(a, b report.Record) int {
		return int(1000 * (b.Values[report.ColumnSelf] - a.Values[report.ColumnSelf]))
	})
	r.Cursor = slices.IndexFunc(r.Records, func(rec report.Record) bool { return rec.Name == cursor })
	r.View.Cursor = r.Cursor
	return r
}

func rowsOf(a *report.Arranger, r *report.Report) (names string) {
	a.Arrange(r, nil, nil)
	for i := range r.Len() {
		rec, _ := r.Line(i)
		names += rec.Name
	}
	return names
}

// The rows of a live list stay for two seconds of frames whatever their values do, and the highlighted row keeps its
// line until an input moves it.
func TestRowsStayForTwoSeconds(t *testing.T) {
	a := report.Arranger{Steady: true}
	for _, step := range []struct {
		frame  uint64
		cursor string
		times  map[string]float64
		want   string
	}{
		{1000, "b", map[string]float64{"a": 5, "b": 4, "c": 3}, "abc"},
		{1001, "b", map[string]float64{"a": 1, "b": 4, "c": 3}, "abc"},                    // no swap
		{1050, "b", map[string]float64{"a": 1, "b": 4, "c": 9}, "abc"},                    // after one second
		{1060, "b", map[string]float64{"a": 1, "b": 4, "c": 9, "d": 8}, "abcd"},           // a new row
		{1070, "b", map[string]float64{"b": 4, "c": 9, "d": 8}, "bcd"},                    // a row is gone
		{1110, "b", map[string]float64{"a": 7, "b": 4, "c": 9, "d": 8}, "bcda"},           // sorted, but b
		{1220, "b", map[string]float64{"a": 7, "b": 1, "c": 9, "d": 80}, "bdca"},          // it keeps its line
		{1221, "a", map[string]float64{"a": 7, "b": 1, "c": 9, "d": 80}, "dcab"},          // moved
		{1330, "a", map[string]float64{"a": 99, "b": 1, "c": 9, "d": 8, "e": 2}, "cdaeb"}, // and then that
	} {
		got := rowsOf(&a, steadyReport(step.frame, step.cursor, step.times))
		if got != step.want {
			t.Errorf("frame %d: got %s; want %s", step.frame, got, step.want)
		}
	}
}

// One slow frame at the start puts no zone first for long, and a zone that comes later begins below the first.
func TestAnOutlierAtTheStartDoesNotStayFirst(t *testing.T) {
	a := report.Arranger{Steady: true}
	for _, step := range []struct {
		frame uint64
		times map[string]float64
		want  string
	}{
		{1, map[string]float64{"a": 5, "b": 4, "c": 3}, "abc"},
		{3, map[string]float64{"a": 5, "b": 4, "c": 3, "g": 90}, "agbc"}, // new, and slow at first
		{20, map[string]float64{"a": 5, "b": 4, "c": 3, "g": 9}, "agbc"},
		{30, map[string]float64{"a": 5, "b": 4, "c": 3, "g": 0.5}, "abcg"}, // after half a second
		{50, map[string]float64{"a": 1, "b": 4, "c": 3, "g": 0.5}, "abcg"}, // an order of 0.6 s stays as long
		{62, map[string]float64{"a": 1, "b": 4, "c": 3, "g": 0.5}, "bcag"},
		{110, map[string]float64{"a": 9, "b": 4, "c": 3, "g": 0.5}, "bcag"},
		{124, map[string]float64{"a": 9, "b": 4, "c": 3, "g": 0.5}, "abcg"},
		{220, map[string]float64{"a": 1, "b": 4, "c": 3, "g": 0.5}, "abcg"}, // from now on for two seconds
		{226, map[string]float64{"a": 1, "b": 4, "c": 3, "g": 0.5}, "bcag"},
	} {
		if got := rowsOf(&a, steadyReport(step.frame, "", step.times)); got != step.want {
			t.Errorf("frame %d: got %s; want %s", step.frame, got, step.want)
		}
	}
}

// While rows keep their places, the greatest row is among those in sight, no other row moves above it, and the report
// says that the order is held.
func TestTheGreatestRowIsInSight(t *testing.T) {
	for _, chosen := range []bool{false, true} {
		a := report.Arranger{Steady: true, InSight: 3}
		for _, step := range []struct {
			frame  uint64
			cursor string
			times  map[string]float64
			want   string
			held   bool
		}{
			{1000, "a", map[string]float64{"a": 9, "b": 8, "c": 7, "d": 6, "e": 5}, "abcde", false},
			{1001, "a", map[string]float64{"a": 9, "b": 8, "c": 7, "d": 6, "e": 29}, "abecd", true},
			{1002, "a", map[string]float64{"a": 9, "b": 8, "c": 7, "d": 30, "e": 5}, "abdec", true},
			{1003, "d", map[string]float64{"a": 9, "b": 8, "c": 31, "d": 6, "e": 5}, "cabde", true}, // the cursor moved
			{1004, "d", map[string]float64{"a": 9, "b": 8, "c": 7, "d": 6, "e": 5}, "cabde", true},
			{1150, "d", map[string]float64{"a": 9, "b": 8, "c": 7, "d": 6, "e": 5}, "abcde", true},
		} {
			r := steadyReport(step.frame, step.cursor, step.times)
			if r.View.Order.Chosen = chosen; chosen {
				r.View.Order.By = report.ColumnSelf
				for i := range r.Records {
					r.Records[i].Mask = report.ColumnsOf(report.ColumnSelf)
				}
			}
			r.Sorted = report.ColumnSelf
			if got := rowsOf(&a, r); got != step.want || r.Held != step.held {
				t.Errorf("chosen %v, frame %d: got %s, held %v; want %s, %v", chosen, step.frame, got, r.Held,
					step.want, step.held)
			}
		}
	}
}
