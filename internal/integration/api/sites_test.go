//go:build !iprof_off

package api_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// rowsNamed returns the newest frame's records of that name.
func rowsNamed(name string) (found []report.Record) {
	var r report.Report
	process.Default().View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	for _, rec := range r.Records {
		if rec.Name == name && rec.Values[report.ColumnCount] > 0 {
			found = append(found, rec)
		}
	}
	return found
}

func generic[T any](x T) T {
	defer iprof.Begin("generic").End()
	return x
}

type entering interface{ enter() }

type one struct{}
type two struct{ one }

func (one) enter() { defer iprof.Begin("method").End() }

func wrapper(name string) { defer iprof.Begin(name).End() }

// small is inlined where the compiler likes to: its zone must stay one row.
func small() {
	s := iprof.Begin("small")
	s.End()
}

func here()  { defer iprof.Begin("same name").End() }
func there() { defer iprof.Begin("same name").End() }

func namesItself() { defer iprof.Func().End() }

// A private zone is its place and its name, whatever the compiler makes of the place.
func TestOneRowForEachSourcePlace(t *testing.T) {
	iprof.Update()
	generic(1)
	generic("x")
	generic(2.5)
	for _, e := range []entering{one{}, two{}, &one{}} {
		e.enter()
	}
	closures := []func(){}
	for range 3 {
		closures = append(closures, func() { defer iprof.Begin("closure").End() })
	}
	for _, f := range closures {
		f()
	}
	small()
	small()
	func() { small() }()
	here()
	there()
	wrapper("first name")
	wrapper("second name")
	for i := range 3 {
		wrapper(fmt.Sprint("dynamic ", i%2))
	}
	namesItself()
	iprof.Update()
	for name, counts := range map[string][]float64{
		"generic": {3}, "method": {3}, "closure": {3}, "small": {3}, "same name": {1, 1}, "first name": {1},
		"second name": {1},
		"dynamic 0":   {2}, "dynamic 1": {1}, "api_test.namesItself": {1},
	} {
		t.Run(name, func(t *testing.T) {
			rows := rowsNamed(name)
			if len(rows) != len(counts) {
				t.Errorf("%q: got %d rows; want %d", name, len(rows), len(counts))
				return
			}
			for i, rec := range rows {
				if rec.Values[report.ColumnCount] != counts[i] {
					t.Errorf("%q: got %v entries; want %v", name, rec.Values[report.ColumnCount], counts[i])
				}
				if len(rows) > 1 && rec.Site == "" {
					t.Errorf("%q is on two rows, and nothing tells them apart", name)
				}
			}
		})
	}
}

func TestFramesWithLabelsAndGaps(t *testing.T) {
	iprof.EndFrame()
	func() { defer iprof.Begin("in the gap").End() }()
	iprof.BeginFrame("loading")
	func() { defer iprof.Begin("in the frame").End() }()
	iprof.EndFrame()
	i := process.Default().View().Info()
	if i.Label != "loading" {
		t.Errorf("got label %q; want loading", i.Label)
	}
	gap := rowsNamed("(between frames)")
	if len(gap) != 1 || !gap[0].Idle || gap[0].Values[report.ColumnHier] <= 0 {
		t.Errorf("got %v; want one idle row for the time between frames", gap)
	}
	iprof.BeginFrame("")
	iprof.Update()
}

// oneLine enters both private forms, and says where.
//
//go:noinline
func oneLine() (line int) {
	_, _, line, _ = runtime.Caller(0)
	iprof.Begin("placed").End()
	iprof.Func().End()
	return line
}

// The place of a private zone is found in the frame of Begin or Func itself, whatever these do before: also when the
// compiler neither inlines nor optimises.
func TestPrivateZonesKnowTheirPlace(t *testing.T) {
	iprof.SetRecording(false)
	oneLine()
	iprof.SetRecording(true)
	line := oneLine()
	var f gather.Frame
	measure.Peek(&f)
	for _, want := range []struct {
		name string
		line int
	}{{"placed", line + 1}, {"api_test.oneLine", line + 2}} {
		t.Run(want.name, func(t *testing.T) {
			found := 0
			for _, z := range f.Zones {
				if strings.HasSuffix(z.Name, want.name) && filepath.Base(z.File) == "sites_test.go" {
					found++
					if z.Line != want.line || !strings.HasSuffix(z.Function, "oneLine") {
						t.Errorf("%s: got %s:%d; want oneLine:%d", want.name, z.Function, z.Line, want.line)
					}
				}
			}
			if found != 1 {
				t.Errorf("%s: got %d zones; want 1", want.name, found)
			}
		})
	}
}

func TestRecordingOffCountsNothing(t *testing.T) {
	iprof.SetRecording(false)
	defer iprof.SetRecording(true)
	if got := iprof.Begin("never"); got != (iprof.Scope{}) {
		t.Errorf("Begin: got %v; want the zero Scope", got)
	}
	if got := iprof.Func(); got != (iprof.Scope{}) {
		t.Errorf("Func: got %v; want the zero Scope", got)
	}
}
