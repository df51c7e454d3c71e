package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// idleServer writes a capture of a server that handles an event of 2 ms in each frame of a second. Its frame budget is
// 17 ms.
func idleServer(t *testing.T, driven bool) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "server.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	w := framefile.NewWriter(file, framefile.Info{Program: "server"})
	for i := range platform.Ticks(100) {
		f := gather.Frame{Index: uint64(i), Begin: 1000 * i, End: 1000 * (i + 1), TicksPerSecond: 1000,
			EventDriven: driven, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "handle"}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: 1000 * i, End: 1000 * (i + 1),
				Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 998}, {ID: 2, Zone: 1, Self: 2, Count: 1}}}}}
		must.Do(t, w.WriteJudged(&f, 0, 17*time.Millisecond))
	}
	must.Do(t, w.Close())
	return path
}

// TestAnIdleServerIsWithinItsBudget: each command and format knows that the program of a capture waits outside zones.
// Without that each frame is late.
func TestAnIdleServerIsWithinItsBudget(t *testing.T) {
	idle, late := idleServer(t, true), idleServer(t, false)
	for command, want := range map[string]string{
		"verdicts":                     `no frame is over budget`,
		"frames":                       ` 0 +1000\.00 +2\.00 `,
		"top":                          `2\.0 busy \+ 998\.0 waiting`,
		"tree":                         `\(root\)  \[idle\]`,
		"export -format folded":        `main;\(root\) \[idle\] 99800000000`,
		"export -format openmetrics":   `iprof_frames_over_budget_total 0\n`,
		"export -format openmetrics -": `zone_self_seconds_total{zone="\(root\)",.*idle="true",waited="false"} 99\.8\n`,
		"export -format pprof-frames":  "idle",
		"export -within":               "idle",
	} {
		t.Run(command, func(t *testing.T) {
			for path, is := range map[string]bool{idle: true, late: false} {
				text := exported(t, strings.Fields(strings.TrimSuffix(command, " -")), path)
				if regexp.MustCompile(want).MatchString(text) != is {
					t.Errorf("event-driven %t: there is %s: %t\n%.500s", is, want, !is, text)
				}
			}
		})
	}
}

// exported returns what a command writes of a capture, decompressed; "" if it fails. Profiles say "idle" by a label.
func exported(t *testing.T, words []string, path string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	if named(words[0])(append(words[1:], "-o", out, path)) != 0 {
		return ""
	}
	text := readFile(t, out)
	p, err := profile.ParseData(text)
	if err != nil {
		return string(text)
	}
	var b strings.Builder
	for _, s := range p.Sample {
		fmt.Fprintln(&b, slices.Sorted(maps.Keys(s.Label)))
	}
	return b.String()
}
