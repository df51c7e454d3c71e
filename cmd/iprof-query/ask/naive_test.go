package ask_test

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sort"
	"testing"

	"example.com/iprof/cmd/iprof-query/internal/machines"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process/report"
)

// call is a row of the table calls, as simple code makes it of frames.
type call struct {
	frame, count, depth int64
	lane, zone          string
	self, hier          float64
}

// naive reads the calls of a capture in the simplest way.
func naive(t *testing.T, path string) (all []call) {
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	r := must.Get(framefile.NewReader(file))(t)
	var f gather.Frame
	for {
		err := r.Next(&f)
		if err == io.EOF {
			return all
		}
		must.Do(t, err)
		for _, l := range f.Lanes {
			for i, n := range l.Nodes {
				c := call{int64(f.Index), int64(n.Count), 0, l.Name, f.Zones[n.Zone].Name, ms(&f, n), 0}
				for k, other := range l.Nodes { // below n, or n itself
					for at := int32(k); at >= 0; at = l.Nodes[at].Parent {
						if at == int32(i) {
							c.hier += ms(&f, other)
						}
					}
				}
				for at := n.Parent; at >= 0; at = l.Nodes[at].Parent {
					if l.Nodes[at].Zone == n.Zone {
						c.depth++
					}
				}
				all = append(all, c)
			}
		}
	}
}

func ms(f *gather.Frame, n gather.Node) float64 { return float64(n.Self) * 1000 / f.TicksPerSecond }

// question is a question, in SQL and in Go.
type question struct {
	by, aggregate, column string
	lane, zone            string // "": any
	first, last, depth    int64  // depth -1: any
}

func (q *question) sql() string {
	where := fmt.Sprintf("frame >= %d and frame < %d", q.first, q.last+1)
	if q.first == q.last {
		where = fmt.Sprintf("frame in (%d, 1000000)", q.first)
	}
	if q.lane != "" {
		where += fmt.Sprintf(" and lane = '%s'", q.lane)
	}
	if q.zone != "" {
		where += fmt.Sprintf(" and zone = '%s'", q.zone)
	}
	if q.depth >= 0 {
		where += fmt.Sprint(" and depth = ", q.depth)
	}
	return fmt.Sprintf("select %s, %s(%s) from calls where %s group by 1 order by 1", q.by, q.aggregate, q.column,
		where)
}

// answer returns the value of each group.
func (q *question) answer(all []call) map[any]float64 {
	groups := map[any][]float64{}
	for _, c := range all {
		if c.frame < q.first || c.frame > q.last || q.lane != "" && c.lane != q.lane ||
			q.zone != "" && c.zone != q.zone || q.depth >= 0 && c.depth != q.depth {
			continue
		}
		by := map[string]any{"zone": c.zone, "lane": c.lane, "frame": c.frame, "depth": c.depth}[q.by]
		v := map[string]float64{"self_ms": c.self, "hier_ms": c.hier, "count": float64(c.count)}[q.column]
		groups[by] = append(groups[by], v)
	}
	out := map[any]float64{}
	for by, list := range groups {
		sort.Float64s(list)
		sum := 0.0
		for _, v := range list {
			sum += v
		}
		n := len(list)
		out[by] = map[string]float64{"sum": sum, "count": float64(n), "avg": sum / float64(n), "min": list[0],
			"max": list[n-1], "p99": list[(99*n+99)/100-1], "p50": list[(n+1)/2-1]}[q.aggregate]
	}
	return out
}

