package text

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// treeTicks returns the hierarchical ticks of every line of the tree called title, and those of the list of top zones.
func treeTicks(t *testing.T, out, title string) (ticks []int64) {
	t.Helper()
	_, section, found := strings.Cut(out, "\n"+title+"\n")
	if !found {
		t.Fatalf("got no section %q in\n%s", title, out)
	}
	section, _, _ = strings.Cut(section, "\n\n")
	lines := strings.Split(strings.TrimRight(section, "\n"), "\n")
	end := strings.Index(lines[0], "ticks") + len("ticks")
	for _, line := range lines[1:] {
		v := must.Get(strconv.ParseInt(strings.TrimSpace(line[end-cellTicks:end]), 10, 64))(t)
		ticks = append(ticks, v)
	}
	return ticks
}

func TestTotalsEqualTheModel(t *testing.T) {
	for seed := range uint64(1000) {
		d := sampledump.Dump(seed, 1+int(seed%60), 2+int(seed%12))
		out := string(write(t, func(w io.Writer) error { return WriteTree(w, d, Options{Top: 1 << 20}) }))
		checkHier(t, seed, treeTicks(t, out, "all goroutines"), d)
		var sum, want int64
		for _, self := range treeTicks(t, out, "top zones by self time") {
			sum += self
		}
		for i := range d.Merged {
			want += ticksOf(d.Merged[i].Self, d.TicksPerSecond)
		}
		if sum != want {
			t.Fatalf("seed %d: got %d self ticks in the list of zones; want %d", seed, sum, want)
		}
		read := readJSON(t, d)
		for i := range read.Merged {
			got := ticksOf(read.Merged[i].Self, read.TicksPerSecond)
			if want := ticksOf(d.Merged[i].Self, d.TicksPerSecond); got != want {
				t.Fatalf("seed %d: JSON node %d: got %d ticks; want %d", seed, i, got, want)
			}
		}
	}
}

// checkHier compares the lines with the nodes that have something to say.
func checkHier(t *testing.T, seed uint64, got []int64, d *report.Dump) {
	t.Helper()
	var want []int64
	for i, keep := range keepNonzero(d.Merged) {
		if keep {
			want = append(want, ticksOf(d.Merged[i].Hier, d.TicksPerSecond))
		}
	}
	if len(got) != len(want) {
		t.Fatalf("seed %d: got %d lines; want %d", seed, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("seed %d: line %d: got %d ticks; want %d", seed, i, got[i], want[i])
		}
	}
}

func TestDeepTreeStaysSmall(t *testing.T) {
	const depth = 16000
	d := &report.Dump{Zones: sampledump.Zones(2), TicksPerSecond: 1e9}
	for i := range int32(depth) {
		d.Merged = append(d.Merged, report.TreeNode{Zone: report.ZoneID(min(i, 1)), Parent: i - 1, Level: i, Count: 1,
			Self: 1, Hier: depth - float64(i)})
	}
	out := write(t, func(w io.Writer) error { return WriteTree(w, d, Options{}) })
	if got := len(out); got > depth*110 {
		t.Errorf("got %d bytes; want at most %d", got, depth*110)
	}
	if got := report.AppendZoneTotals(nil, d.Merged)[0]; got.Hier != depth-1 || got.Self != depth-1 {
		t.Errorf("got self %v hier %v; want both %d: recursion counts once", got.Self, got.Hier, depth-1)
	}
}

func TestTimesHaveTheUnitThatFits(t *testing.T) {
	for ms, want := range map[float64]string{
		0: "0 ms", 1: "1.000 ms", 16.666: "16.67 ms", 999.94: "999.9 ms", 999.96: "1.000 s", 123456: "123.5 s",
		3.6e6: "3600 s",
		0.5:   "500.0 µs", 0.00099996: "1.000 µs", 0.0005: "500.0 ns", 0.0000005: "0.500 ns", -2: "-2.000 ms",
	} {
		t.Run(fmt.Sprint(ms), func(t *testing.T) {
			if got := fit(ms, false); got != want {
				t.Errorf("fit(%v): got %q; want %q", ms, got, want)
			}
		})
	}
	if got, want := fit(0.5, true), "500.0 us"; got != want {
		t.Errorf("fit in ASCII: got %q; want %q", got, want)
	}
	if got, want := fixed(-0.001, 2), "0.00"; got != want {
		t.Errorf("fixed(-0.001): got %q; want %q", got, want)
	}
}

func TestColumnsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for i := range numColumns {
		if i.Info().Name == "" || i.Info().Heading == "" || seen[i.Info().Name] {
			t.Errorf("column %d: got heading %q, name %q; want both, the name once only",
				i, i.Info().Heading, i.Info().Name)
		}
		seen[i.Info().Name] = true
	}
}

