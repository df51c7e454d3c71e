package instrument_test

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// TestASecondStartPlansNothing: Start takes what an earlier one wrote, until a file, an option or the environment
// changes.
func TestASecondStartPlansNothing(t *testing.T) {
	longtest.Skip(t)
	offline(t)
	dir := files(t, map[string]string{
		"go.mod":   "module example.org/user\n\ngo 1.25\n",
		"main.go":  "package main\n\nimport _ \"example.org/user/in\"\n\nfunc main() {}\n",
		"in/in.go": "package in\n",
	})
	o := instrument.Options{Dir: dir, Packages: []string{"."}, Cache: t.TempDir()}
	start := func(o instrument.Options) (planned bool, p *instrument.Plan, b *instrument.Build) {
		t.Helper()
		p, b = must.Two(o.Start())(t)
		return p.Functions != nil, p, b
	}
	_, first, wrote := start(o)
	planned, second, again := start(o)
	if planned || second.Count != first.Count || second.Chosen != first.Chosen || again.Flags[0] != wrote.Flags[0] ||
		again.Program != wrote.Program {
		t.Fatalf("planned: %t; got %+v, %+v; want those of the first start: %+v, %+v", planned, second, again, first,
			wrote)
	}
	overlaid, err := filepath.Glob(filepath.Join(wrote.Dir, "files", "*main.go"))
	if err != nil || len(overlaid) != 1 || again.Original(overlaid[0]) != filepath.Join(dir, "main.go") {
		t.Errorf("%q, %v: the names of the program's own files are lost", overlaid, err)
	}
	for _, change := range []struct{ what, path string }{
		{"a file", filepath.Join(dir, "in", "in.go")},
		{"a new file", filepath.Join(dir, "in", "new.go")},
		{"the sums", filepath.Join(dir, "go.sum")},
		{"a workspace above", filepath.Join(filepath.Dir(dir), "go.work")},
		{"what was muted", first.Learned},
		{"a written file", overlaid[0]},
	} {
		t.Run(change.what, func(t *testing.T) {
			changeFile(t, change.path)
			if planned, _, _ := start(o); !planned {
				t.Error("the change is not seen")
			}
			if planned, _, _ := start(o); planned {
				t.Error("without a change it plans again")
			}
		})
	}
	other := o
	other.Selection.Min = 3
	if planned, _, _ := start(other); !planned {
		t.Error("another option is not seen")
	}
	t.Setenv("GOFLAGS", "-tags=other")
	if planned, _, _ := start(o); !planned {
		t.Error("the environment is not seen")
	}
}

// changeFile adds an empty line to a file, or creates the file.
func changeFile(t *testing.T, path string) {
	t.Helper()
	text, _ := os.ReadFile(path)
	if filepath.Base(path) == "go.work" {
		text = []byte("go 1.25\n\nuse \"./a folder\"\n")
	} else if len(text) == 0 && filepath.Ext(path) == ".go" {
		text = []byte("package in\n")
	}
	must.Do(t, os.WriteFile(path, append(text, '\n'), 0o600))
}
