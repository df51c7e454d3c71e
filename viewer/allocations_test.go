package viewer_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/internal/golden"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// askable is a tracer that notes what it is asked for.
type askable struct {
	traced
	asked []string
	err   error
}

func (a *askable) Allocations(limits string) (string, error) {
	a.asked = append(a.asked, limits)
	return "a trace stops the program for about 27 ms", a.err
}

// physicsObjects are traced allocations of zone 1, some in its callees' place.
func physicsObjects() *allocated.Table {
	in := []gather.ZoneID{1}
	return &allocated.Table{Frames: []uint64{28, 29}, Pause: 27 * time.Millisecond, Rows: []allocated.Row{
		{Frame: 28, Lane: 1, Path: in, Type: "main.body",
			Sum: allocated.Sum{Objects: 3000, Bytes: 336000, Freed: 2900}},
		{Frame: 29, Lane: 1, Path: in, Type: "main.body", Sum: allocated.Sum{Objects: 2000, Bytes: 224000}},
		{Frame: 28, Lane: 2, Path: in, Type: "main.\x1bcontact", Sum: allocated.Sum{Objects: 10, Bytes: 1600}},
		{Frame: 28, Lane: 1, Sum: allocated.Sum{Objects: 7, Bytes: 112}}}}
}

// The list and the card of a zone have the traced objects; a trace is begun when its cost is agreed to.
func TestTracedAllocations(t *testing.T) {
	s, of := locked(t), &askable{}
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	words := func() string { return strings.Join(wordsOf(p, 1280, 900), "\n") }
	p.Run("self")
	if p.Run("trace-allocations"); !strings.Contains(words(), "does not import example.com/iprof/exectrace") {
		t.Errorf("without the module: got %q; want the import", words())
	}
	s.SetSources(func(c *process.Sources) { c.Tracer = of })
	if p.Run("trace-allocations"); !strings.Contains(words(), "27 ms. Once more: yes") || len(of.asked) != 1 {
		t.Errorf("asked for %q; want the cost first", of.asked)
	}
	if p.Run("trace-allocations"); strings.Join(of.asked, ",") != ",,slow" {
		t.Errorf("asked for %q; want a trace until a slow frame", of.asked)
	}
	s.SetSources(func(c *process.Sources) { c.Allocated = physicsObjects() })
	p.View().SetCursorZone(1)
	p.Run("card")
	p.Run("allocations")
	settled(t, p, 1280, 900, 1)
	golden.Picture(t, "allocations.png", paint(t, p, 1280, 900, 1))
	want := "step,560 kB,5000,2900,main.body"
	if q := p.State(); q.List != "allocations" || q.Listed != 3 || strings.Join(q.ListRow, ",") != want {
		t.Fatalf("got %d rows of %q, the first %q; want %q", q.Listed, q.List, q.ListRow, want)
	}
	if !strings.Contains(words(), "5000 of main.body, 560000 bytes, 2900 freed") {
		t.Errorf("got %q; want the objects in the zone's card", words())
	}
	p.Run("select")
	if got := p.View().Info(); got.Index != 28 {
		t.Errorf("the row leads to frame %d; want 28", got.Index)
	}
	typedAllocations(t, s, p, of)
}

func typedAllocations(t *testing.T, s *process.Session, p *viewer.Panel, of *askable) {
	t.Helper()
	var out bytes.Buffer
	c, _ := p.Command("allocations")
	if _, err := c.Run(s, &out, ""); err != nil || !strings.Contains(out.String(),
		`step: 10 of main.\x1bcontact, 1600 bytes, 0 freed`) || !strings.HasSuffix(out.String(),
		"3 rows; 5017 objects in frames 28 to 29, each counted; the start stopped the program for 27 ms\n"+
			"a trace stops the program for about 27 ms\n") {
		t.Errorf("typed: got %v, %q; want the rows, the sum and the cost", err, out.String())
	}
	out.Reset()
	of.err = errors.New("no")
	if wrong, _ := c.Run(s, &out, "10 frames"); of.asked[len(of.asked)-1] != "10 frames" || wrong == nil {
		t.Errorf("typed: asked for %q, error %v; want the limits, and the error", of.asked, wrong)
	}
}