func TestOnlyTerminalsGetColourAndBoxes(t *testing.T) {
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "out")))(t)
	defer file.Close()
	tty, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device, as a terminal is
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	utf := map[string]string{"LANG": "C.UTF-8", "TERM": "xterm", "WT_SESSION": "1"}
	with := func(more ...string) func(string) string {
		env := map[string]string{}
		for k, v := range utf {
			env[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			env[more[i]] = more[i+1]
		}
		return func(name string) string { return env[name] }
	}
	cases := []struct {
		name   string
		w      io.Writer
		o      Options
		getenv func(string) string
		want   looks
	}{
		{"file", file, Options{}, with(), looks{ascii: true}},
		{"buffer", io.Discard, Options{}, with(), looks{ascii: true}},
		{"nil file", (*os.File)(nil), Options{}, with(), looks{ascii: true}},
		{"terminal", tty, Options{}, with(), looks{color: true}},
		{"NO_COLOR", tty, Options{}, with("NO_COLOR", "1"), looks{}},
		{"dumb", tty, Options{}, with("TERM", "dumb"), looks{}},
		{"latin", tty, Options{}, with("LC_ALL", "de_DE.ISO-8859-1", "WT_SESSION", ""),
			looks{ascii: true, color: true}},
		{"ASCII asked for", tty, Options{Art: ArtASCII}, with(), looks{ascii: true, color: true}},
		{"colour asked for", file, Options{Art: ArtBox, Color: ColorAlways}, with("NO_COLOR", "1"), looks{color: true}},
		{"no colour asked for", tty, Options{Color: ColorNever}, with(), looks{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := looksFor(c.w, &c.o, c.getenv); got != c.want {
				t.Errorf("%s: got %+v; want %+v", c.name, got, c.want)
			}
		})
	}
}

func TestCutTextsFitTheirCells(t *testing.T) {
	for s, want := range map[string]string{"abcdef": "abcdef", "abcdefg": "abc...", "日本語": "日本語",
		"日本語区": "日...",
		"":     ""} {
		t.Run(s, func(t *testing.T) {
			if got := cut(s, 6); got != want {
				t.Errorf("cut(%q): got %q; want %q", s, got, want)
			}
		})
	}
	if got := cut(strings.Repeat("\u0301", 1<<20), 6); len(got) > 60 {
		t.Errorf("got %d bytes of combining marks; want few", len(got))
	}
}

// The line of the nodes that a dump leaves out is the last below their parent.
func TestCutTreesSaySo(t *testing.T) {
	d := &report.Dump{TicksPerSecond: 1e9, Zones: sampledump.Zones(5), Merged: []report.TreeNode{
		{Zone: 0, Parent: -1, Self: 1, Hier: 100, Left: 12, LeftHier: 20},
		{Zone: 1, Parent: 0, Level: 1, Count: 1, Hier: 50, Left: 3, LeftHier: 40},
		{Zone: 2, Parent: 1, Level: 2, Count: 1, Self: 10, Hier: 10},
		{Zone: 3, Parent: 0, Level: 1, Count: 1, Self: 29, Hier: 29},
	}}
	out := string(write(t, func(w io.Writer) error { return WriteTree(w, d, Options{Art: ArtASCII}) }))
	_, tree, _ := strings.Cut(out, "all goroutines\n")
	tree, _, _ = strings.Cut(tree, "\n\n")
	var names, times []string
	for _, line := range strings.Split(tree, "\n")[1:] {
		fields := strings.Fields(line)
		times = append(times, fields[0])
		names = append(names, line[cellHier+cellPercent+cellTime+1+cellCalls+cellTime+1+cellTicks+2:])
	}
	zone := func(i int) string { return d.Zones[i].Name }
	want := []string{zone(0), "|- " + zone(1), "|  |- " + zone(2), "|  `- ... and 3 more", "|- " + zone(3),
		"`- ... and 12 more"}
	if !slices.Equal(names, want) {
		t.Errorf("got the lines %q; want %q", names, want)
	}
	if times[3] != "40.000" || times[5] != "20.000" {
		t.Errorf("got the times %q; want 40 ms and 20 ms for those left out", times)
	}
}

// The list of zones has the calls of recursive zones by depth.
func TestZonesSayTheirDepths(t *testing.T) {
	d := &report.Dump{TicksPerSecond: 1e9, Zones: sampledump.Zones(3), Merged: []report.TreeNode{
		{Parent: -1, Self: 1, Hier: 3}, {Zone: 1, Parent: 0, Level: 1, Count: 30, Self: 2, Hier: 2}},
		Recursion: []report.ZoneDepths{{Zone: 1, Entries: []float64{7, 23}}}}
	out := string(write(t, func(w io.Writer) error { return WriteTree(w, d, Options{}) }))
	if !strings.Contains(out, d.Zones[1].Name+"  {calls by depth 7 23}") {
		t.Errorf("got no calls by depth in\n%s", out)
	}
	got := readJSON(t, d).Recursion
	if len(got) != 1 || string(got[0].Zone) != d.Zones[1].Name || got[0].Calls[1] != 23 {
		t.Errorf("JSON: got %+v; want the calls by depth", got)
	}
}
