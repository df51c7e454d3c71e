package process_test

import (
	"math"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// tree makes a frame of one lane from lines "zone self count", indented by two spaces a level below the root; times in
// ms of a clock with 1,000,000 ticks a second. Zones get their ids in the order of names.
func tree(index uint64, names []string, text string) *gather.Frame {
	f := &gather.Frame{Index: index, TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	id := map[string]report.ZoneID{"(root)": 0}
	for _, name := range names {
		name, idle := strings.CutSuffix(name, "*")
		id[name] = report.ZoneID(len(f.Zones))
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: name, Idle: idle, File: "/src/" + name + ".go",
			Line: len(f.Zones)})
	}
	nodes := []gather.Node{{Parent: -1}}
	path := []int32{0}
	length := platform.Ticks(0)
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		level := (len(line)-len(strings.TrimLeft(line, " ")))/2 + 1
		fields := strings.Fields(line)
		n := gather.Node{ID: gather.NodeID(len(nodes)), Zone: id[fields[0]], Parent: path[level-1]}
		n.Self = platform.Ticks(math.Round(number(fields[1]) * 1000))
		n.Count = uint32(number(fields[2]))
		for _, above := range path[:level] {
			if nodes[above].Zone == n.Zone {
				n.Depth++
			}
		}
		path = append(path[:level], int32(len(nodes)))
		nodes = append(nodes, n)
		length += n.Self
	}
	f.Begin = platform.Ticks(index)*1_000_000 + 1
	f.End = f.Begin + length
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End, Nodes: nodes}}
	return f
}

func number(s string) float64 {
	whole, fraction, _ := strings.Cut(s, ".")
	v, scale := 0.0, 1.0
	for _, c := range whole {
		v = v*10 + float64(c-'0')
	}
	for _, c := range fraction {
		scale /= 10
		v += scale * float64(c-'0')
	}
	return v
}

// line says what a record says: mark, name, self, hier, count.
type line struct {
	mark              report.Sign
	name              string
	self, hier, count float64
}

func lines(r *report.Report) (got []line) {
	for _, rec := range r.Records {
		round := func(c report.Column) float64 { return math.Round(rec.Values[c]*1e6) / 1e6 }
		got = append(got, line{rec.Sign, rec.Name, round(report.ColumnSelf), round(report.ColumnHier),
			round(report.ColumnCount)})
	}
	return got
}

func expect(t *testing.T, r *report.Report, want ...line) {
	t.Helper()
	got := lines(r)
	if len(got) != len(want) {
		t.Fatalf("got %v; want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("row %d: got %v; want %v", i, got[i], want[i])
		}
	}
}

func write(t testing.TB, s *process.Session, f *gather.Frame) {
	t.Helper()
	must.Do(t, s.WriteFrame(f))
}

const (
	none  = report.SignNone
	plus  = report.SignOpen
	minus = report.SignFocus
)

// TestManualsCallGraph is the worked table of the original's manual, to the last digit.
func TestManualsCallGraph(t *testing.T) {
	s := process.NewSession()
	names := []string{"my_parent1", "my_parent2", "my_routine", "my_child1", "my_child2", "my_child3", "other"}
	write(t, s, tree(0, names, `
my_parent1 1 1
  my_routine 0.75 4
    my_child1 0.5 6
      other 0.25 1
    my_child2 0.125 200
      other 0.375 1
    my_child3 0.5 3
my_parent2 2 1
  my_routine 1 6
    my_child1 0.5 9
      other 0.75 1
    my_child2 0.125 300
      other 0.875 1
`))
	s.View().SetReportMode(report.ReportCallGraph)
	s.View().Set(report.View{Mode: report.ReportCallGraph, Focus: 3})
	var r report.Report
	s.View().AppendReport(&r)
	expect(t, &r,
		line{plus, "my_parent1", 0.75, 2.5, 4},
		line{plus, "my_parent2", 1, 3.25, 6},
		line{minus, "my_routine", 1.75, 5.75, 10},
		line{plus, "my_child1", 1, 2, 15},
		line{plus, "my_child2", 0.25, 1.5, 500},
		line{none, "my_child3", 0.5, 0.5, 3})
}

