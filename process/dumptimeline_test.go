//go:build !iprof_off

package process_test

import (
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// scopesOfDump returns the timelines of a dump as scopes of a lane named by its place, by the index of the frame.
func scopesOfDump(d *report.Dump) (all map[uint64][]timeline.Scope, n int) {
	all = map[uint64][]timeline.Scope{}
	for i := range d.FrameTrees {
		f := &d.FrameTrees[i]
		for _, l := range f.Timeline.Lanes {
			for _, s := range l.Scopes {
				n++
				all[f.Index] = append(all[f.Index], timeline.Scope{Zone: s.Zone, Level: int32(s.Level),
					Begin: float64(s.Begin), End: float64(s.End), Before: s.Before, After: s.After})
			}
		}
	}
	return all, n
}

// A dump has the timeline of each frame as AppendTimelineFrame has it.
func TestDumpHasTimelines(t *testing.T) {
	p := newPacer(t, 64)
	p.s.SetSlowest(0)
	for i := range 20 {
		p.frame(1+i%4, 2)
	}
	d := p.s.Dump(report.DumpOptions{AllFrames: true, Scopes: 1000})
	got, n := scopesOfDump(d)
	gone := 0
	for i := range d.FrameTrees {
		f := &d.FrameTrees[i]
		want := p.s.AppendTimelineFrame(nil, 0, f.Index)
		for i := range want {
			want[i].Lane = 0
			want[i].Begin, want[i].End = float64(float32(want[i].Begin)), float64(float32(want[i].End))
		}
		compare(t, "frame", told(got[f.Index]), told(want))
		gone += f.Timeline.Gone
		if lanes := p.s.AppendTimelineFrameLanes(nil, f.Index); len(f.Timeline.Lanes)+f.Timeline.Quiet+
			f.Timeline.Gone+f.Timeline.Off != len(lanes) {
			t.Errorf("frame %d: got %+v; want %d lanes", f.Index, f.Timeline, len(lanes))
		}
	}
	if n == 0 || gone == 0 {
		t.Errorf("got %d scopes, and %d lanes without their events; want some of each", n, gone)
	}
	if _, n := scopesOfDump(p.s.Dump(report.DumpOptions{AllFrames: true})); n != 0 {
		t.Errorf("got %d scopes that nobody asked for", n)
	}
}

// A dump has no more scopes than it may, all of a frame or none, and says how many it lacks.
func TestDumpLimitsItsScopes(t *testing.T) {
	p := newPacer(t, 1<<10)
	for range 20 {
		p.frame(10, 1)
	}
	whole := p.s.Dump(report.DumpOptions{AllFrames: true, Scopes: 10_000})
	all, total := scopesOfDump(whole)
	for limit := 1; limit < total+20; limit += 17 {
		d := p.s.Dump(report.DumpOptions{AllFrames: true, Scopes: limit})
		some, n := scopesOfDump(d)
		left := 0
		for i := range d.FrameTrees {
			f := &d.FrameTrees[i]
			left += f.Timeline.Left
			if got := len(some[f.Index]); got != 0 && got != len(all[f.Index]) {
				t.Errorf("limit %d, frame %d: got %d scopes; want all %d or none", limit, f.Index, got,
					len(all[f.Index]))
			}
		}
		if n > limit || n+left != total || n+10 < min(limit, total-10) {
			t.Errorf("limit %d: got %d scopes, and %d left out; want %d in all", limit, n, left, total)
		}
	}
}
