package runreport_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/auto"
	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/runreport"
	"example.com/iprof/process/report"
)

// worker is a function of a program: the truth, in milliseconds, and the samples in it.
type worker struct {
	worked, waited float64
	samples        int
	off            float64 // standard error of its time, if it is muted
}

// workers is a run of functions a, b, c and so on. All may wait.
func workers(list []worker) *runreport.Run {
	d := &report.Dump{Zones: []gather.ZoneInfo{{Name: "(root)"}}, Merged: []report.TreeNode{{Parent: -1}}}
	notes := auto.Notes{Ended: true}
	cpu := 0.0
	for i, w := range list {
		name := string(rune('a' + i))
		d.Merged = append(d.Merged, report.TreeNode{Zone: report.ZoneID(i + 1), Level: 1, Count: 7,
			Self: w.worked + w.waited, StandardError: w.off})
		d.Zones = append(d.Zones, gather.ZoneInfo{Name: name, Function: "main." + name, File: "/src/main.go", Line: 9})
		at := auto.Sample{Zone: "main." + name, Function: "main." + name, Count: w.samples}
		notes.Samples = append(notes.Samples, at)
		notes.Sampled += w.samples
		cpu += w.worked
	}
	d.CPU = time.Duration(cpu * float64(time.Millisecond))
	d.RunTime = 10 * d.CPU
	d.Lanes = []report.LaneTree{{Name: "main goroutine", Nodes: d.Merged}}
	return &runreport.Run{Contents: &capture.Contents{}, Notes: notes, Dump: d}
}

// sentence returns the first sentence on one line.
func sentence(t *testing.T, r *runreport.Run) string {
	t.Helper()
	line, _, _ := strings.Cut(strings.ReplaceAll(written(t, r), "\n  ", " "), "\nran ")
	return line
}

// TestFunctionsThatTieAreNamed: where what a function waited is not known well enough to put it first, and where two
// work for nearly the same time.
func TestFunctionsThatTieAreNamed(t *testing.T) {
	const close = ": too close to say which is first"
	for _, test := range []struct {
		name string
		list []worker
		want string
	}{
		{"clear", []worker{{100, 0, 10, 0}, {60, 0, 6, 0}, {40, 0, 4, 0}}, "50 % of 200 ms was a, called 7 times"},
		{"clear in spite of their samples", []worker{{100, 0, 8, 0}, {92, 0, 10, 0}, {8, 0, 1, 0}},
			"50 % of 200 ms was a, called 7 times"},
		{"nearly the same", []worker{{98, 0, 9, 0}, {102, 0, 11, 0}, {20, 0, 2, 0}},
			"46 % of 220 ms was b and 45 % a" + close},
		{"one of them waited", []worker{{70, 40, 7, 0}, {60, 20, 6, 0}, {50, 30, 5, 0}, {20, 0, 2, 0}},
			"38 % of 290 ms was a, 28 % b and 28 % c" + close},
		{"many", []worker{{52, 10, 5, 0}, {51, 10, 5, 0}, {50, 10, 5, 0}, {49, 10, 5, 0}, {48, 10, 5, 0}},
			"21 % of 300 ms was a, 20 % b, 20 % c and 2 more" + close},
		{"too few samples to put one first", []worker{{60, 100, 7, 0}, {128, 0, 13, 0}},
			"65 % of 198 ms of work was b and 35 % a" + close},
		{"enough samples for that", []worker{{60, 100, 7, 0}, {160, 0, 15, 0}}, "70 % of 230 ms of work was b, called"},
		{"the processor was others'", []worker{{30, 400, 4, 0}, {40, 380, 4, 0}, {30, 100, 4, 0}},
			"33 % of 120 ms of work was a, 33 % b and 33 % c" + close},
		{"little is known, and one is small", []worker{{80, 70, 8, 0}, {80, 65, 8, 0}, {10, 5, 1, 0}},
			"48 % of 310 ms was a and 47 % b" + close},
		{"no samples, and the processor was others'", []worker{{20, 400, 0, 0}, {60, 300, 0, 0}, {30, 10, 0, 0}},
			"51 % of 820 ms passed in a and 44 % b" + close},
		{"estimated", []worker{{100, 0, 0, 0}, {60, 0, 0, 25}}, "62 % of 160 ms was a and 38 % b" + close},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := sentence(t, workers(test.list)); !strings.HasPrefix(got, test.want) {
				t.Errorf("got %q; want %q", got, test.want)
			}
		})
	}
}

// first are the names in the first sentence.
var first = regexp.MustCompile(`(?:was|passed in|%) ([a-z])(?:,| and|:|$)`)

// TestTheFirstFunctionIsNamed: goroutines waited for processors, and samples fall by chance. The sentence names the
// function with the most work, alone or with those that may have as much. Where nothing waited, the times are known,
// and only those tie that are nearly the same.
func TestTheFirstFunctionIsNamed(t *testing.T) {
	const runs = 2000
	wrong, ties, unclear := 0, 0, 0
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 61))
		waits := seed%2 == 0
		var list []worker
		for range 2 + r.IntN(8) {
			w := worker{worked: 10 + 500*r.Float64()*r.Float64()}
			if waits && r.IntN(2) == 0 {
				w.waited = w.worked * r.Float64()
			}
			for left := 10 * r.ExpFloat64(); left < w.worked; left += 10 * r.ExpFloat64() {
				w.samples++
			}
			list = append(list, w)
		}
		most := slices.IndexFunc(list, func(w worker) bool {
			return !slices.ContainsFunc(list, func(v worker) bool { return v.worked > w.worked })
		})
		got := sentence(t, workers(list))
		var names []string
		for _, m := range first.FindAllStringSubmatch(got, -1) {
			names = append(names, m[1])
		}
		if len(names) > 1 {
			ties++
		}
		if name := string(rune('a' + most)); !slices.Contains(names, name) && !strings.Contains(got, " more") {
			wrong++
		}
		near := slices.ContainsFunc(list, func(w worker) bool {
			return w != list[most] && w.worked > 0.95*list[most].worked
		})
		if !waits && (len(names) > 1) != near {
			unclear++
		}
	}
	if wrong > runs/50 || ties > runs/2 || unclear > runs/100 {
		t.Errorf("of %d runs the first function is not named in %d; several are in %d, and in %d without a wait", runs,
			wrong, ties, unclear)
	}
}
