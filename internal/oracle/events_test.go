//go:build !iprof_off

package oracle_test

import (
	"fmt"
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// happened is the beginning or the end of an entry. The zero time of now is that of the clock.
type happened struct {
	now   platform.Ticks
	zone  string
	level int
	end   bool
}

// happens writes down an event.
func (g *goroutine) happens(zone string, level int, end bool) {
	if g.p.with.events > 0 && !g.p.with.free {
		g.events = append(g.events, happened{platform.Now(), zone, level, end})
	}
}

// rings are the running program's events, for a session that is fed.
type rings struct{}

func (rings) AppendEvents(dst []gather.Event, lane report.LaneID, begin, end platform.Ticks) []gather.Event {
	return gather.AppendEvents(dst, lane, begin, end)
}

func (rings) EventsSince(lane report.LaneID) (platform.Ticks, bool) { return gather.EventsSince(lane) }

// eventsOf returns a lane's events of some time, without those of the profiler.
func (p *program) eventsOf(lane gather.LaneID, begin, end platform.Ticks) (all []happened) {
	for _, e := range gather.AppendEvents(nil, lane, begin, end) {
		if name := p.zones[e.Zone].Name; ours(name) {
			all = append(all, happened{e.Time, name, int(e.Level), e.End})
		}
	}
	return all
}

// askEvents asks for a lane's events: the newest, of a stretch of time, and how far back they reach.
func (p *program) askEvents() {
	g := p.all[p.rng.IntN(len(p.all))]
	got, all := p.eventsOf(g.id, 0, platform.MaxTicks), g.events
	if p.with.level == byLane {
		p.someEvents(got, all)
		return
	}
	if n := len(got); n > len(all) || n < min(len(all)-8, p.with.events/2) || !slices.Equal(got, all[len(all)-n:]) {
		p.t.Errorf("%s: got events %v; want the newest of %v", g.name, got, all)
		return
	}
	since, kept := gather.EventsSince(g.id)
	first := slices.IndexFunc(all, func(e happened) bool { return e.now > since })
	if !kept && len(all) > 0 || first >= 0 && len(all)-first > len(got) || since == 0 && len(got) < len(all) {
		p.t.Errorf("%s: got events since %d, kept %v; want %d events from then on", g.name, since, kept, len(got))
	}
	end := platform.Ticks(p.rng.Int64N(p.now.Load() + 2))
	begin := end - platform.Ticks(p.rng.IntN(30))
	want := slices.DeleteFunc(got, func(e happened) bool { return e.now < begin || e.now > end })
	if got := p.eventsOf(g.id, begin, end); !slices.Equal(got, want) {
		p.t.Errorf("%s: events from %d to %d: got %v; want %v", g.name, begin, end, got, want)
	}
}

// someEvents compares events of a lane whose rows are folded: entries in "(other)" may have none.
func (p *program) someEvents(got, all []happened) {
	for _, e := range got {
		if !slices.ContainsFunc(all, func(o happened) bool {
			return e.now == o.now && e.end == o.end && (e.zone == o.zone || e.zone == "(other)")
		}) {
			p.t.Errorf("got an event %v; want one of %v", e, all)
			return
		}
	}
}

// within returns what of the entries of a goroutine lies between two times, each as a line, without those of no length.
func (g *goroutine) within(begin, end platform.Ticks) (lines []string) {
	var open []happened
	line := func(e happened, until platform.Ticks, after bool) {
		if from := max(e.now, begin); from < until {
			lines = append(lines, spell(g.id, e.zone, e.level, from-begin, until-begin, e.now < begin, after))
		}
	}
	for _, e := range g.events {
		switch {
		case !e.end:
			open = append(open, e)
		default:
			line(open[len(open)-1], min(e.now, end), e.now > end)
			open = open[:len(open)-1]
		}
	}
	for _, e := range open {
		line(e, end, true)
	}
	slices.Sort(lines)
	return lines
}

func spell(lane gather.LaneID, zone string, level int, begin, end platform.Ticks, before, after bool) string {
	return fmt.Sprintf("lane %d level %d %s from %d to %d, before %v, after %v", lane, level, zone, begin, end, before,
		after)
}

// askTimeline asks for the scopes of a frame.
func (p *program) askTimeline() {
	h := &p.history
	if h.lost == len(h.frames) {
		return
	}
	age := p.rng.IntN(len(h.frames) - h.lost)
	f := h.frames[len(h.frames)-1-age]
	for _, g := range p.all {
		if since, _ := gather.EventsSince(g.id); since > f.begin {
			continue
		}
		var got []string
		for _, s := range p.replay.AppendTimeline(nil, g.id, age) {
			if name := p.zones[s.Zone].Name; s.End > s.Begin && ours(name) {
				got = append(got, spell(s.Lane, name, int(s.Level), ticks(s.Begin), ticks(s.End), s.Before, s.After))
			}
		}
		slices.Sort(got)
		if want := g.within(f.begin, f.begin+ticks(f.length)); !slices.Equal(got, want) {
			p.t.Errorf("age %d, %s: got %q; want %q", age, g.name, got, want)
		}
	}
	if p.with.events > 1000 {
		p.askRows(age, f.begin)
	}
}

func ticks(ms float64) platform.Ticks { return platform.Ticks(math.Round(ms)) }

// askRows asks for the rows of a timeline of several frames, which the snapshot keeps from one question to the next.
func (p *program) askRows(age int, origin platform.Ticks) {
	view, h, s := p.replay.View(), &p.history, &p.history.timeline
	view.Set(report.View{Age: age, Average: report.AverageInstant})
	o := process.SnapshotOptions{Timeline: true, TimelineFrom: -float64(p.rng.IntN(2000)),
		TimelineTo: float64(p.rng.IntN(2000))}
	view.Snapshot(s, o)
	tl, want := &s.Timeline, []string(nil)
	from, to := max(o.TimelineFrom, tl.Least), max(min(o.TimelineTo, tl.Most), tl.Length)
	from = max(from, float64(h.frames[h.lost].begin-origin)) // those before have no records
	for _, g := range p.all {
		want = append(want, g.within(origin+ticks(from), origin+ticks(to))...)
	}
	var got []string
	for i := range tl.Rows {
		r := &tl.Rows[i]
		for at := r.Ending(tl.Origin + from + 0.5); at < len(r.At) && r.At[at].Begin < tl.Origin+to-0.5; at++ {
			begin, end, name := r.At[at].Begin-tl.Origin, r.At[at].End-tl.Origin, p.zones[r.Zone(at)].Name
			if end-begin > 0.5 && ours(name) {
				got = append(got, spell(r.Lane, name, int(r.Level), ticks(max(begin, from)-from),
					ticks(min(end, to)-from), r.Before(at) || begin < from-0.5, r.After(at) || end > to+0.5))
			}
		}
		p.sumRow(r)
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		p.t.Errorf("age %d, timeline from %v to %v: got %q; want %q", age, from, to, got, want)
	}
}

// sumRow compares the sum of some scopes of a row, and the longest, with plain ones.
func (p *program) sumRow(r *timeline.Row) {
	if r.Len() == 0 {
		return
	}
	from := r.From + p.rng.IntN(r.Len())
	to := from + 1 + p.rng.IntN(len(r.At)-from)
	want, most := 0.0, -1.0
	for _, s := range r.At[from:to] {
		want, most = want+s.End-s.Begin, max(most, s.End-s.Begin)
	}
	sum, longest := r.Together(from, to)
	far := longest < from || longest >= to || r.At[longest].End-r.At[longest].Begin < most-1e-9
	if math.Abs(sum-want) > 1e-6 || far {
		p.t.Errorf("row of lane %d, %d..%d: got %v, longest %d; want %v, one of %v", r.Lane, from, to, sum, longest,
			want, most)
	}
}
