package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// frames is a choice of frames by hand: the frames that it leaves of others.
type frames = func([]report.FrameSummary) []report.FrameSummary

func where(takes func(*report.FrameSummary) bool) frames {
	return func(all []report.FrameSummary) (some []report.FrameSummary) {
		for i := range all {
			if takes(&all[i]) {
				some = append(some, all[i])
			}
		}
		return some
	}
}

func ranging(from, to uint64) frames {
	return where(func(f *report.FrameSummary) bool { return from <= f.Index && f.Index <= to })
}

func worst(n int) frames {
	return func(all []report.FrameSummary) []report.FrameSummary {
		all = slices.SortedFunc(slices.Values(all), func(a, b report.FrameSummary) int {
			return cmp.Or(cmp.Compare(b.Busy, a.Busy), cmp.Compare(b.Index, a.Index))
		})
		all = all[:min(n, len(all))]
		slices.SortFunc(all, func(a, b report.FrameSummary) int { return cmp.Compare(a.Index, b.Index) })
		return all
	}
}

var (
	over   = where(func(f *report.FrameSummary) bool { return f.Over })
	within = where(func(f *report.FrameSummary) bool { return !f.Over })
)

// choices are thirty choices of frames in words, and by hand.
var choices = []struct {
	words string
	by    []frames
}{
	{"all", nil},
	{"140", []frames{ranging(140, 140)}},
	{"0", []frames{ranging(0, 0)}},
	{"100-200", []frames{ranging(100, 200)}},
	{" 100-200 , over ", []frames{ranging(100, 200), over}},
	{"690-9999999", []frames{ranging(690, 9999999)}},
	{"over", []frames{over}},
	{"within", []frames{within}},
	{"over,all", []frames{over}},
	{"worst", []frames{worst(16)}},
	{"worst:1", []frames{worst(1)}},
	{"worst:10", []frames{worst(10)}},
	{"worst:9999", []frames{worst(9999)}},
	{"worst:10,over", []frames{over, worst(10)}},
	{"over,worst:500", []frames{over, worst(500)}},
	{"within,worst:5", []frames{within, worst(5)}},
	{"worst:7,100-200", []frames{ranging(100, 200), worst(7)}},
	{"100-200,over,worst:3", []frames{ranging(100, 200), over, worst(3)}},
	{"100-200,within,worst:3", []frames{ranging(100, 200), within, worst(3)}},
	{"100-200,150-400", []frames{ranging(150, 200)}},
	{`section:"level 1"`, []frames{ranging(100, 249)}},
	{"section:level 1", []frames{ranging(100, 249)}},
	{"section:menu", []frames{ranging(550, 699)}},
	{`section:"level, \x1b2"`, []frames{ranging(250, 399)}},
	{`section:"level, \\x1b2"`, []frames{ranging(250, 399)}}, // as iprof frames prints it
	{"section:menu,over", []frames{ranging(550, 699), over}},
	{"section:menu,worst:4", []frames{ranging(550, 699), worst(4)}},
	{`over,section:"level 1",worst:2`, []frames{ranging(100, 249), over, worst(2)}},
	{"section:boss,450-460", []frames{ranging(450, 460)}},
	{"undisturbed", nil},
}

// uneven is a capture of 700 frames of 1 to 40 ms, with a budget of 20 ms and sections. In each frame one of two zones
// works: it is one call, allocates, waits for a lock, and sets a mark and a value.
func uneven(t *testing.T) (path string) {
	t.Helper()
	return unevenOf(t, func(f *gather.Frame) *day {
		zone := f.Lanes[0].Nodes[1].Zone
		f.Counters, f.Values = []gather.CounterInfo{{Name: "rays"}}, []gather.CounterValue{{Value: 1}}
		f.Marks = []gather.MarkInfo{{Time: f.Begin, Lane: 1, Text: "go"}}
		f.States = []gather.LaneState{{Lane: 1, Kind: gather.StateWaiting, Reason: "mutex", Begin: f.Begin,
			End: f.Begin + 1000}}
		f.Lanes[0].Extras = []gather.NodeExtra{{Node: 1, Allocs: 1, AllocBytes: 1}}
		d := new(day)
		d.lanes[0].events = []gather.Event{{Time: f.Begin, Zone: zone, Node: 1},
			{Time: f.End - 1, Zone: zone, Node: 1, End: true}}
		return d
	})
}

