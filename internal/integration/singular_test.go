//go:build !iprof_off

package integration_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/html"
	drawtext "example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// onlyOne is a session of one frame in which everything occurs once: goroutines of a go statement, calls, waits,
// mistakes, and whatever is beyond a limit.
func onlyOne(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	f := gather.Frame{TicksPerSecond: 1e6, End: 30_000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "load", File: "/src/load.go", Line: 3,
			Function: "example.com/game/load.Load"}, {Name: "wait", Idle: true}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "main goroutine", Updater: true, End: 30_000,
			Nodes: []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Count: 1, Self: 29_000},
				{ID: 2, Zone: 2, Count: 1, Self: 1000}}}},
		Misuse: gather.Misuse{ExtraEnd: 1, MissingEnd: 1, OtherLane: 1, ClockBack: 1, ClockJump: 1, DeferInLoop: 1},
		Dropped: gather.Dropped{Names: 1, Nodes: 1, Lanes: 1, Events: 1, Counters: 1, Marks: 1, States: 1, Slow: 1,
			LongNames: 1, Memory: 1, Foreign: 1, Late: 1}}
	must.Do(t, s.WriteFrame(&f))
	return s
}

// A number and its noun agree: "1 frame", never "1 frames".
func TestOneOfAThingIsSingular(t *testing.T) {
	wrong := regexp.MustCompile(`(?:^|[^\w.,:+#/-])1 (?:[a-z]+ )?[a-z]+[^\Ws]s\b`)
	texts := map[string]string{}
	for mode := range report.ReportMode(report.NumReportModes) {
		s := onlyOne(t)
		s.Pause()
		s.View().SetReportMode(mode)
		var b bytes.Buffer
		var r report.Report
		s.View().AppendReport(&r)
		must.Do(t, drawtext.WriteReport(&b, &r, drawtext.Options{}))
		p := viewer.PanelFor(s)
		p.Change(func(o *viewer.Options) {
			o.Mode, o.Focused, o.Timeline = viewer.PanelFull, true, viewer.TimelineShown
		})
		for _, open := range []string{"", "why", "card", "list-frames", "warnings"} {
			p.Run(open)
			var l draw.List
			p.Draw(&l, 1280, 1000, 1)
			for _, w := range l.AppendWords(nil) {
				b.WriteString("\n" + w.Text)
			}
		}
		texts[fmt.Sprint("mode ", mode)] = b.String()
	}
	s := onlyOne(t)
	s.View().SetLens(report.Lens{Kind: report.LensRange})
	var b bytes.Buffer
	d := s.Dump(report.DumpOptions{})
	must.Do(t, drawtext.WriteTree(&b, d, drawtext.Options{}))
	must.Do(t, drawtext.WriteZones(&b, d, drawtext.Options{}))
	must.Do(t, drawtext.WriteFrames(&b, d))
	texts["tree"] = b.String()
	b.Reset()
	must.Do(t, html.Write(&b, d, html.Options{}))
	page := regexp.MustCompile(`(?s)<style.*?</style>|<script.*?</script>`).ReplaceAllString(b.String(), "")
	texts["page"] = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, "\n")
	for name, all := range texts {
		for _, line := range strings.Split(all, "\n") {
			if got := wrong.FindString(line); got != "" {
				t.Errorf("%s: got %q in %q; want the singular", name, got, line)
			}
		}
	}
}
