package instrument_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/longtest"
)

const besideProgram = `package main

func main() {
	first(1)
	second(2)
}

//go:noinline
func first(n int) {
	for range n {
		second(n)
	}
}

//go:noinline
func second(n int) {
	for range n {
		n++
	}
}
`

// TestStartsBesideEachOther: several starts write for one program before the first of them is built. Each program has
// the zones that its start chose.
func TestStartsBesideEachOther(t *testing.T) {
	longtest.Skip(t)
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": besideProgram})
	without := []string{"first", "second", "none"}
	builds, failures, cache := make([]*instrument.Build, 3*len(without)), make([]error, 3*len(without)), t.TempDir()
	var all sync.WaitGroup
	for i := range builds {
		all.Go(func() {
			exclude := regexp.MustCompile(without[i%len(without)])
			o := instrument.Options{Dir: dir, Packages: []string{"."}, Cache: cache,
				Selection: instrument.Selection{Exclude: exclude}}
			_, builds[i], failures[i] = o.Start()
		})
	}
	all.Wait()
	for i, b := range builds {
		if failures[i] != nil {
			t.Fatal(failures[i])
		}
		if i >= len(without) {
			continue // as an earlier one
		}
		to := t.TempDir()
		build(t, dir, to, b.Flags, b.Environment)
		text := reported(t, filepath.Join(to, "user"))
		for _, name := range []string{"first", "second"} {
			there := strings.Contains(text, " "+name+" ")
			if there != (name != without[i]) {
				t.Errorf("without a zone of %s: %s has a row: %t", without[i], name, there)
			}
		}
	}
}

// TestRunsThatLearnAtOnce: functions that each of several runs has muted are kept, also while others move them to those
// left out.
func TestRunsThatLearnAtOnce(t *testing.T) {
	const runs, zones = 4, 50
	learned := filepath.Join(t.TempDir(), "muted")
	var all sync.WaitGroup
	for run := range runs {
		all.Go(func() {
			for n := range zones {
				muted := []gather.ZoneInfo{{File: fmt.Sprint(run, ".go"), Name: fmt.Sprint("f", n)}}
				instrument.Learn(learned, muted, float64(n%5)/100) // a gain of 4 % moves the list
			}
		})
	}
	all.Wait()
	left, err := os.ReadFile(learned)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(left), "\n") + len(instrument.Pending(learned)); got != runs*zones {
		t.Errorf("got %d functions; want %d", got, runs*zones)
	}
}

// TestWhatNoStartUsesIsRemoved: after a day, by a later start. What a start has used in that time stays.
func TestWhatNoStartUsesIsRemoved(t *testing.T) {
	longtest.Skip(t)
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": besideProgram})
	start := func(exclude string) (overlay string) {
		t.Helper()
		o := instrument.Options{Dir: dir, Packages: []string{"."}, Cache: filepath.Join(dir, "a cache"),
			Selection: instrument.Selection{Exclude: regexp.MustCompile(exclude)}}
		_, b, err := o.Start()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimPrefix(b.Flags[0], "-overlay=")
	}
	first, second := start("first"), start("second")
	old := time.Now().Add(-25 * time.Hour)
	names := func(pattern string) []string {
		t.Helper()
		list, err := filepath.Glob(filepath.Join(filepath.Dir(first), pattern))
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, name := range append(names("*"), names("files/*")...) {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if got := names("files/*_main.go"); len(got) != 2 {
		t.Fatalf("got %q; want two rewritten files", got)
	}
	if again := start("second"); again != second {
		t.Errorf("the second start took %s; want %s", again, second)
	}
	third := start("none")
	for name, want := range map[string]bool{first: false, second: true, third: true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s: %v; want it there: %t", name, err, want)
		}
	}
	if got := names("files/*_main.go"); len(got) != 2 {
		t.Errorf("got %q; want two rewritten files", got)
	}
}
