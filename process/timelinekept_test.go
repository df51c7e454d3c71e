//go:build !iprof_off

package process_test

import (
	"fmt"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/timeline"
)

// pacer makes frames of a length on a player's lane.
type pacer struct {
	*live
	s *process.Session
	p *player
}

func newPacer(t *testing.T, events int) *pacer {
	l := newLive(t)
	gather.SetEvents(events)
	t.Cleanup(func() { gather.SetEvents(0) })
	l.players[1].run(func() { l.zones[0].Begin().End() })
	p := &pacer{l, process.NewSession(), l.players[1]}
	t.Cleanup(func() { p.s.Reset(); p.s.Reset() }) // the second drops what the first put aside
	p.s.Update()
	return p
}

// frame makes a frame of a number of scopes, each of some ms.
func (p *pacer) frame(scopes, ms int) {
	p.p.run(func() {
		for range scopes {
			z := p.zones[2].Begin()
			p.now += int64(ms)
			z.End()
		}
	})
	p.s.Update()
}

// timelineOf returns the scopes of a frame as lines.
func (p *pacer) timelineOf(index uint64) []string {
	return told(p.s.AppendTimelineFrame(nil, p.p.lane, index))
}

// TestSlowFramesKeepTheirEvents makes one slow frame, and far more than the lane's ring and the history hold.
func TestSlowFramesKeepTheirEvents(t *testing.T) {
	p := newPacer(t, 128)
	p.s.SetHistory(8, 8)
	p.s.SetSlowest(1)
	for range 5 {
		p.frame(3, 2)
	}
	p.frame(5, 10)
	slow := p.s.View().Info().Index
	want := map[uint64][]string{}
	for i := range 4 {
		for age := range i + 1 {
			index := slow + uint64(i-age)
			want[index] = p.timelineOf(index)
		}
		p.frame(2+i, 2)
	}
	if len(want[slow]) != 5 {
		t.Fatalf("slow frame: got %q; want 5 scopes", want[slow])
	}
	for range 500 {
		p.frame(3, 2)
	}
	if !p.s.View().ShowFrame(slow) || !p.s.View().Info().Kept {
		t.Fatalf("got %+v; want the slow frame, kept", p.s.View().Info())
	}
	compare(t, "slow frame", p.timelineOf(slow), want[slow])
	lanes := p.s.AppendTimelineFrameLanes(nil, slow)
	if len(lanes) < 2 || lanes[len(lanes)-1].State != timeline.Whole {
		t.Errorf("lanes: got %+v; want the worker's whole", lanes)
	}
	var snap process.Snapshot
	p.s.View().Snapshot(&snap, process.SnapshotOptions{Timeline: true, TimelineFrom: -30, TimelineTo: 80})
	if got := snap.Timeline.Frames; len(got) != 5 || got[2].Index != slow || got[2].Begin != 0 {
		t.Errorf("frames: got %+v; want the slow one and two on either side", got)
	}
	scopes := 0
	for i := range snap.Timeline.Rows {
		if r := &snap.Timeline.Rows[i]; r.Lane == p.p.lane {
			scopes += r.Len()
		}
	}
	if scopes != 3+3+5+2+3 {
		t.Errorf("got %d scopes; want the 16 of five frames", scopes)
	}
}

// TestOnlyTheSlowestKeepTheirEvents makes slow frames, each slower than the one before.
func TestOnlyTheSlowestKeepTheirEvents(t *testing.T) {
	p := newPacer(t, 64)
	p.s.SetHistory(2, 2)
	p.s.SetSlowest(3)
	var slow []uint64
	for i := range 6 {
		p.frame(4, 20+i)
		slow = append(slow, p.s.View().Info().Index)
		for range 40 {
			p.frame(3, 2)
		}
	}
	for i, index := range slow {
		want := 0
		if i >= 3 {
			want = 4
		}
		if got := p.timelineOf(index); len(got) != want {
			t.Errorf("slow frame %d: got %d scopes; want %d", i, len(got), want)
		}
	}
	held := gather.MemoryUsed().Copies
	p.s.Reset()
	p.s.Reset() // what the first put aside is gone for good
	if got := gather.MemoryUsed().Copies; got >= held || got != 0 {
		t.Errorf("after Reset: got %d bytes of copies; want none of %d", got, held)
	}
}

// TestCopiesOfSlowFramesAreBounded leaves room for the events of few frames.
func TestCopiesOfSlowFramesAreBounded(t *testing.T) {
	if !alone(t) {
		return
	}
	defer gather.SetLimits(gather.Limits{})
	p := newPacer(t, 1<<12)
	limit := 1 << 20
	gather.SetLimits(gather.Limits{Bytes: limit})
	var last uint64
	for i := range 30 {
		p.frame(1000, 1+i)
		last = p.s.View().Info().Index
	}
	if got := gather.MemoryUsed().Copies; got > int64(limit)/4 || got == 0 {
		t.Errorf("got %d bytes; want some, within a quarter of %d", got, limit)
	}
	for range 300 {
		p.frame(20, 0)
	}
	if got := p.timelineOf(last); len(got) != 1000 {
		t.Errorf("slowest: got %d scopes; want its 1000", len(got))
	}
}

// TestManyLanesAreCopiedOverSomeFrames has more lanes than an Update copies of several frames: it copies one frame.
func TestManyLanesAreCopiedOverSomeFrames(t *testing.T) {
	p := newPacer(t, 64)
	p.s.SetHistory(16, 16)
	p.s.SetSlowest(1)
	var others []*player
	for i := range 1100 {
		others = append(others, newPlayer(fmt.Sprint("other ", i)))
		t.Cleanup(func() { close(others[i].do) })
	}
	frame := func(ms int) {
		p.now++
		for _, o := range others {
			o.run(func() { p.zones[1].Begin().End() })
		}
		p.frame(3, ms)
	}
	before := gather.MemoryUsed().Copies
	var held []int64
	copied := func() { held = append(held, gather.MemoryUsed().Copies-before) }
	for range 4 {
		frame(2)
	}
	frame(10)
	copied()
	slow := p.s.View().Info().Index
	for range 4 {
		frame(2)
		copied()
	}
	for i, bytes := range held {
		if most := held[0] * int64(i+1); held[0] == 0 || bytes > most+most/8 || bytes <= most-held[0]/2 {
			t.Errorf("after %d Updates: got %d bytes of copies; want %d, a frame each", i+1, bytes, most)
		}
	}
	for range 40 {
		frame(0)
	}
	for index := slow - 2; index <= slow+2; index++ {
		want := 0
		if index == slow {
			want = 1
		}
		if got := p.s.AppendTimelineFrame(nil, others[7].lane, index); index == slow && len(got) != want {
			t.Errorf("frame %d: got %d scopes; want %d", index, len(got), want)
		}
	}
}
