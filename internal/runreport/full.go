package runreport

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/process/report"
)

// WriteFull writes all zones of the run, frames if there are any, requests and go statements. It returns the first
// error of w.
func (r *Run) WriteFull(w io.Writer, frames bool) error {
	var b bytes.Buffer
	r.ended(&b, Uncut)
	s := r.sum()
	_ = text.WriteZones(&b, r.programs(s), text.Options{})
	if r.Dump.LaneCount > 1 {
		fmt.Fprintln(&b, "times of zones are sums over all goroutines")
	}
	r.writeProfiler(&b, s)
	_ = text.WriteMuted(&b, r.Notes.Muted)
	if r.HasFrames(frames) {
		r.writeFrames(&b, true)
	}
	r.writeRoutes(&b)
	r.writeLines(&b, "", Uncut)
	tick := 0.0 // unknown
	if r.Dump.TicksPerSecond > 0 {
		tick = 1000 / r.Dump.TicksPerSecond
	}
	_ = text.WriteSpawns(&b, r.Dump.Spawns, tick)
	_, err := w.Write(b.Bytes())
	return err
}

// programs returns the dump without the profiler's own zones and goroutine. It has the wait of each zone, and the times
// of muted zones as in the short report.
func (r *Run) programs(s *sum) *report.Dump {
	d := *r.Dump
	d.Totals = nil
	rows := map[report.ZoneID]*row{}
	for i := range s.rows {
		rows[s.rows[i].Zone] = &s.rows[i]
	}
	for _, z := range r.Dump.ZoneTotals() {
		if r.own[z.Zone] {
			d.Calls -= min(d.Calls, uint64(z.Count))
			continue
		}
		if _, round := sampled.RoundOf(r.zone(z.Zone).Name); round && rows[z.Zone] == nil {
			continue
		}
		if known := rows[z.Zone]; known != nil {
			if z.Self = known.Self; known.Sampled {
				z.Hier = max(z.Hier+known.Self-known.Measured, z.Self)
			}
			z.Waited = min(known.Waited, z.Self)
		}
		d.Totals = append(d.Totals, z)
	}
	for i := range d.Lanes {
		if r.isOwnLane(&d.Lanes[i]) {
			d.LaneCount--
		}
	}
	return &d
}

// writeProfiler writes the profiler's overhead.
func (r *Run) writeProfiler(w io.Writer, s *sum) {
	if cpu := r.Dump.CPU.Seconds() * 1000; cpu > 0 {
		fmt.Fprintf(w, "profiler: %s\n", s.profiler.of(cpu, "the processor time"))
	}
}

// writeRoutes writes a table of the routes that had requests.
func (r *Run) writeRoutes(w io.Writer) {
	if len(r.Notes.Routes) == 0 {
		return
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "requests\tp50 ms\tp99 ms\t  route%s\n", r.until())
	for _, route := range r.Notes.Routes {
		fmt.Fprintf(t, "%d\t%.3f\t%.3f\t  %q\n", route.Requests, route.P50.Seconds()*1000, route.P99.Seconds()*1000,
			route.Name)
	}
	t.Flush()
}

// until says of which part of the run the notes are, if that is not all of the recording: a signal ended the program.
func (r *Run) until() string {
	if r.Notes.Ended || r.Dump.RunTime-r.Notes.After < laterNotes {
		return ""
	}
	return fmt.Sprintf(" (until %s after the start)", duration(r.Notes.After.Seconds()*1000))
}

// laterNotes is the time by which notes may be older than the recording.
const laterNotes = 10 * time.Millisecond

// WriteJSON writes the whole report as one JSON object: see text.WriteJSON. It returns the first error of w.
func (r *Run) WriteJSON(w io.Writer) error {
	s := r.sum()
	run := &asjson.Run{Ended: r.Notes.Ended, Headline: asjson.Text(r.headline(s)), Profiler: s.profiler.ms,
		ProfilerLow: s.profiler.low, ProfilerHigh: s.profiler.high,
		Waits: []asjson.Wait{}, Hottest: []asjson.Line{}, Sampled: r.Notes.Sampled, Outside: r.Notes.Outside,
		Muted: []asjson.Muted{}, Routes: []asjson.Route{}}
	for i := range s.rows {
		if z := &s.rows[i]; z.Waited > 0 {
			run.Waits = append(run.Waits, asjson.Wait{Zone: asjson.Text(z.Info.Name), Site: asjson.SiteOf(z.Info),
				Self: z.Self, Waited: z.Waited, Error: z.WaitedOff})
		}
	}
	for _, l := range r.sampled().Hottest() {
		if l.Line == 0 {
			continue
		}
		at := asjson.Site{Function: asjson.Text(l.Function), File: asjson.Text(l.File), Line: l.Line}
		run.Hottest = append(run.Hottest, asjson.Line{Zone: asjson.Text(l.Zone), Site: at, Samples: l.Count})
	}
	for _, z := range r.Notes.Muted {
		run.Muted = append(run.Muted, asjson.Muted{Zone: asjson.Text(z.Name), Site: asjson.SiteOf(z)})
	}
	for _, x := range r.Notes.Routes {
		run.Routes = append(run.Routes, asjson.Route{Route: asjson.Text(x.Name), Requests: x.Requests,
			P50: x.P50.Seconds() * 1000, P99: x.P99.Seconds() * 1000})
	}
	return asjson.WriteDump(w, r.Session.Dump(report.DumpOptions{}), run)
}
