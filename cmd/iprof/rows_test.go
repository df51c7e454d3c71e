package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// readRows reads the JSON that a command writes. Unknown fields fail.
func readRows(t *testing.T, command string, more ...string) *asjson.File {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	words := strings.Fields(command)
	if got := named(words[0])(slices.Concat([]string{"-json", "-o", out}, words[1:], more)); got != 0 {
		t.Fatalf("%s: got status %d", command, got)
	}
	f, err := asjson.Read(bytes.NewReader(readFile(t, out)))
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return f
}

// Each command that shows a capture writes the one format, with the numbers of the session.
func TestJSONOfEveryCommand(t *testing.T) {
	path := recorded(t)
	c := must.Get(openNewest(path))(t)
	defer c.close()
	s := c.Session
	for command, check := range map[string]func(*testing.T, *asjson.File){
		"top": func(t *testing.T, f *asjson.File) {
			var r report.Report
			s.View().AppendReportOf(&r, report.View{Mode: report.ReportSelfTime,
				Lens: report.Lens{Kind: report.LensAll}})
			sameRows(t, f, &r, s)
		},
		"graph physics_solve": func(t *testing.T, f *asjson.File) {
			c.pick.focus = "physics_solve"
			r := must.Get(graphReport(c))(t)
			sameRows(t, f, r, s)
			groups := ""
			for _, row := range f.Report.Rows {
				groups += row.Group + " "
			}
			if !strings.Contains(groups, "caller focus callee ") {
				t.Errorf("got the groups %s", groups)
			}
		},
		"frames": func(t *testing.T, f *asjson.File) {
			list, _, _ := c.slowestFrames()
			if !slices.EqualFunc(f.Slowest, list, func(a asjson.Frame, b report.FrameSummary) bool {
				return a.Frame == b.Index && a.Length == b.Length && a.Busy == b.Busy && a.Over == b.Over
			}) || len(list) == 0 {
				t.Errorf("got %+v; want %+v", f.Slowest, list)
			}
		},
		"verdicts": func(t *testing.T, f *asjson.File) {
			list, left, _ := c.verdictsOf()
			if !slices.EqualFunc(f.Verdicts, list, sameVerdict) || len(list) == 0 || f.VerdictsLeft != left {
				t.Errorf("got %+v; want %+v", f.Verdicts, list)
			}
		},
		"tree": func(t *testing.T, f *asjson.File) { sameDump(t, f, s.Dump(report.DumpOptions{})) },
	} {
		t.Run(command, func(t *testing.T) {
			f := readRows(t, command+" "+path)
			if string(f.Program) != c.Program || string(f.Machine) != c.Machine || f.Frames != c.Frames {
				t.Errorf("got %+v; want the program, its machine and %d frames", f, c.Frames)
			}
			check(t, f)
		})
	}
}

// sameRows compares the rows with a report, and their places with the session's.
func sameRows(t *testing.T, f *asjson.File, r *report.Report, s *process.Session) {
	t.Helper()
	if f.Report == nil || len(f.Report.Rows) != len(r.Records) || !*f.Complete {
		t.Fatalf("got %+v; want %d rows of a whole file", f, len(r.Records))
	}
	for i, row := range f.Report.Rows {
		k := &r.Records[i]
		if z := s.Zone(k.Zone); string(row.Zone) != k.Name || row.Idle != k.Idle || row.Site != asjson.SiteOf(z) {
			t.Errorf("row %d: got %+v; want %q of %+v", i, row, k.Name, z)
		}
		for _, column := range []report.Column{report.ColumnSelf, report.ColumnHier, report.ColumnCount} {
			if got := row.Values[column.Info().Name]; got != k.Values[column] {
				t.Errorf("row %d: got %s %v; want %v", i, column.Info().Name, got, k.Values[column])
			}
		}
	}
}

func sameVerdict(a asjson.Verdict, b report.Verdict) bool {
	return a.Frame == b.Index && a.Time == b.Time && a.Usual == b.Usual && a.Excess == b.Excess && a.Over == b.Over &&
		slices.EqualFunc(a.Causes, b.Causes, func(a asjson.Cause, b report.Cause) bool {
			return string(a.Zone) == b.Name && a.Time == b.Time && a.Excess == b.Excess &&
				slices.EqualFunc(a.Callers, b.Callers, func(a asjson.Text, b string) bool { return string(a) == b })
		})
}

// sameDump compares the zones, the tree and the history with a dump.
func sameDump(t *testing.T, f *asjson.File, d *report.Dump) {
	t.Helper()
	zones := slices.EqualFunc(f.Zones, d.Zones, func(a asjson.Zone, b gather.ZoneInfo) bool {
		return string(a.Name) == b.Name && string(a.File) == b.File && a.Line == b.Line && a.Idle == b.Idle
	})
	nodes := slices.EqualFunc(f.Merged, d.Merged, func(a asjson.Node, b report.TreeNode) bool {
		return a.Zone == b.Zone && a.Parent == b.Parent && a.Self == b.Self && a.Hier == b.Hier && a.Count == b.Count
	})
	frames := slices.EqualFunc(f.History, d.History, func(a asjson.Frame, b report.FrameSummary) bool {
		return a.Frame == b.Index && a.Length == b.Length && a.Busy == b.Busy
	})
	if !zones || !nodes || !frames || len(f.Merged) == 0 || len(f.History) == 0 || f.Calls != d.Calls {
		t.Errorf("got the same zones: %t, nodes: %t, frames: %t, and %d calls; want all the same, and %d", zones, nodes,
			frames, f.Calls, d.Calls)
	}
}

