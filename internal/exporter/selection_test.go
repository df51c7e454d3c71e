package exporter_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"example.com/iprof/gather"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/synth"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// frames are those of a random program of 60 frames, and a session that has judged them.
func frames(seed uint64) (list []*gather.Frame, judged *process.Session) {
	p := synth.New(seed)
	judged = process.NewSession()
	judged.SetHistoryLimits(process.HistoryLimits{Frames: 100})
	for range 60 {
		f := *p.Frame() // which uses its memory again
		f.Lanes = slices.Clone(f.Lanes)
		for i := range f.Lanes {
			f.Lanes[i].Nodes = slices.Clone(f.Lanes[i].Nodes)
		}
		list = append(list, &f)
		if err := judged.WriteFrame(&f); err != nil {
			panic(err)
		}
	}
	busy := judged.AppendFrames(nil, 60)
	slices.SortFunc(busy, func(a, b report.FrameSummary) int { return cmp.Compare(a.Busy, b.Busy) })
	judged.SetFrameBudget(time.Duration(busy[40].Busy * 1e6 / 1.02)) // some 20 frames are over it
	return list, judged
}

// written is a capture of some frames.
func written(t *testing.T, list []*gather.Frame, judged *process.Session) []byte {
	t.Helper()
	var b bytes.Buffer
	w := framefile.NewWriter(&b, framefile.Info{Program: "test"})
	for _, f := range list {
		must.Do(t, w.WriteJudged(f, 0, judged.FrameBudget()))
	}
	must.Do(t, w.Close())
	return b.Bytes()
}

// selections are the ways to choose, each with the numbers of the frames that a session says it chooses.
var selections = []struct {
	name string
	pick exporter.Selection
	want func([]report.FrameSummary) []report.FrameSummary
}{
	{"all", exporter.Selection{}, func(all []report.FrameSummary) []report.FrameSummary { return all }},
	{"one frame", exporter.Selection{Some: true, First: 17, Last: 17}, between(17, 17)},
	{"range", exporter.Selection{Some: true, First: 20, Last: 39}, between(20, 39)},
	{"over budget", exporter.Selection{Over: true}, over(true)},
	{"within budget", exporter.Selection{Within: true}, over(false)},
	{"slowest", exporter.Selection{Slowest: 7}, slowest(7)},
	{"slowest of a range", exporter.Selection{Slowest: 3, Some: true, First: 20, Last: 39},
		func(all []report.FrameSummary) []report.FrameSummary { return slowest(3)(between(20, 39)(all)) }},
	{"lanes", exporter.Selection{Lane: "1"}, func(all []report.FrameSummary) []report.FrameSummary { return all }},
	{"a lane of one frame", exporter.Selection{Only: 2, Some: true, First: 17, Last: 17}, between(17, 17)},
}

type chooser = func([]report.FrameSummary) []report.FrameSummary

func between(first, last uint64) chooser {
	return func(all []report.FrameSummary) []report.FrameSummary {
		return slices.DeleteFunc(slices.Clone(all), func(f report.FrameSummary) bool {
			return f.Index < first || f.Index > last
		})
	}
}

func over(want bool) chooser {
	return func(all []report.FrameSummary) []report.FrameSummary {
		return slices.DeleteFunc(slices.Clone(all), func(f report.FrameSummary) bool { return f.Over != want })
	}
}

func slowest(n int) chooser {
	return func(all []report.FrameSummary) []report.FrameSummary {
		all = slices.Clone(all)
		slices.SortFunc(all, func(a, b report.FrameSummary) int {
			return cmp.Or(cmp.Compare(b.Busy, a.Busy), cmp.Compare(b.Index, a.Index))
		})
		return all[:min(n, len(all))]
	}
}

// of keeps the frames with these numbers and the chosen lanes.
func of(list []*gather.Frame, chosen []report.FrameSummary, pick *exporter.Selection) (kept []*gather.Frame) {
	for _, f := range list {
		if !slices.ContainsFunc(chosen, func(c report.FrameSummary) bool { return c.Index == f.Index }) {
			continue
		}
		g := *f
		g.Lanes = slices.DeleteFunc(slices.Clone(f.Lanes), func(l gather.LaneFrame) bool {
			return !strings.Contains(l.Name, pick.Lane) || pick.Only != 0 && l.ID != pick.Only
		})
		kept = append(kept, &g)
	}
	return kept
}