func one(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

// Random questions have the same answers from simple code over the frames.
func TestAnswersEqualThoseOfSimpleCode(t *testing.T) {
	games := captured(t, machines.Machine{Number: 10, Version: "1.4", Frames: 150})
	for name, path := range map[string]string{"machine": games, "random program": synthetic(t, 3, 60)} {
		t.Run(name, func(t *testing.T) {
			db, all, r := opened(t, 1<<30, path), naive(t, path), rand.New(rand.NewPCG(5, 6))
			answered := 0
			for range 400 {
				some := all[r.IntN(len(all))]
				q := question{by: one(r, "zone", "lane", "frame", "depth"),
					column:    one(r, "self_ms", "hier_ms", "count"),
					aggregate: one(r, "sum", "count", "avg", "min", "max", "p99", "p50"), lane: one(r, "", some.lane),
					zone: one(r, "", "", some.zone), first: some.frame, depth: int64(r.IntN(3) - 1)}
				q.last = q.first + int64(r.IntN(3)*r.IntN(60))
				want, got := q.answer(all), asked(t, db, q.sql())
				answered += len(want)
				if len(got.Rows) != len(want) {
					t.Fatalf("%s: got %d rows; want %d", q.sql(), len(got.Rows), len(want))
				}
				for _, row := range got.Rows {
					v, _ := row[1].(float64)
					if n, whole := row[1].(int64); whole {
						v = float64(n)
					}
					if w, found := want[row[0]]; !found || math.Abs(v-w) > 1e-9*max(1, math.Abs(w)) {
						t.Fatalf("%s: got %v; want %v", q.sql(), row, w)
					}
				}
			}
			if answered < 400 {
				t.Errorf("got %d answers; want more, else this tests little", answered)
			}
		})
	}
}

// synthetic writes the capture of a random program.
func synthetic(t *testing.T, seed uint64, frames int) (path string) {
	t.Helper()
	path = t.TempDir() + "/random.iprof"
	file := must.Get(os.Create(path))(t)
	w := framefile.NewWriter(file, framefile.ThisProgram())
	p := world.NewRandom(seed)
	for i := range frames {
		if i%20 == 19 {
			p.Plant(world.Longer)
		}
		must.Do(t, w.WriteFrame(p.Frame()))
	}
	must.Do(t, w.Close())
	must.Do(t, file.Close())
	return path
}

// The tables agree with the session that all reports are made of: sums of zones, frames and verdicts.
func TestTablesAgreeWithReports(t *testing.T) {
	for name, path := range map[string]string{
		"machine":        captured(t, machines.Machine{Number: 10, Version: "1.4", Frames: 600}),
		"random program": synthetic(t, 3, 300), "old file": "../../../capture/testdata/v1.7.iprof",
	} {
		t.Run(name, func(t *testing.T) {
			db := opened(t, 1<<30, path)
			s, c := must.Two(framefile.Open(path))(t)
			defer c.Close()
			d := s.Dump(report.DumpOptions{})
			zones := asked(t, db, "select zone_id, count, self_ms, hier_ms from zones")
			for _, z := range d.ZoneTotals() {
				if z.Zone == 0 { // the root of reports is that of one lane
					continue
				}
				i := slices.IndexFunc(zones.Rows, func(row []any) bool { return row[0] == int64(z.Zone) })
				if i < 0 || !near(zones.Rows[i][1], z.Count) || !near(zones.Rows[i][2], z.Self) ||
					!near(zones.Rows[i][3], z.Hier) {
					t.Errorf("zone %d: got %v; want %+v", z.Zone, zones.Rows[i], z)
				}
			}
			frames := asked(t, db, "select frame, length_ms, busy_ms, judged_ms, late, disturbed, gc_cycles, "+
				"alloc_bytes from frames join memory using (file, frame)")
			if len(frames.Rows) != len(d.History) {
				t.Fatalf("got %d frames; want %d", len(frames.Rows), len(d.History))
			}
			for i, f := range d.History {
				late, disturbed := 0, 0
				if f.Over {
					late = 1
				}
				if f.Disturbed() {
					disturbed = 1
				}
				want := fmt.Sprintln(f.Index, float64(f.Length), float64(f.Busy), float64(f.Judged()), late, disturbed,
					f.Cycles, f.AllocBytes)
				if got := fmt.Sprintln(frames.Rows[i]...); got != want {
					t.Fatalf("got %s; want %s", got, want)
				}
			}
		})
	}
}

func near(got any, want float64) bool {
	v, _ := got.(float64)
	if n, whole := got.(int64); whole {
		v = float64(n)
	}
	return math.Abs(v-want) <= 1e-6*max(1, math.Abs(want))
}