// Of captures, and of profiles, which have no noise.
func TestJSONOfADiff(t *testing.T) {
	for name, sides := range map[string][2]string{
		"captures": {captured(t, 1, 500, zoneTime{"walls", 3000}), captured(t, 2, 300, zoneTime{"walls", 3900})},
		"profiles": {profiled(t, "before", 2e9, 100, 50), profiled(t, "after", 1e9, 200, 50)},
	} {
		t.Run(name, func(t *testing.T) {
			d := must.Get(compare(sides[0], sides[1], 5))(t)
			var out bytes.Buffer
			if _, err := writeDiff(&out, sides[0], sides[1], 5, &form{json: true}); err != nil {
				t.Fatal(err)
			}
			f := must.Get(asjson.Read(&out))(t)
			got, isCapture := f.Comparison, name == "captures"
			if got.Slower != d.Slower || len(got.Changes) != len(d.Changes) || (got.Unit == "ms a frame") != isCapture {
				t.Fatalf("got %+v; want %+v", got, d)
			}
			for i, c := range got.Changes {
				want := &d.Changes[i]
				if string(c.Zone) != want.Name || c.Before != want.Before || c.After != want.After ||
					c.Verdict != want.Verdict || (c.Noise != nil) != isCapture || isCapture && *c.Noise != want.Noise {
					t.Errorf("got %+v; want %+v", c, want)
				}
				whole := i == 0 || c.Zone == "(root)"
				if c.Site != asjson.SiteOf(want.Info) || c.Function == "" && !whole {
					t.Errorf("got %+v; want the place of %+v", c, want)
				}
			}
		})
	}
}

// said runs a command with -json, and returns what it says on standard output.
func said(t *testing.T, run func([]string) int, args ...string) (o written) {
	t.Helper()
	out := must.Get(os.Create(filepath.Join(t.TempDir(), "said")))(t)
	stdout := os.Stdout
	os.Stdout = out
	code := run(append([]string{"-json"}, args...))
	os.Stdout = stdout
	out.Close()
	text := readFile(t, out.Name())
	if err := json.Unmarshal(text, &o); err != nil || code != 0 {
		t.Fatalf("%q: got status %d, %v, %q; want an object", args, code, err, text)
	}
	return o
}

func TestCommandsSayWhatTheyWrote(t *testing.T) {
	path, dir := recorded(t), t.TempDir()
	page := filepath.Join(dir, "page.html")
	trace := filepath.Join(dir, "trace.json")
	again := filepath.Join(dir, "again.iprof")
	few := filepath.Join(dir, "few.csv")
	elsewhere := filepath.Join(dir, "elsewhere.iprof")
	for _, test := range []struct {
		got    written
		file   string
		frames uint64
	}{
		{said(t, named("html"), "-o", page, path), page, 100},
		{said(t, exportFile, "-format", "chrome", path, trace), trace, 100},
		{said(t, exportFile, "-format", "csv", "-frames", "20-24", path, few), few, 5},
		{said(t, importFile, trace, again), again, 100},
	} {
		info := must.Get(os.Stat(test.file))(t)
		if g := test.got; g.File != test.file || g.Bytes != info.Size() || g.Frames != test.frames || g.Unfinished {
			t.Errorf("got %+v; want %s, %d bytes, %d frames", g, test.file, info.Size(), test.frames)
		}
	}
	o := said(t, record, "-o", elsewhere, "-for", "1s", serving(t))
	_, contents, err := capture.Open(elsewhere)
	if err != nil || o.Frames != contents.Frames || o.File != elsewhere {
		t.Errorf("record: got %+v, %v; want %d frames in %s", o, err, contents.Frames, elsewhere)
	}
	for _, run := range []func([]string) int{named("html"), exportFile} {
		if run([]string{"-json", path}) == 0 {
			t.Error("got status 0 without a file; want an error")
		}
	}
}

func TestACaptureIsNotReplacedByWhatIsReadFromIt(t *testing.T) {
	path := recorded(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	whole := string(readFile(t, path))
	for name, run := range map[string]func([]string) int{"export": exportFile, "html": page, "top": named("top"),
		"import": importFile} {
		for _, output := range []string{path, link} {
			args := []string{"-o", output, path}
			if name == "import" {
				args = []string{path, output}
			}
			if run(args) == 0 || string(readFile(t, path)) != whole {
				t.Errorf("%s into %s: it is not refused, or the capture has changed", name, filepath.Base(output))
			}
		}
	}
}
