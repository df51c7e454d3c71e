package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"example.com/iprof/auto"
	"example.com/iprof/capture"
	"example.com/iprof/process/report"
)

// comparePprof runs the learned program with a recording and a CPU profile at once. It logs the ten functions with the
// largest shares of the busy time in the recording, beside their shares of the samples that have a zone on their stack.
// Zones measure the time that passes, and the profile that of processors. So a function that waits in no idle zone has
// more time of its own: the log says which, and has the shares without that. It returns the largest difference of
// these.
func (p *realProgram) comparePprof(t *testing.T, dir, cache string, arguments []string) (most float64) {
	t.Helper()
	to := t.TempDir()
	program, _, _ := p.zoned(t, dir, cache, "example.com/iprof/auto/cpuprofile")
	s := auto.Settings{Record: filepath.Join(to, "out.iprof"), CPUProfile: filepath.Join(to, "out.pprof")}
	p.run(t, dir, program, arguments, s)
	ours := readBusy(t, s.Record)
	self, theirs := sampleShares(t, s.CPUProfile, ours.shares())
	before := ours.shares()
	var log strings.Builder
	for range 20 {
		if wait := ours.leaveWait(self); wait != "" {
			fmt.Fprintf(&log, "%s\n", wait)
		}
	}
	after := ours.shares()
	names := slices.SortedFunc(maps.Keys(after), func(a, b string) int {
		return cmp.Or(cmp.Compare(after[b], after[a]), strings.Compare(a, b))
	})
	for _, name := range names[:min(10, len(names))] {
		fmt.Fprintf(&log, "| %s | %.1f | %.1f | %.1f | %+.1f |\n", name, before[name], after[name], theirs[name],
			after[name]-theirs[name])
		most = max(most, math.Abs(after[name]-theirs[name]))
	}
	t.Logf("%s %s: function, %% of busy time, without waits, %% of samples, difference\n%s", p.name, p.version, &log)
	return most
}

// busy is the busy time of a recording.
type busy struct {
	nodes    []report.TreeNode // in preorder
	self     []float64         // ms; 0 for idle nodes and the root
	function func(i int) string
}

func readBusy(t *testing.T, name string) *busy {
	t.Helper()
	session, _, err := capture.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	d := session.Dump(report.DumpOptions{NoFrames: true})
	b := &busy{nodes: d.Merged, self: make([]float64, len(d.Merged))}
	b.function = func(i int) string { return d.Zones[d.Merged[i].Zone].Function }
	for i, n := range d.Merged {
		if !n.Idle && n.Parent >= 0 {
			b.self[i] = n.Self
		}
	}
	return b
}

// selves returns the busy time of each function without callees, and of all.
func (b *busy) selves() (selves map[string]float64, all float64) {
	selves = map[string]float64{}
	for i, self := range b.self {
		selves[b.function(i)] += self
		all += self
	}
	return selves, all
}

// leastWait is the difference, in percent of all time, from which on a function waits.
const leastWait = 2

// leaveWait takes away the wait of the function that waits most, by the shares of samples without callees. It returns
// what it did, "" for nothing.
func (b *busy) leaveWait(samples map[string]float64) (did string) {
	selves, all := b.selves()
	most, name := float64(leastWait), ""
	for function, self := range selves {
		if wait := 100*self/all - samples[function]; wait > most {
			most, name = wait, function
		}
	}
	if name == "" {
		return ""
	}
	share := samples[name] / 100
	keep := share * (all - selves[name]) / (1 - share) / selves[name]
	for i := range b.self {
		if b.function(i) == name {
			b.self[i] *= keep
		}
	}
	return fmt.Sprintf("%s itself waits for %.0f of %.0f ms", name, (1-keep)*selves[name], all)
}

// shares returns for each function the percentage of all busy time that it and its callees took.
func (b *busy) shares() map[string]float64 {
	_, all := b.selves()
	with := slices.Clone(b.self)
	for i, n := range slices.Backward(b.nodes) {
		if n.Parent >= 0 {
			with[n.Parent] += with[i]
		}
	}
	shares := map[string]float64{}
	for i, n := range b.nodes {
		if !n.Idle && n.Parent >= 0 && !b.isInside(n.Parent, b.function(i)) {
			shares[b.function(i)] += 100 * with[i] / all
		}
	}
	return shares
}

// isInside reports whether a node or one above it is of the function.
func (b *busy) isInside(i int32, function string) bool {
	for ; i >= 0; i = b.nodes[i].Parent {
		if b.function(int(i)) == function && !b.nodes[i].Idle {
			return true
		}
	}
	return false
}

// sampleShares returns the percentages of samples that have a function on their stack, among those that have any of the
// functions. self is those in which it is the innermost one.
func sampleShares(t *testing.T, name string, functions map[string]float64) (self, with map[string]float64) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	p, err := profile.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	self, with = map[string]float64{}, map[string]float64{}
	all := 0.0
	for _, s := range p.Sample {
		on := map[string]bool{}
		for _, l := range s.Location { // the innermost is the first
			for _, line := range l.Line {
				name := line.Function.Name
				if _, measured := functions[name]; measured && !on[name] {
					if len(on) == 0 {
						self[name] += float64(s.Value[0])
					}
					on[name] = true
					with[name] += float64(s.Value[0])
				}
			}
		}
		if len(on) > 0 {
			all += float64(s.Value[0])
		}
	}
	for function := range with {
		with[function] *= 100 / all
		self[function] *= 100 / all
	}
	return self, with
}
