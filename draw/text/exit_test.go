package text

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

func TestZonesGolden(t *testing.T) {
	cases := map[string]struct {
		d *report.Dump
		o Options
	}{
		"zones.game":    {sampledump.Game(), Options{}},
		"zones.random":  {sampledump.Dump(1, 60, 12), Options{Top: 5}},
		"zones.hostile": {sampledump.Hostile(), Options{}},
		"zones.empty":   {&report.Dump{Program: "idle", Time: sampledump.Moment}, Options{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			golden.Text(t, name+".golden", write(t, func(w io.Writer) error { return WriteZones(w, c.d, c.o) }))
		})
	}
}

// Four zones that look alike by name or by line stay four lines.
func TestZonesNeverCollide(t *testing.T) {
	d := &report.Dump{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{},
		{Name: "load", Function: "main.load", File: "/src/a/load.go", Line: 12},
		{Name: "load", Function: "main.load", File: "/src/b/load.go", Line: 12},
		{Name: "load", Function: "main.load", File: "/src/a/load.go", Line: 13},
		{Name: "save", Function: "main.load", File: "/src/a/load.go", Line: 12},
	}, Merged: []report.TreeNode{{Parent: -1}}}
	for zone := range report.ZoneID(4) {
		d.Merged = append(d.Merged, report.TreeNode{Zone: zone + 1, Level: 1, Count: float64(zone + 1), Self: 1,
			Hier: 1, Errors: uint64(zone)})
	}
	out := string(write(t, func(w io.Writer) error { return WriteZones(w, d, Options{}) }))
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2+4 {
		t.Fatalf("got %d zones; want 4:\n%s", len(lines)-2, out)
	}
	for i, line := range lines[2:] {
		words := strings.Fields(line)
		if got, want := words[3]+" "+words[4], strconv.Itoa(i+1)+" "+strconv.Itoa(i); got != want {
			t.Errorf("line %d: got calls and errors %q; want %q", i, got, want)
		}
	}
}

// Columns never run together, however long the names, the functions and the numbers are.
func TestZonesColumnsStayApart(t *testing.T) {
	d := &report.Dump{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Merged: []report.TreeNode{{Parent: -1}}}
	for length := 1; length < 60; length++ {
		name := strings.Repeat("x", length)
		d.Zones = append(d.Zones,
			gather.ZoneInfo{Name: name, Function: "bundler." + name + ".parseFile", File: "/src/bundler.go", Line: 126})
		d.Merged = append(d.Merged,
			report.TreeNode{Zone: report.ZoneID(length), Level: 1, Count: 1e15, Self: 1e14, Hier: 1e14, Errors: 1e12})
	}
	out := string(write(t, func(w io.Writer) error { return WriteZones(w, d, Options{}) }))
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines[2:] {
		words := strings.Fields(line)
		if len(words) != 8 || !strings.HasPrefix(words[7], "bundler.go:") || !strings.HasPrefix(words[6], "bundler.") {
			t.Errorf("got %d columns in %q; want 8, the last two function and place", len(words), line)
		}
	}
}

// The table's values sum up to the measured ones, and the table is sorted.
func TestZonesEqualTheModel(t *testing.T) {
	for seed := range uint64(300) {
		d := sampledump.Dump(seed, 1+int(seed%60), 2+int(seed%12))
		var self, calls, want, wantCalls, last float64
		for i := range d.Merged {
			want, wantCalls = want+d.Merged[i].Self, wantCalls+d.Merged[i].Count
		}
		out := string(write(t, func(w io.Writer) error { return WriteZones(w, d, Options{}) }))
		for i, line := range strings.Split(strings.TrimSpace(out), "\n")[2:] {
			words := strings.Fields(line)
			hier := parse(t, words[0])
			if i > 0 && hier > last {
				t.Fatalf("seed %d: %v ms below %v ms", seed, hier, last)
			}
			last = hier
			words = words[strings.Count(out, "at once"):]
			self += parse(t, words[1])
			calls += parse(t, words[3])
		}
		if self < want-0.01 || self > want+0.01 || calls != wantCalls {
			t.Fatalf("seed %d: got %v ms self, %v calls; want %v, %v\n%s", seed, self, calls, want, wantCalls, out)
		}
	}
}

func parse(t *testing.T, s string) float64 {
	t.Helper()
	v := must.Get(strconv.ParseFloat(s, 64))(t)
	return v
}

func TestScaledNumbersHaveFourDigits(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1.000k", 123456: "123.5k", 999960: "1.000M",
		5_000_000_000: "5.000G", 1 << 62: "4.612E", -2500: "-2.500k"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := scaled(n); got != want {
				t.Errorf("%d: got %q; want %q", n, got, want)
			}
		})
	}
}

// No line of a report is wider than Options.Width, for any names.
func TestReportWidth(t *testing.T) {
	for _, r := range []*report.Report{sampledump.Flat(), sampledump.CallGraph(), sampledump.HostileReport()} {
		for _, cursor := range []bool{false, true} {
			for width := 24; width < 140; width += 3 {
				out := string(write(t, func(w io.Writer) error {
					return WriteReport(w, r,
						Options{Width: width, Cursor: cursor})
				}))
				for line := range strings.Lines(out) {
					if cells := displayWidth(strings.TrimSuffix(line, "\n")); cells > width {
						t.Fatalf("width %d: got %d cells: %q", width, cells, line)
					}
				}
			}
		}
	}
}

// Zones that wait are one line at the end, which says how many they are, and how they are listed.
func TestWaitingZonesAreOneLine(t *testing.T) {
	d := sampledump.Game()
	for i := range d.Zones {
		d.Zones[i].Idle = d.Zones[i].Name == "audio" || d.Zones[i].Name == "streaming"
	}
	var works, waits []report.TreeNode
	idle := false
	for _, n := range d.Merged {
		n.Idle = d.Zones[n.Zone].Idle
		if idle = n.Level > 0 && (idle && n.Level > 1 || n.Idle); idle {
			waits = append(waits, n)
		} else {
			works = append(works, n)
		}
	}
	d.Merged, d.Lanes, d.Totals = append(works, waits...), nil, nil
	for name, write := range map[string]func(w io.Writer, o Options) error{
		"report": func(w io.Writer, o Options) error { return WriteReport(w, sampledump.Flat(), o) },
		"tree":   func(w io.Writer, o Options) error { return WriteTree(w, d, o) },
	} {
		t.Run(name, func(t *testing.T) {
			var folded, listed strings.Builder
			if write(&folded, Options{}) != nil || write(&listed, Options{Idle: true}) != nil {
				t.Fatal("got an error")
			}
			for _, word := range []string{"[idle]", "[open, idle]"} {
				if strings.Contains(folded.String(), word) {
					t.Errorf("got a line with %s in\n%s", word, folded.String())
				}
			}
			if !strings.Contains(listed.String(), "idle]") || strings.Contains(listed.String(), foldedIdle) {
				t.Errorf("listed: got\n%s\nwant lines of what waits", listed.String())
			}
			if strings.Count(folded.String(), foldedIdle) != 1 {
				t.Errorf("got\n%s\nwant one line that says how to list them", folded.String())
			}
			for want, times := range map[string]int{"… and 2 that wait": 2, "waiting  (2 zones, folded)": 1} {
				got := strings.ReplaceAll(folded.String(), "... and", "… and")
				if n := strings.Count(got, want); n != times && strings.HasPrefix(want, "…") == (name == "tree") {
					t.Errorf("got %d times %q; want %d in\n%s", n, want, times, got)
				}
			}
		})
	}
}
