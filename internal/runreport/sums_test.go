package runreport_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/auto"
	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
	"example.com/iprof/process/report"
)

// made is a random program of one goroutine: a tree of zones, each below one other. Times are in milliseconds.
type made struct {
	parent []int
	worked []float64 // the truth
	self   []float64 // as measured: a muted zone's time is partly in the zone around it
	off    []float64 // standard error of self; 0: it is not muted
	counts []float64
}

func random(r *rand.Rand) *made {
	m := &made{parent: []int{-1, 0}}
	for i := 2; i < 3+r.IntN(12); i++ {
		m.parent = append(m.parent, 1+r.IntN(i-1))
	}
	muted := make([]bool, len(m.parent))
	for i := 2; i < len(muted); i++ {
		muted[i] = r.IntN(2) == 0
		for muted[m.parent[i]] { // what a muted zone calls stands below the zone around that
			m.parent[i] = m.parent[m.parent[i]]
		}
	}
	n := len(m.parent)
	m.worked, m.off, m.counts = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := 1; i < n; i++ {
		m.worked[i], m.counts[i] = 2000*math.Pow(r.Float64(), 3), float64(1+r.IntN(1_000_000))
	}
	m.self = append(m.self, m.worked...)
	for i := 2; i < n; i++ {
		if !muted[i] {
			continue
		}
		m.off[i] = 1 + m.worked[i]*r.Float64()
		estimate := max(m.worked[i]+m.off[i]*r.NormFloat64(), 0)
		around := m.parent[i]
		estimate = min(estimate, m.worked[i]+max(m.self[around], 0)) // what is measured in all is the truth
		m.self[i], m.self[around] = estimate, m.self[around]-(estimate-m.worked[i])
	}
	return m
}

func (m *made) name(i int) string {
	if i == 0 {
		return ""
	}
	return fmt.Sprintf("main.z%d", i)
}

// run returns the recording of the program, with samples of its work.
func (m *made) run(r *rand.Rand, sampled bool) *runreport.Run {
	all := 0.0
	d := &report.Dump{Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	notes := auto.Notes{Ended: true}
	for i := 1; i < len(m.parent); i++ {
		z := gather.ZoneInfo{Name: fmt.Sprint("z", i), Function: m.name(i), File: "/src/main.go", Line: 10 * i}
		d.Zones = append(d.Zones, z)
		if m.off[i] > 0 {
			notes.Muted = append(notes.Muted, z)
		}
		all += m.worked[i]
		n := 0
		for left := m.worked[i]; left > 0; left -= 10 * r.ExpFloat64() {
			n++
		}
		if n--; n > 0 && sampled {
			notes.Sampled += n
			notes.Samples = append(notes.Samples, auto.Sample{Zone: m.name(i), Around: m.name(m.parent[i]),
				Function: m.name(i), File: "/src/main.go", Line: 10*i + 1, Count: n})
		}
	}
	d.RunTime = time.Duration(all * float64(time.Millisecond))
	d.CPU = d.RunTime
	d.Merged = m.nodes(0, -1, nil)
	d.Lanes = []report.LaneTree{{Name: "main goroutine", Nodes: d.Merged}}
	return &runreport.Run{Contents: &capture.Contents{}, Notes: notes, Dump: d}
}

// nodes appends the tree of zone i in preorder.
func (m *made) nodes(i int, parent int32, nodes []report.TreeNode) []report.TreeNode {
	at := len(nodes)
	n := report.TreeNode{Zone: report.ZoneID(i), Parent: parent, Count: m.counts[i], Self: m.self[i]}
	if parent >= 0 {
		n.Level = nodes[parent].Level + 1
	}
	if m.off[i] > 0 {
		n.Estimated, n.StandardError = gather.EstimatedTime, m.off[i]
	}
	nodes = append(nodes, n)
	nodes[at].Hier = m.self[i]
	for kid := i + 1; kid < len(m.parent); kid++ {
		if m.parent[kid] == i {
			first := len(nodes)
			nodes = m.nodes(kid, int32(at), nodes)
			nodes[at].Hier += nodes[first].Hier
		}
	}
	return nodes
}

// In the reports of random programs with muted zones, no zone takes longer than the one around it, or by itself than
// with its callees; all zones together take what the program took, and the shares are of that.
func TestSumsOfARun(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 44))
		m := random(r)
		run := m.run(r, seed%4 > 0)
		var full, short strings.Builder
		must.Do(t, run.WriteFull(&full, false))
		must.Do(t, run.Write(&short, runreport.Options{}))
		m.check(t, full.String(), short.String())
		if t.Failed() {
			t.Fatalf("seed %d: %+v\n%s\n%s", seed, m, &full, &short)
		}
	}
}

func (m *made) check(t *testing.T, full, short string) {
	t.Helper()
	self, hier, rounding := table(full)
	all, told := 0.0, 0.0
	for i := 1; i < len(m.parent); i++ {
		all, told = all+m.worked[i], told+self[i]
		if self[i] > hier[i]+2*rounding+0.002 {
			t.Errorf("z%d takes %v ms by itself, %v with its callees", i, self[i], hier[i])
		}
		if p := m.parent[i]; p > 0 && hier[i] > hier[p]+2*rounding+0.002 {
			t.Errorf("z%d takes %v ms, z%d around it %v", i, hier[i], p, hier[p])
		}
	}
	if math.Abs(told-all) > 1e-6*all+0.01+float64(len(self))*rounding {
		t.Errorf("all zones take %v ms; the program took %v", told, all)
	}
	shares := 0.0
	for _, row := range shownRow.FindAllStringSubmatch(short, -1) {
		share, _ := strconv.ParseFloat(row[1], 64)
		shares += share
	}
	if shares > 100+0.5*10 {
		t.Errorf("the shares are %v %% together", shares)
	}
}

// shownRow is a row of the short report with a share.
var shownRow = regexp.MustCompile(`(?m)^[~ ].* ([\d.]+) % .*  z\d+  main\.go:`)

// headed is the heading of a column of times with its unit, if one of them is not ms.
var headed = regexp.MustCompile(`(with callees|self) (h|min|s|ms|us|ns)\b`)

// lengths are the units in ms.
var lengths = map[string]float64{"h": 3.6e6, "min": 6e4, "s": 1000, "ms": 1, "us": 1e-3, "ns": 1e-6}

// table returns the times of the full report in ms by the zones' numbers, and the largest error of rounding.
func table(text string) (self, hier map[int]float64, rounding float64) {
	self, hier = map[int]float64{}, map[int]float64{}
	at, units := 1, map[string]float64{"self": 1, "with callees": 1}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if strings.Contains(line, "with callees") {
			for _, column := range headed.FindAllStringSubmatch(line, -1) {
				units[column[1]] = lengths[column[2]]
			}
			if strings.Contains(line, "at once") {
				at = 2
			}
		}
		for i, word := range words {
			zone, err := strconv.Atoi(strings.TrimLeft(word, "~z"))
			if err != nil || !strings.HasPrefix(strings.TrimLeft(word, "~"), "z") || i < at+4 {
				continue
			}
			inside, _ := strconv.ParseFloat(words[0], 64)
			own, _ := strconv.ParseFloat(words[at], 64)
			hier[zone], self[zone] = inside*units["with callees"], own*units["self"]
			break
		}
	}
	return self, hier, 0.0005 * max(units["self"], units["with callees"])
}
