package world

import (
	"math"
	"testing"

	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// sums has the sums of the times of a zone's scopes, in ms.
type sums struct {
	self  float64
	count int
}

// add adds scopes up; those of a deeper level come after the one they are in.
func add(scopes []timeline.Scope) map[report.ZoneID]sums {
	all := map[report.ZoneID]sums{}
	var stack []timeline.Scope
	for _, s := range scopes {
		for len(stack) > int(s.Level) {
			stack = stack[:len(stack)-1]
		}
		if n := len(stack); n > 0 {
			up := all[stack[n-1].Zone]
			up.self -= s.End - s.Begin
			all[stack[n-1].Zone] = up
		}
		z := all[s.Zone]
		z.self, z.count = z.self+s.End-s.Begin, z.count+1
		all[s.Zone] = z
		stack = append(stack, s)
	}
	return all
}

func TestTheTimelineAddsUpToTheTree(t *testing.T) {
	s := process.NewSession()
	r := NewGame(9, s)
	for range Period {
		r.Step()
		for i := range r.Next.Lanes {
			lane := &r.Next.Lanes[i]
			all := add(s.AppendTimeline(nil, lane.ID, 0))
			if len(all) != len(lane.Nodes)-1 {
				t.Fatalf("frame %d, lane %s: got %d zones; want %d",
					r.Next.Index, lane.Name, len(all), len(lane.Nodes)-1)
			}
			for _, n := range lane.Nodes[1:] {
				got, want := all[n.Zone], float64(n.Self)/1e6
				if math.Abs(got.self-want) > 1e-9 || got.count != int(n.Count) {
					t.Fatalf("frame %d, lane %s, zone %d: got %d times %.9f ms; want %d times %.9f",
						r.Next.Index, lane.Name, n.Zone, got.count, got.self, n.Count, want)
				}
			}
		}
	}
	whole := add(s.AppendTimeline(nil, 0, 7))
	for _, n := range treeOf(s, 7) {
		if got := whole[n.Zone]; n.Zone != 0 && (math.Abs(got.self-n.Self) > 1e-9 || float64(got.count) != n.Count) {
			t.Errorf("zone %d, all goroutines: got %d times %.9f ms; want the tree's %g times %.9f",
				n.Zone, got.count, got.self, n.Count, n.Self)
		}
	}
}

// treeOf is the merged tree of the frame of an age.
func treeOf(s *process.Session, age int) []report.TreeNode {
	s.View().SetFrame(age)
	v := s.View().Get()
	v.Average = report.AverageInstant
	return s.View().AppendTree(nil, v)
}

func TestEventsAreKeptForSoManyFrames(t *testing.T) {
	s := process.NewSession()
	r := NewGame(9, s)
	if _, kept := r.events.EventsSince(1); kept {
		t.Error("before the first frame: got events kept; want none")
	}
	ends := []platform.Ticks{0}
	for range keptFrames + 20 {
		r.Step()
		ends = append(ends, r.Next.End)
	}
	if since, kept := r.events.EventsSince(2); since != ends[20] || !kept {
		t.Errorf("since: got %d, %v; want %d, when frame 20 began", since, kept, ends[20])
	}
	if got := r.events.AppendEvents(nil, 1, 0, ends[20]-1); len(got) != 0 {
		t.Errorf("forgotten frames: got %d events; want none", len(got))
	}
	if got := len(s.AppendTimeline(nil, 1, keptFrames-1)); got < 500 {
		t.Errorf("oldest frame: got %d scopes; want it whole, above 500", got)
	}
	if _, kept := r.events.EventsSince(3); kept || len(r.events.AppendEvents(nil, 3, 0, ends[300])) != 0 {
		t.Error("unknown lane: got events; want none")
	}
}
