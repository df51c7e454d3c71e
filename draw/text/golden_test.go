package text

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// write returns what f writes.
func write(t testing.TB, f func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, f(&b))
	return b.Bytes()
}

func TestReportGolden(t *testing.T) {
	cases := map[string]struct {
		r *report.Report
		o Options
	}{
		"report.self.short.flattened":              {sampledump.Flat(), Options{}},
		"report.self.short.flattened.precision=4":  {sampledump.Flat(), Options{Precision: 9, Cursor: true}},
		"report.callgraph.instant.flattened.age=3": {sampledump.CallGraph(), Options{}},
		"report.self.short.flattened.hostile":      {sampledump.HostileReport(), Options{Precision: 1}},
		"report.self.short.flattened.width=60":     {sampledump.Flat(), Options{Width: 60, Cursor: true}},
		"report.self.short.flattened.width=30":     {sampledump.HostileReport(), Options{Width: 30}},
		"report.self.short.flattened.empty": {
			&report.Report{Title: "no frames yet: call iprof.Update once a frame", Cursor: -1}, Options{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			golden.Text(t, name+".golden", write(t, func(w io.Writer) error { return WriteReport(w, c.r, c.o) }))
		})
	}
}

func TestTreeGolden(t *testing.T) {
	game := sampledump.Game()
	game.Arguments = []string{"-level", "3"}
	cases := map[string]struct {
		d *report.Dump
		o Options
	}{
		"tree.game.ascii":     {game, Options{}},
		"tree.game.box":       {game, Options{Art: ArtBox, Top: 5}},
		"tree.game.box.color": {game, Options{Art: ArtBox, Color: ColorAlways, Top: -1}},
		"tree.random":         {sampledump.Dump(1, 60, 12), Options{}},
		"tree.hostile":        {sampledump.Hostile(), Options{Top: 1000}},
		"tree.empty":          {&report.Dump{Program: "idle", Time: sampledump.Moment}, Options{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			golden.Text(t, name+".golden", write(t, func(w io.Writer) error { return WriteTree(w, c.d, c.o) }))
		})
	}
}

func TestMachineGolden(t *testing.T) {
	small := sampledump.Dump(1, 6, 4)
	small.History = small.History[18:22]
	golden.Text(t, "json.small.golden", write(t, func(w io.Writer) error { return WriteJSON(w, small) }))
}

// failing fails at the k-th write and counts those after it.
type failing struct{ k, after int }

var errFull = errors.New("disk full")

func (f *failing) Write(p []byte) (int, error) {
	if f.k--; f.k > 0 {
		return len(p), nil
	}
	f.after -= f.k
	return 0, errFull
}

// writers are all writers, each with enough to write that it needs several writes.
var writers = map[string]func(io.Writer) error{
	"report": func(w io.Writer) error { return WriteReport(w, big.report, Options{}) },
	"tree":   func(w io.Writer) error { return WriteTree(w, big.dump, Options{}) },
	"zones":  func(w io.Writer) error { return WriteZones(w, big.dump, Options{}) },
	"json":   func(w io.Writer) error { return WriteJSON(w, big.dump) },
}

var big = struct {
	report *report.Report
	dump   *report.Dump
}{sampledump.Records(2000), sampledump.Dump(2, 3000, 200)}

func TestWriterFailsAtEveryWrite(t *testing.T) {
	for name, f := range writers {
		t.Run(name, func(t *testing.T) {
			for k := 1; k < 1000; k++ {
				w := &failing{k: k}
				err := f(w)
				if err == nil && w.k > 0 {
					return // it needs fewer writes than k
				}
				if !errors.Is(err, errFull) {
					t.Fatalf("write %d failed: got error %v; want %v", k, err, errFull)
				}
				if w.after > 0 {
					t.Fatalf("write %d failed: got %d writes after it; want 0", k, w.after)
				}
			}
		})
	}
}

func BenchmarkWriters(b *testing.B) {
	report, dump := sampledump.Records(10000), sampledump.Dump(4, 10000, 1000)
	dump.Lanes = nil
	run := func(name string, f func(io.Writer) error) {
		b.Run("writer="+name+"/nodes=10000", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must.Do(b, f(io.Discard))
			}
		})
	}
	run("report", func(w io.Writer) error { return WriteReport(w, report, Options{}) })
	run("tree", func(w io.Writer) error { return WriteTree(w, dump, Options{}) })
	run("zones", func(w io.Writer) error { return WriteZones(w, dump, Options{}) })
	run("json", func(w io.Writer) error { return WriteJSON(w, dump) })
}
