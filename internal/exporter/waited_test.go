package exporter_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"example.com/iprof/gather"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// waited writes a recording of two frames of 1 s, in which work is entered for 600 ms and vsync for 100. Samples found
// that work waited for three quarters of that.
func waited(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "out.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	w := framefile.NewWriter(file, framefile.Info{Program: "waiter"})
	for i := range platform.Ticks(2) {
		f := gather.Frame{Index: uint64(i), Begin: 1000 * i, End: 1000 * (i + 1), TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}, {Name: "vsync", Idle: true}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: 1000 * i, End: 1000 * (i + 1),
				Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 300}, {ID: 2, Zone: 1, Self: 600, Count: 3},
					{ID: 3, Zone: 2, Self: 100, Count: 1}}}}}
		must.Do(t, w.WriteFrame(&f))
	}
	must.Do(t, w.Close())
	must.Do(t, framefile.AddHot(path, &report.HotZones{Waited: map[report.ZoneID]float64{1: 0.75}}))
	return path
}

// TestWaitedTimeHasALabel: in a profile, what samples found waiting can be left out. It is of the whole run, so a part
// of the frames does not have it. Calls and times in all are the same.
func TestWaitedTimeHasALabel(t *testing.T) {
	path := waited(t)
	for name, c := range map[string]struct {
		pick exporter.Selection
		want map[string]int64 // milliseconds
	}{
		"all":       {exporter.Selection{}, map[string]int64{"work": 300, "work waited": 900, "vsync": 200}},
		"one frame": {exporter.Selection{Some: true}, map[string]int64{"work": 600, "vsync": 100}},
	} {
		t.Run(name, func(t *testing.T) {
			got, calls := map[string]int64{}, int64(0)
			for _, s := range profiled(t, path, &c.pick).Sample {
				key := s.Location[0].Line[0].Function.Name
				if len(s.Label["waited"]) > 0 {
					key += " waited"
				}
				calls += s.Value[0]
				got[key] += s.Value[1] / 1e6
			}
			delete(got, "(root)")
			for key, ms := range c.want {
				if got[key] != ms || len(got) != len(c.want) || calls != 4*int64(c.pick.Frames) {
					t.Errorf("got %v, %d calls; want %v, %d", got, calls, c.want, 4*c.pick.Frames)
				}
			}
		})
	}
}

// TestWaitedTimeIsInTheFoldedStacks: below the zone that waited, so that its width stays what it is.
func TestWaitedTimeIsInTheFoldedStacks(t *testing.T) {
	path := waited(t)
	for name, c := range map[string]struct {
		pick exporter.Selection
		want []string
	}{
		"all": {exporter.Selection{}, []string{"main;(root);work 300000000", "main;(root);work;[waited] 900000000",
			"main;(root);vsync [idle] 200000000"}},
		"one frame": {exporter.Selection{Some: true}, []string{"main;(root);work 600000000",
			"main;(root);vsync [idle] 100000000"}},
	} {
		t.Run(name, func(t *testing.T) {
			lines := strings.Split(strings.TrimSpace(exported(t, "folded", path, &c.pick)), "\n")
			if got := lines[1:]; !slices.Equal(got, c.want) { // the first is of (root)
				t.Errorf("got %q; want %q", got, c.want)
			}
		})
	}
}

// TestWaitedTimeIsInTheMetrics: the same as a label, with the mark of what waits by choice. A part of the frames has
// none.
func TestWaitedTimeIsInTheMetrics(t *testing.T) {
	path := waited(t)
	for name, c := range map[string]struct {
		pick exporter.Selection
		want map[string]string // seconds by zone and labels
	}{
		"all": {exporter.Selection{}, map[string]string{`work idle="false",waited="false"`: "0.3",
			`work idle="false",waited="true"`: "0.9", `vsync idle="true",waited="false"`: "0.2"}},
		"one frame": {exporter.Selection{Some: true}, map[string]string{`work idle="false",waited="false"`: "0.6",
			`vsync idle="true",waited="false"`: "0.1"}},
	} {
		t.Run(name, func(t *testing.T) {
			out := exported(t, "openmetrics", path, &c.pick)
			for key, seconds := range c.want {
				zone, labels, _ := strings.Cut(key, " ")
				want := fmt.Sprintf("self_seconds_total{zone=%q,function=\"\",%s} %s\n", zone, labels, seconds)
				if !strings.Contains(out, want) {
					t.Errorf("no %s in\n%s", want, out)
				}
			}
			if n := strings.Count(out, "iprof_zone_self_seconds_total{"); n != len(c.want)+1 {
				t.Errorf("%d series; want %d and that of (root)", n, len(c.want))
			}
		})
	}
}

// exported returns what a format makes of a recording.
func exported(t *testing.T, format, path string, pick *exporter.Selection) string {
	t.Helper()
	in := must.Get(os.Open(path))(t)
	defer in.Close()
	at := slices.IndexFunc(exporter.Formats, func(f exporter.Format) bool { return f.Name == format })
	var out strings.Builder
	must.Do(t, exporter.Formats[at].Write(&out, in, pick))
	return out.String()
}

func profiled(t *testing.T, path string, pick *exporter.Selection) *profile.Profile {
	t.Helper()
	in := must.Get(os.Open(path))(t)
	defer in.Close()
	var out bytes.Buffer
	must.Do(t, exporter.Formats[0].Write(&out, in, pick))
	p := must.Get(profile.Parse(&out))(t)
	return p
}