// unevenOf is uneven with frames that more may add to.
func unevenOf(t *testing.T, more func(f *gather.Frame) *day) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "uneven.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	w := framefile.NewWriter(file, framefile.Info{Program: "uneven"})
	at := platform.Ticks(0)
	for i := range 700 {
		length := platform.Ticks(1e6 * (1 + i*i*37%40))
		f := gather.Frame{Index: uint64(i), Begin: at, End: at + length, TicksPerSecond: 1e9,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "even"}, {Name: "odd"}},
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Begin: at, End: at + length, Nodes: []gather.Node{
				{Parent: -1}, {ID: 1, Zone: gather.ZoneID(1 + i%2), Self: length, Count: 1}}}}}
		if i >= 100 {
			n := (i - 100) / 150
			f.Section = gather.SectionInfo{Number: uint64(n) + 2,
				Name: []string{"level 1", "level, \x1b2", "boss", "menu"}[n]}
		}
		at += length
		judged := process.Judged{Budget: 20e6}
		if more != nil {
			judged.Events = more(&f)
		}
		must.Do(t, w.WriteJudged(&f, &judged))
	}
	must.Do(t, w.Close())
	return path
}

// byFrame are commands that list what each frame has.
var byFrame = []string{"top", "calls", "lanes", "waits", "locks", "memory", "values", "marks"}

// TestChoicesAreTheSameEverywhere makes thirty choices of frames by each command and by the API.
func TestChoicesAreTheSameEverywhere(t *testing.T) {
	path := uneven(t)
	all := must.Get(open(path))(t).Session.AppendFrames(nil, math.MaxInt)
	inBothWays(t, func(t *testing.T) {
		for i, c := range choices {
			chosen := all
			for _, by := range c.by {
				chosen = by(chosen)
			}
			want, sums := numbers(chosen), [3]float64{}
			for _, f := range chosen {
				sums[1+f.Index%2] += float64(f.Length) / float64(len(chosen))
			}
			listed := readRows(t, "frames -frames", c.words, path).Slowest
			var got []uint64
			for _, f := range listed[:min(len(listed), mostVerdicts)] {
				got = append(got, f.Frame)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("frames %s: got %v; want %v", c.words, got, want)
			}
			for _, command := range []string{"top -frames", "tree -frames"} {
				r := readRows(t, command, c.words, path).Report
				for zone, name := range []string{1: "even", 2: "odd"} {
					ms := 0.0
					for _, row := range r.Rows {
						if string(row.Zone) == name {
							ms = row.Values["self_ms"]
						}
					}
					if math.Abs(ms-sums[zone]) > 1e-3 {
						t.Errorf("%s %s: got %v ms of %s; want %v", command, c.words, ms, name, sums[zone])
					}
				}
			}
			for k := range longtest.Pick(len(byFrame), 2) {
				command := byFrame[(i+3*k)%len(byFrame)]
				var got []uint64
				for _, row := range rowsOf(t, command+" -by frame -frames", c.words, path) {
					got = append(got, *row.Frame)
				}
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Errorf("%s -frames %s: got %v; want %v", command, c.words, got, want)
				}
			}
			if got := exportedFrames(t, c.words, path); !slices.Equal(got, want) {
				t.Errorf("export -frames %s: got %v; want %v", c.words, got, want)
			}
		}
	})
}

// numbers are those of some frames.
func numbers(list []report.FrameSummary) (n []uint64) {
	for _, f := range list {
		n = append(n, f.Index)
	}
	return n
}

var frameInCSV = regexp.MustCompile(`(?m)^(\d+),`)

// exportedFrames are the frames that a CSV of a choice has.
func exportedFrames(t *testing.T, words, path string) (n []uint64) {
	t.Helper()
	text, code := shows(t, "export", "-format", "csv", "-frames", words, path)
	if code != 0 {
		t.Fatalf("export -frames %s: the status is %d", words, code)
	}
	for _, found := range frameInCSV.FindAllStringSubmatch(text, -1) {
		var index uint64
		must.Get(fmt.Sscan(found[1], &index))(t)
		if !slices.Contains(n, index) {
			n = append(n, index)
		}
	}
	return n
}

