package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
)

// spoken is a frame of hand of which the program said something: of a scope that began before, of one in the frame in
// the tick of its end, and of scopes that are not there.
func spoken() *gather.Frame {
	f := hand(0)
	begin := f.Lanes[0].Begin
	f.Remarks = []gather.Remark{{Time: begin + 90, Lane: 1, Zone: 1, Valued: true, Value: 7},
		{Time: begin + 210, Lane: 1, Zone: 2, Level: 1, Text: "chunk 12,7"},
		{Time: begin + 210, Lane: 1, Zone: 3, Level: 1, Text: "of another zone"},
		{Time: begin + 210, Lane: 1, Zone: 3, Level: 9, Text: "too deep"},
		{Time: begin + 210, Lane: 2, Zone: 2, Level: 1, Text: "of another lane"},
		{Time: begin + 250, Lane: 1, Zone: 2, Level: 1, Text: "</script>\xff"},
		{Time: begin + 250, Lane: 1, Zone: 2, Level: 1, Valued: true, Value: -2.5}}
	return f
}

// Slices have what the program said of their scopes as arguments, whatever it said.
func TestSlicesHaveRemarks(t *testing.T) {
	var b bytes.Buffer
	x := export.NewChrome(&b, "")
	x.TakeEvents(scopes{})
	write(t, x, spoken())
	must.Do(t, x.Close())
	var file struct {
		TraceEvents []struct {
			Name string
			Tid  int
			Args struct {
				Text  *string
				Value *float64
			}
		}
	}
	must.Do(t, json.Unmarshal(b.Bytes(), &file))
	var got []string
	for _, e := range file.TraceEvents {
		if e.Args.Text != nil {
			got = append(got, e.Name[:2]+" "+*e.Args.Text)
		}
		if e.Args.Value != nil && e.Tid == 2 {
			got = append(got, e.Name[:2]+" "+fmt.Sprint(*e.Args.Value))
		}
	}
	if want := "zo chunk 12,7, </script>\ufffd|zo -2.5|</ 7"; strings.Join(got, "|") != want {
		t.Errorf("got  %q\nwant %q", strings.Join(got, "|"), want)
	}
}

// Perfetto shows the annotations of a slice's end with those of its begin.
func TestPerfettoSlicesHaveRemarks(t *testing.T) {
	var b bytes.Buffer
	x := export.NewPerfetto(&b, "")
	x.TakeEvents(scopes{})
	write(t, x, spoken())
	must.Do(t, x.Close())
	readPerfetto(t, b.Bytes())
	var got []string
	for _, p := range decode(t, b.Bytes())[1] {
		e := decode(t, p.bytes).message(t, 11)
		if e == nil || e.number(9) != 2 {
			continue
		}
		for _, a := range e[4] {
			switch m := decode(t, a.bytes); m.number(1) {
			case 2:
				got = append(got, m.text(6))
			case 3:
				got = append(got, fmt.Sprint(math.Float64frombits(m[5][0].number)))
			}
		}
	}
	if want := []string{`chunk 12,7, </script>\xff`, "-2.5", "7"}; !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}
