package export_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/process/report"
)

// hostile are names that formats trip over.
var hostile = []string{"a;b", "new\nline", "<b>&\"x\"</b>", "", "\xff\xfe", "plain", "日本", "a b 12"}

// random returns a dump of random trees; no time is negative.
func random(seed uint64) *report.Dump {
	r := rand.New(rand.NewPCG(seed, 2))
	d := &report.Dump{Program: "test", Time: time.Unix(1e9, 0), RunTime: time.Second}
	for i := range 20 {
		d.Zones = append(d.Zones, gather.ZoneInfo{Name: hostile[i%len(hostile)] + strings.Repeat("x", i/len(hostile)),
			File: "/a/b.go", Line: i})
	}
	for i := range 1 + r.IntN(4) {
		l := report.LaneTree{ID: report.LaneID(i + 1), Name: "lane " + hostile[r.IntN(len(hostile))]}
		for j := range 1 + r.IntN(60) {
			n := report.TreeNode{Parent: -1, Zone: report.ZoneID(r.IntN(20)), Self: float64(r.IntN(1e9)) / 1e6,
				Count: float64(r.IntN(5))}
			if j > 0 {
				n.Parent = int32(r.IntN(j))
			}
			l.Nodes = append(l.Nodes, n)
		}
		d.Lanes = append(d.Lanes, l)
	}
	return d
}

// total is the sum of all self times in nanoseconds, and of all calls.
func total(d *report.Dump) (ns, calls int64) {
	for _, l := range d.Lanes {
		for _, n := range l.Nodes {
			ns, calls = ns+int64(math.Round(n.Self*1e6)), calls+int64(n.Count)
		}
	}
	return ns, calls
}

// TestTotalsAreTheEngines: each format's times sum to the dump's, to the nanosecond.
func TestTotalsAreTheEngines(t *testing.T) {
	for _, format := range []struct {
		name string
		sum  func(*testing.T, *report.Dump) int64
	}{{"folded", foldedSum}, {"pprof", pprofSum}} {
		t.Run(format.name, func(t *testing.T) {
			for seed := range longtest.Pick(1000, 50) {
				d := random(uint64(seed))
				if want, _ := total(d); format.sum(t, d) != want {
					t.Fatalf("seed %d: got %d ns; want %d", seed, format.sum(t, d), want)
				}
			}
		})
	}
}

func foldedSum(t *testing.T, d *report.Dump) (sum int64) {
	var b bytes.Buffer
	must.Do(t, export.Folded(&b, d))
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSuffix(line, "\n")
		ns, err := strconv.ParseInt(line[strings.LastIndexByte(line, ' ')+1:], 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		sum += ns
	}
	return sum
}

func pprofSum(t *testing.T, d *report.Dump) (sum int64) {
	var b bytes.Buffer
	must.Do(t, export.Pprof(&b, d))
	p := must.Get(profile.Parse(&b))(t)
	calls := int64(0)
	for _, s := range p.Sample {
		calls, sum = calls+s.Value[0], sum+s.Value[1]
	}
	if _, want := total(d); calls != want {
		t.Fatalf("%d calls; want %d", calls, want)
	}
	return sum
}

// TestGoToolPprofOpensIt: the real consumer prints the zones and their times.
func TestGoToolPprofOpensIt(t *testing.T) {
	d := &report.Dump{
		Program: "test", Zones: []gather.ZoneInfo{{Name: "(root)"},
			{Name: "physics <b>", Function: "main.physics", File: "physics.go", Line: 7}},
		Lanes: []report.LaneTree{{ID: 1, Name: "main", Nodes: []report.TreeNode{
			{Parent: -1, Self: 25}, {Zone: 1, Parent: 0, Self: 75, Count: 300},
		}}},
	}
	file := filepath.Join(t.TempDir(), "profile")
	var b bytes.Buffer
	must.Do(t, export.Pprof(&b, d))
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o600))
	for _, test := range []struct{ index, want string }{{"wall", "75ms"}, {"calls", "300"}} {
		t.Run(test.index, func(t *testing.T) {
			cmd := exec.Command("go", "tool", "pprof", "-top", "-sample_index="+test.index, file)
			cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), test.want) ||
				!strings.Contains(string(out), "physics ‹b›") {
				t.Errorf("%v\n%s\nwant physics with %s", err, out, test.want)
			}
		})
	}
}

// TestPprofComparesPublicZones: the same row, whichever function entered the zone first.
func TestPprofComparesPublicZones(t *testing.T) {
	files := []string{}
	for i, zone := range []gather.ZoneInfo{{Name: "query", Function: "db.a", File: "/src/db/a.go", Line: 7},
		{Name: "query", Function: "db.(*pool).b", File: "/src/db/b.go", Line: 9}} {
		zone.Public = true
		d := &report.Dump{Zones: []gather.ZoneInfo{{Name: "(root)"}, zone}, Lanes: []report.LaneTree{{ID: 1,
			Nodes: []report.TreeNode{{Parent: -1}, {Zone: 1, Parent: 0, Self: 50 + 10*float64(i), Count: 1}}}}}
		var b bytes.Buffer
		must.Do(t, export.Pprof(&b, d))
		files = append(files, filepath.Join(t.TempDir(), "profile"))
		must.Do(t, os.WriteFile(files[i], b.Bytes(), 0o600))
	}
	cmd := exec.Command("go", "tool", "pprof", "-top", "-diff_base="+files[0], files[1])
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if text := string(out); err != nil || strings.Count(text, "query") != 1 || !strings.Contains(text, "10ms") {
		t.Errorf("%v\n%s\nwant one row with 10ms", err, out)
	}
}

// TestIdleStacksHaveALabel: what waits can be left out, with -tagignore idle=true.
func TestIdleStacksHaveALabel(t *testing.T) {
	for _, idle := range []bool{false, true} {
		d := &report.Dump{Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "vsync", Idle: idle}},
			Lanes: []report.LaneTree{{Name: "main", Nodes: []report.TreeNode{
				{Parent: -1, Self: 1}, {Zone: 1, Parent: 0, Self: 2, Count: 1, Idle: idle}}}}}
		var out, without bytes.Buffer
		must.Do(t, export.Pprof(&out, d))
		z := must.Get(gzip.NewReader(&out))(t)
		if _, err := without.ReadFrom(z); err != nil {
			t.Fatal(err)
		}
		// a label is message 3 of a sample, message 2 of the profile
		labels := bytes.Count(without.Bytes(), []byte{3<<3 | 2, 4, 1 << 3})
		if labels != 2 && !idle || labels != 3 && idle {
			t.Errorf("idle %v: got %d labels of 2 stacks; want one each for the lane, and one for idle", idle, labels)
		}
	}
}

// A session as folded stacks.
func ExampleFolded() {
	d := &report.Dump{
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "physics"}, {Name: "vsync", Idle: true}},
		Lanes: []report.LaneTree{{Name: "main", Nodes: []report.TreeNode{
			{Parent: -1, Self: 1}, {Zone: 1, Parent: 0, Self: 2.5, Count: 3},
			{Zone: 2, Parent: 0, Self: 4, Count: 1, Idle: true},
		}}},
	}
	if err := export.Folded(os.Stdout, d); err != nil {
		fmt.Println(err)
	}
	// Output:
	// main;(root) 1000000
	// main;(root);physics 2500000
	// main;(root);vsync [idle] 4000000
}