// recursion is a caller of a zone that calls itself, 13 deep, 1 ms each.
func recursion(t *testing.T) *process.Session {
	var text strings.Builder
	text.WriteString("caller 0 1\n")
	for depth := range 13 {
		text.WriteString(strings.Repeat("  ", depth+1) + "R 1 1\n")
	}
	s := process.NewSession()
	write(t, s, tree(0, []string{"caller", "R"}, text.String()))
	return s
}

func TestRecursionFlattened(t *testing.T) {
	s := recursion(t)
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportCallGraph, Focus: 2})
	expect(t, &r,
		line{plus, "caller", 1, 1, 1},
		line{plus, "R", 12, 12, 12},
		line{minus, "R", 13, 13, 13})
	if got := r.Records[2].Depth; got != 13 {
		t.Errorf("depth: got %d; want 13", got)
	}
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportCallGraph, Focus: 1})
	expect(t, &r,
		line{plus, "(root)", 0, 13, 1},
		line{minus, "caller", 0, 13, 1},
		line{plus, "R", 13, 13, 1})
}

func TestRecursionSpread(t *testing.T) {
	s := recursion(t)
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportHierarchicalTime, Recursion: report.RecursionSpread})
	if len(r.Records) != 15 {
		t.Fatalf("got %v; want 15 rows", lines(&r))
	}
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportCallGraph, Focus: 2, Recursion: report.RecursionSpread})
	expect(t, &r,
		line{plus, "caller", 1, 13, 1},
		line{minus, "R", 1, 13, 1},
		line{plus, "R", 1, 12, 1})
	a := r.Records[1].Depth
	b := r.Records[2].Depth
	if a != 1 || b != 2 {
		t.Errorf("depths: got %d, %d; want 1, 2", a, b)
	}
}

func TestDescendants(t *testing.T) {
	s := process.NewSession()
	write(t, s, tree(0, []string{"a", "b", "c"}, `
a 1 1
  b 2 1
    c 3 4
      b 1 1
`))
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Mode: report.ReportCallGraphDescendants, Focus: 1})
	expect(t, &r,
		line{plus, "(root)", 1, 7, 1},
		line{minus, "a", 1, 7, 1},
		line{plus, "b", 3, 6, 2},
		line{plus, "c", 3, 4, 4})
}

func TestPinnedPath(t *testing.T) {
	s := process.NewSession()
	write(t, s, tree(0, []string{"physics", "ai", "raycast"}, `
physics 1 1
  raycast 2 10
ai 3 1
  raycast 4 5
`))
	s.View().PinPath(2)
	var r report.Report
	s.View().AppendReport(&r)
	expect(t, &r,
		line{none, "raycast", 4, 4, 5},
		line{plus, "ai", 3, 7, 1})
}

func TestIdleZonesAreNotBusy(t *testing.T) {
	s := process.NewSession()
	write(t, s, tree(0, []string{"work", "vsync*"}, "work 9 1\nvsync 7.667 1\n"))
	i := s.View().Info()
	if math.Abs(i.Length-16.667) > 1e-9 || math.Abs(i.Busy-9) > 1e-9 || i.Over {
		t.Errorf("got %.3f ms, busy %.3f, over %v; want 16.667, 9, false", i.Length, i.Busy, i.Over)
	}
}

func TestEqualNamesAreToldApartBySite(t *testing.T) {
	s := process.NewSession()
	f := tree(0, []string{"load", "draw"}, "load 1 1\ndraw 2 1\n")
	f.Zones = append(f.Zones, gather.ZoneInfo{Name: "load", File: "/src/level.go", Line: 7})
	f.Lanes[0].Nodes = append(f.Lanes[0].Nodes, gather.Node{ID: 9, Zone: 3, Count: 1, Self: 500})
	write(t, s, f)
	var r report.Report
	s.View().AppendReport(&r)
	sites := map[string]bool{}
	for _, rec := range r.Records {
		sites[rec.Name+" "+rec.Site] = true
	}
	for _, want := range []string{"load load.go:1", "load level.go:7", "draw "} {
		if !sites[want] {
			t.Errorf("got %v; want %q in it", sites, want)
		}
	}
}
