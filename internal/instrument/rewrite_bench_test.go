package instrument_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// BenchmarkRewrite measures what "iprof run" does before the program is built, for 300,000 lines in 20 packages: go
// list, parsing, choosing and writing. With "selection=default" the compiler says which functions it inlines; its
// answer is in the build cache. With "files=kept" they have been written before. The mark is 1 s.
//
//	go test -run - -bench Rewrite -benchtime 3x ./internal/instrument
func BenchmarkRewrite(b *testing.B) {
	dir := b.TempDir()
	lines := generate(b, dir, 20, 15, 60)
	if _, err := (instrument.Options{Dir: dir, Packages: []string{"./..."}, Cache: b.TempDir()}).Plan(); err != nil {
		b.Fatal(err) // the compiler's answer is in the build cache now
	}
	for _, selection := range []struct {
		name string
		instrument.Selection
	}{{"all", instrument.Selection{All: true}}, {"default", instrument.Selection{}}} {
		b.Run("selection="+selection.name, func(b *testing.B) {
			cache := b.TempDir()
			for _, files := range []string{"new", "kept"} {
				b.Run("files="+files, func(b *testing.B) {
					for b.Loop() {
						if files == "new" {
							b.StopTimer()
							cache = b.TempDir()
							b.StartTimer()
						}
						o := instrument.Options{Dir: dir, Packages: []string{"./..."}, Cache: cache}
						o.Selection = selection.Selection
						plan, err := o.Plan()
						if err == nil {
							_, err = plan.Write()
						}
						if err != nil {
							b.Fatal(err)
						}
						if want := 20 * 15 * 60; len(plan.Functions) < want || plan.Chosen < want {
							b.Fatalf("%d of %d functions; want %d", plan.Chosen, len(plan.Functions), want)
						}
					}
					b.ReportMetric(float64(lines), "lines")
				})
			}
		})
	}
}

// generate writes a module of packages, each of files, each of functions, and returns the number of lines.
func generate(b *testing.B, dir string, packages, files, functions int) (lines int) {
	b.Helper()
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		must.Do(b, os.MkdirAll(filepath.Dir(name), 0o755))
		must.Do(b, os.WriteFile(name, []byte(text), 0o644))
		lines += strings.Count(text, "\n")
	}
	write("go.mod", "module example.org/large\n\ngo 1.25\n")
	for p := range packages {
		for f := range files {
			var text strings.Builder
			fmt.Fprintf(&text, "package p%d\n\nimport \"strings\"\n", p)
			for n := range functions {
				fmt.Fprintf(&text, generated, f, n)
			}
			write(fmt.Sprintf("p%d/file%d.go", p, f), text.String())
		}
	}
	return lines
}

// generated is one function of a generated file.
const generated = `
// F%d_%d adds up words.
func F%[1]d_%[2]d(words []string) (n int) {
	for i, w := range words {
		switch {
		case strings.HasPrefix(w, "a"):
			n += len(strings.Fields(w)) + i
		case w == "b":
			n -= len(strings.ToUpper(w))
		default:
			n *= 2
		}
	}
	if n > 100 {
		n = 100
	}
	return n
}
`
