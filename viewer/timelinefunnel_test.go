package viewer_test

import (
	"testing"

	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// The columns of the frames that the timeline shows lead down to it, and no others do. A slow frame attracts the mouse
// from beside its column.
func TestColumnsLeadToTheTimeline(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*demo) viewer.Source
		then func(p *viewer.Panel)
		of   func(age int) (oldest, newest int)
	}{
		{"live", live, nil, func(int) (int, int) { return 0, 0 }},
		{"past", spike, nil, func(age int) (int, int) { return age, age }},
		{"memory", spike, func(p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Second = viewer.SecondMemory })
		}, func(age int) (int, int) { return age, age }},
		{"slowest between", spike, func(p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Second = viewer.SecondSlowest })
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDemo()
			p := onTimeline(c.set(d), viewer.TimelineShown, 1280, 720, 1)
			if c.then != nil {
				c.then(p)
			}
			settled(t, p, 1280, 720, 1)
			x0, y0, x1, y1 := viewer.Funnel(p)
			if c.of == nil {
				if y1 > y0 {
					t.Fatalf("got a funnel from %v to %v; want none", x0, x1)
				}
				return
			}
			oldest, newest := c.of(d.view.Age)
			first, _ := firstAge(p, hit.Graph, oldest, 0)
			if y1 <= y0 || x0 > first+4 || x0 < first-1.5 {
				t.Errorf("got the funnel from x %v, height %v; want x %v", x0, y1-y0, first)
			}
			next, _ := firstAge(p, hit.Graph, newest-1, 0)
			if newest > 0 && (x1 > next+1.5 || x1 < next-4) {
				t.Errorf("got the funnel up to x %v; want %v", x1, next)
			}
		})
	}
}
