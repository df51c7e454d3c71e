package runreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/process/report"
)

// WriteFull writes all zones of the run, frames if there are any, requests and go statements. It returns the first
// error of w.
func (r *Run) WriteFull(w io.Writer, frames bool) error {
	var b bytes.Buffer
	r.ended(&b)
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
	_ = text.WriteForks(&b, r.Dump.Forks, tick)
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

// jsonRun holds the fields of the JSON report besides the dump.
type jsonRun struct {
	Ended      bool       `json:"ended"` // without a kill
	Headline   string     `json:"headline"`
	ProfilerMS float64    `json:"profiler_ms"`
	LowMS      float64    `json:"profiler_low_ms,omitempty"` // of the interval for the true time
	HighMS     float64    `json:"profiler_high_ms,omitempty"`
	Waits      []jsonWait `json:"waits"` // zones with a large part of self time spent waiting
	Hottest    []jsonLine `json:"hottest_lines"`
	Sampled    int        `json:"samples"` // of the CPU profiler, in all

	Outside map[string]int `json:"samples_outside_zones"` // of Sampled, by package
	Muted   []jsonMuted    `json:"muted"`
	Routes  []jsonRoute    `json:"routes"`
}

type jsonWait struct {
	Zone     string  `json:"zone"`
	Function string  `json:"function"`
	Self     float64 `json:"self_ms"`
	Waited   float64 `json:"waited_ms"`       // of self_ms
	Error    float64 `json:"waited_error_ms"` // standard error, if samples say it; 0: it waited at least so long
}

type jsonLine struct {
	Zone     string `json:"zone"`
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Samples  int    `json:"samples"`
}

type jsonMuted struct {
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line"`
}

type jsonRoute struct {
	Route    string  `json:"route"`
	Requests int     `json:"requests"`
	P50      float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
}

// WriteJSON writes the whole report as one JSON object. It returns the first error of w.
func (r *Run) WriteJSON(w io.Writer) error {
	var b bytes.Buffer
	d := r.Session.Dump(report.DumpOptions{})
	if err := text.WriteJSON(&b, d); err != nil {
		return err
	}
	s := r.sum()
	more := jsonRun{Ended: r.Notes.Ended, Headline: r.headline(s), ProfilerMS: s.profiler.ms, LowMS: s.profiler.low,
		HighMS: s.profiler.high, Waits: []jsonWait{},
		Hottest: []jsonLine{}, Sampled: r.Notes.Sampled, Outside: r.Notes.Outside,
		Muted: []jsonMuted{}, Routes: []jsonRoute{}}
	for i := range s.rows {
		if z := &s.rows[i]; z.Waited > 0 {
			more.Waits = append(more.Waits, jsonWait{z.Info.Name, z.Info.Function, z.Self, z.Waited, z.WaitedOff})
		}
	}
	for _, l := range r.sampled().Hottest() {
		more.Hottest = append(more.Hottest, jsonLine{l.Zone, l.Function, l.File, l.Line, l.Count})
	}
	for _, z := range r.Notes.Muted {
		more.Muted = append(more.Muted, jsonMuted{z.Name, z.File, z.Line})
	}
	for _, x := range r.Notes.Routes {
		more.Routes = append(more.Routes, jsonRoute{x.Name, x.Requests, x.P50.Seconds() * 1000, x.P99.Seconds() * 1000})
	}
	end, err := json.Marshal(more)
	if err != nil {
		return err
	}
	first := bytes.TrimRight(b.Bytes(), "}\n \t")
	if n := bytes.LastIndexByte(b.Bytes(), '}'); n >= 0 {
		first = bytes.TrimRight(b.Bytes()[:n], "\n \t")
	}
	_, err = fmt.Fprintf(w, "%s,\n%s\n", first, end[1:])
	return err
}
