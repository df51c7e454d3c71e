package process_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// readings are what a looker reads from a view, in words. Times have nine digits: the rest are rounding errors.
var readings = map[string]func(v *process.View) string{
	"info": func(v *process.View) string { return fmt.Sprintf("%+.9v", v.Info()) },
	"report": func(v *process.View) string {
		r := report.Report{Want: report.Statistics}
		v.AppendReport(&r)
		return inWords(&r)
	},
	"lanes": func(v *process.View) string { return fmt.Sprintf("%+.9v", v.AppendLanes(nil)) },
	"tree":  func(v *process.View) string { return fmt.Sprintf("%+.9v", v.AppendTree(nil, v.Get())) },
	"verdict": func(v *process.View) string {
		var of report.Verdict
		found := v.Verdict(&of)
		return fmt.Sprintf("%v %+.9v", found, of)
	},
	"screen": func(v *process.View) string {
		p := pictured(v)
		return inWords(&p.Report) + inWords(&p.Around.Report) + fmt.Sprintf("%+.9v", []any{p.Histories, p.Series,
			p.Past.Shown, p.Lanes, p.Parts, p.Tree})
	},
	"brief screen": func(v *process.View) string {
		var p process.Snapshot
		v.Snapshot(&p, process.SnapshotOptions{Brief: true, Frames: 5})
		return fmt.Sprintf("%+.9v\n%+.9v", p.Report.Frame, p.Report.Verdict)
	},
	"dump": func(v *process.View) string {
		d := v.Dump(report.DumpOptions{})
		return fmt.Sprintf("%+.9v\n%+.9v\n", d.Warnings, d.Totals) + inWords(d.Report)
	},
}

// inWords returns the parts of a report that a view chooses.
func inWords(r *report.Report) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%s\n%+.9v\n%+.9v\n%+.9v\n%q\n%d", strings.Clone(r.Title), r.Frame, r.Records, r.Values,
		r.Warnings, r.Cursor)
}

// apart returns a text around the place where it differs from another.
func apart(text, other string) string {
	at := 0
	for at < len(text) && at < len(other) && text[at] == other[at] {
		at++
	}
	return text[max(at-300, 0):min(at+300, len(text))]
}

// choices are the choices of a looker that change no other data of the session.
func choices(frames int, random *rand.Rand) func(v *process.View) {
	lane, age, zone := report.LaneID(random.IntN(4)), random.IntN(9), report.ZoneID(random.IntN(4))
	from, to := uint64(random.IntN(frames)), uint64(random.IntN(frames))
	lens := report.Lens{Kind: report.LensKind(1 + random.IntN(int(report.NumLensKinds)-1)), Slowest: 1 + int(from),
		From: from, To: to}
	return []func(v *process.View){
		func(v *process.View) { v.SetLens(lens) },
		func(v *process.View) { v.SetLens(report.Lens{}) },
		func(v *process.View) { v.SetLane(lane) },
		func(v *process.View) { v.SetFrame(age) },
		func(v *process.View) { v.SetReportMode(report.ReportMode(age) % report.NumReportModes) },
		func(v *process.View) { v.SetAverage(report.Average(zone)) },
		func(v *process.View) { v.PinPath(zone) },
		func(v *process.View) { v.PinPath() },
		func(v *process.View) { v.SetCursor(age) },
		func(v *process.View) { v.Select() },
		func(v *process.View) { v.MoveToOverBudget(-1) },
		func(v *process.View) { v.SetRecursion(report.Recursion(zone)) },
	}[random.IntN(12)]
}

// TestViewShowsWhatItShowsAlone compares two views of a session with the views of two sessions that have the same
// frames and a single looker.
func TestViewShowsWhatItShowsAlone(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		p, random, frames := world.NewRandom(seed), rand.New(rand.NewPCG(seed, 2)), 0
		var sessions []*process.Session
		for range 3 {
			s := process.NewSession()
			s.SetFrameBudget(10 * time.Millisecond)
			s.SetHistory(20, 12)
			sessions = append(sessions, s)
		}
		lookers := []*process.View{process.NewView(sessions[0]), process.NewView(sessions[0])}
		lone := []*process.View{process.NewView(sessions[1]), process.NewView(sessions[2])}
		var done []string
		for range 120 {
			if random.IntN(3) == 0 || frames == 0 {
				f := p.Frame()
				frames++
				for _, s := range sessions {
					write(t, s, f)
					readings["brief screen"](s.View()) // a session judges its newest frames when first asked
				}
				done = append(done, "frame")
			}
			i := random.IntN(2)
			choose := choices(frames, random)
			choose(lookers[i])
			choose(lone[i])
			done = append(done, fmt.Sprintf("view %d: %+v", i, lookers[i].Get()))
			for _, name := range slices.Sorted(maps.Keys(readings)) {
				read, k := readings[name], random.IntN(2)
				if got, want := read(lookers[k]), read(lone[k]); got != want {
					t.Fatalf("seed %d, after\n%s\ngot the %s of view %d\n%s\nwant, as alone,\n%s", seed,
						strings.Join(done, "\n"), name, k, apart(got, want), apart(want, got))
				}
			}
		}
	}
}