// -budget judges in place of the capture's budget.
func TestChoicesOfABudget(t *testing.T) {
	path := uneven(t)
	inBothWays(t, func(t *testing.T) {
		for _, command := range []string{"top", "calls", "marks"} {
			rows := rowsOf(t, command+" -by frame -frames over -budget 30ms", path)
			late := 0
			for i := range 700 {
				if 1+i*i*37%40 > 30 {
					late++
				}
			}
			if len(rows) != late || late == 0 {
				t.Errorf("%s: got %d frames over 30 ms; want %d", command, len(rows), late)
			}
		}
	})
}

// A choice in its own words is the same choice.
func TestAChoiceInItsOwnWords(t *testing.T) {
	sections := []report.Section{{Name: "level 1", From: 100, To: 249}, {Name: "level, \x1b2", From: 250, To: 399},
		{Name: `level, \x1b2`, From: 250, To: 399}, {Name: "boss", From: 400, To: 549},
		{Name: "menu", From: 550, To: 699}}
	for _, c := range choices {
		l := must.Get(report.ParseFrames(c.words, sections))(t)
		if again := must.Get(report.ParseFrames(l.Words(), nil))(t); again.Words() != l.Words() {
			t.Errorf("%s: got %v, then %v; want the same", c.words, l, again)
		}
	}
}

// A word that is none is answered with the nearest, and what chooses nothing with the reason.
func TestWrongChoices(t *testing.T) {
	path := uneven(t)
	for args, want := range map[string]string{
		"top -frames wurst:3":               `"wurst:3" chooses no frames; did you mean worst? There are 100-200, `,
		"top -frames purple":                `"purple" chooses no frames; there are 100-200, 140, all, over, `,
		"top -frames 7-3":                   `"7-3": want the number of a frame, or two as in 100-200`,
		"top -frames worst:0":               `"worst:0": want a number of frames, such as worst:10`,
		"top -frames over,within":           "no frame is over and within the budget",
		"top -frames 1-2,5-6":               "no frame is in both ranges",
		"top -frames section:Menu":          `section:"Menu": there is no such section; there are: "level`,
		`top -frames section:"menu`:         "the quote does not end",
		`top -frames section:"menu"over`:    "after the quote there must be a comma",
		"verdicts -frames wihtin":           "did you mean within?",
		"graph -frames ovr even":            "did you mean over?",
		"top -sort slef_ms":                 "the nearest is self_ms",
		"top -lane nobody":                  `no goroutine has "nobody" in its name`,
		"export -format csv -frames wurst":  "did you mean worst?",
		"export -format csv -frames 9999":   "the capture has no such frame",
		"export -format csv -frames over,0": "the capture has no such frame",
	} {
		said := complained(t, func() {
			words := append(strings.Fields(args), path)
			if code := find(words[0]).run(words[1:]); code == 0 {
				t.Errorf("%s: the status is 0", args)
			}
		})
		if !strings.Contains(said, want) {
			t.Errorf("%s: got %q; want %q in it", args, said, want)
		}
	}
}

// What a limit cuts is counted.
func TestLimitsSayWhatTheyCut(t *testing.T) {
	path := recorded(t)
	for _, command := range []string{"top", "tree", "graph render_world", "frames"} {
		words := strings.Fields(command + " -limit 2 -frames all")
		got, code := shows(t, words[0], append(words[1:], path)...)
		if code != 0 || !regexp.MustCompile(`(rows|frames) 2 of \d+\n`).MatchString(got) {
			t.Errorf("%s: got status %d and\n%s\nwant the number of rows left out", command, code, got)
		}
	}
	many := uneven(t)
	late := readRows(t, "frames -frames over", many).Slowest
	left := fmt.Sprintf("left out: %d\n", len(late)-2)
	if got, _ := shows(t, "verdicts", "-limit", "2", many); !strings.Contains(got, left) {
		t.Errorf("verdicts: got\n%s\nwant the number of those %s", got, left)
	}
	top := readRows(t, "top -sort count -zone a -limit 3", path).Report
	if len(top.Rows) != 3 || top.Left == 0 || top.Rows[0].Values["count"] < top.Rows[1].Values["count"] {
		t.Errorf("got %d rows, %d left out, %+v; want the three with the most calls", len(top.Rows), top.Left, top.Rows)
	}
}