// TestSelections: each format of a selection equals that of a capture with only these frames and lanes. Where its sums
// can be read simply, they are those of the frames, to the nanosecond and the call.
func TestSelections(t *testing.T) {
	for seed := range longtest.Pick(20, 2) {
		list, judged := frames(uint64(seed))
		file := written(t, list, judged)
		summaries := judged.AppendFrames(nil, 100)
		for _, s := range selections {
			want := of(list, s.want(summaries), &s.pick)
			for _, format := range exporter.Formats {
				if format.Name == exporter.Trace || len(want) == 0 {
					continue
				}
				name := fmt.Sprintf("seed %d, %s of %s", seed, format.Name, s.name)
				var got, all bytes.Buffer
				pick := s.pick
				in := io.Reader(bytes.NewReader(file))
				if seed%2 == 1 {
					in = io.MultiReader(in) // as from a network: it cannot be read twice
				}
				if err := format.Write(&got, in, &pick); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if pick.Frames != uint64(len(want)) {
					t.Fatalf("%s: got %d frames; want %d", name, pick.Frames, len(want))
				}
				few := bytes.NewReader(written(t, want, judged))
				if err := format.Write(&all, few, &exporter.Selection{}); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if format.Name != "pprof" && !bytes.Equal(got.Bytes(), all.Bytes()) {
					t.Fatalf("%s: got\n%.3000s\nwant\n%.3000s", name, &got, &all)
				}
				checkSums(t, name, format.Name, got.Bytes(), want)
			}
		}
	}
}

// checkSums compares the sums of a file with those of the frames.
func checkSums(t *testing.T, name, format string, file []byte, list []*gather.Frame) {
	t.Helper()
	var ns, calls, gotNS, gotCalls int64
	for _, f := range list {
		for _, l := range f.Lanes {
			for _, n := range l.Nodes {
				ns, calls = ns+int64(n.Self), calls+int64(n.Count)
			}
		}
	}
	switch format {
	case "pprof", "pprof-frames":
		p, err := profile.ParseData(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, s := range p.Sample {
			gotCalls, gotNS = gotCalls+s.Value[0], gotNS+s.Value[1]
		}
	case "folded", "csv", "openmetrics":
		gotNS, gotCalls = textSums(format, string(file), calls)
	default:
		return
	}
	if gotNS != ns || gotCalls != calls {
		t.Fatalf("%s: got %d ns, %d calls; want %d, %d", name, gotNS, gotCalls, ns, calls)
	}
}

// textSums reads a format of lines. Folded stacks have no calls.
func textSums(format, text string, calls int64) (ns, entries int64) {
	if format == "folded" {
		entries = calls
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		last := func(sep string) string { return line[strings.LastIndex(line, sep)+1:] }
		v, _ := strconv.ParseFloat(last(" "), 64)
		switch {
		case format == "folded":
			ns += int64(v)
		case format == "csv":
			cells := strings.Split(line, ",")
			self, _ := strconv.ParseInt(cells[len(cells)-2], 10, 64)
			n, _ := strconv.ParseInt(cells[len(cells)-3], 10, 64)
			ns, entries = ns+self, entries+n
		case strings.HasPrefix(line, "iprof_zone_self_seconds_total{"):
			ns += int64(math.Round(v * 1e9))
		case strings.HasPrefix(line, "iprof_zone_calls_total{"):
			entries += int64(v)
		}
	}
	return ns, entries
}

// TestNothingChosen: an error, not an empty file.
func TestNothingChosen(t *testing.T) {
	list, judged := frames(1)
	file := written(t, list, judged)
	for _, format := range exporter.Formats {
		for _, pick := range []exporter.Selection{{Some: true, First: 1000, Last: 2000}, {Over: true, Within: true},
			{Slowest: 3, Some: true, First: 1000, Last: 2000}} {
			if err := format.Write(io.Discard, bytes.NewReader(file), &pick); err == nil {
				t.Errorf("%s of %+v: got no error", format.Name, pick)
			} else if errors.Is(err, io.EOF) {
				t.Errorf("%s of %+v: got %v", format.Name, pick, err)
			}
		}
	}
}
