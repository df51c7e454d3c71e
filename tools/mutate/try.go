package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A fault that makes tests hang is found: tests that take much longer than without it have failed. On a busy machine
// they may take a few times as long.
const (
	slowest  = 5 // times as long
	spared   = 10 * time.Second
	patience = 4                // times this limit, for the second try
	killed   = "signal: killed" // the error of a test that took longer
)

// Results of a fault.
const (
	found      = "found"
	survived   = "survived"
	unreached  = "not reached"
	noBuilding = "" // does not compile: another is taken
)

// outcome is a fault with its result.
type outcome struct {
	fault
	result string
	by     string // the test that found it
}

func run(ctx context.Context, s settings) error {
	known, err := readSurvivors("tools/mutate/survivors.tsv")
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	chosen, err := chosenAreas(s.area)
	if err != nil {
		return err
	}
	var again map[string]bool
	if s.again != "" {
		if again, err = readMissed(s.again); err != nil {
			return err
		}
	}
	share := s.faults / len(areas)
	if s.area != "" {
		share = s.faults
	}
	var all []outcome
	reach := coverageOf(chosen, scratch, s.workers)
	for _, a := range chosen {
		p := planting{area: a, share: share, seed: s.seed, again: again, reach: reach}
		outcomes, err := p.plant(ctx)
		if err != nil {
			return err
		}
		all = append(all, outcomes...)
		if err := write(s.output, all, known); err != nil {
			return err
		}
	}
	return summary(all, known, s.wanted)
}

// draw sorts faults at random. A fault keeps its place relative to the others when code elsewhere changes, so that a
// seed draws mostly the same faults from week to week.
func draw(possible []fault, seed uint64) {
	place := func(f *fault) uint64 {
		h := fnv.New64a()
		fmt.Fprint(h, seed, f.file, f.says)
		return rand.NewPCG(h.Sum64(), seed).Uint64()
	}
	slices.SortStableFunc(possible, func(a, b fault) int { return cmp.Compare(place(&a), place(&b)) })
}

// planting is the work in an area.
type planting struct {
	area  *area
	share int             // faults to try
	seed  uint64          // of their choice
	again map[string]bool // keys of the only faults to try, or nil
	reach *coverage
}

// plant tries faults of an area until so many of them compile.
func (p *planting) plant(ctx context.Context) ([]outcome, error) {
	possible, err := p.possible()
	if err != nil || len(possible) == 0 {
		return nil, err
	}
	begin := time.Now()
	tests, err := p.reach.testsOf(ctx, p.area)
	if err != nil {
		return nil, err
	}
	fmt.Printf("%s: %d possible faults, %d tests, read in %.0f s\n", p.area.name, len(possible), len(tests),
		time.Since(begin).Seconds())
	begin = time.Now()
	var outcomes []outcome
	for len(outcomes) < p.share && len(possible) > 0 && ctx.Err() == nil {
		n := min(p.share-len(outcomes), len(possible))
		tried := make([]outcome, n)
		inParallel(p.reach.workers, n, func(i int) {
			scratch := fmt.Sprintf("%s/%s-%d-%d", p.reach.scratch, p.area.name, len(possible), i)
			tried[i] = try(ctx, possible[i], tests, scratch)
		})
		possible = possible[n:]
		for _, o := range tried {
			if o.result != noBuilding {
				outcomes = append(outcomes, o)
			}
		}
	}
	fmt.Printf("%s: tried in %.0f s\n", p.area.name, time.Since(begin).Seconds())
	return outcomes, ctx.Err()
}

// possible returns the faults of the area that may be tried, in the order of the draw.
func (p *planting) possible() (possible []fault, err error) {
	files, err := sources(p.area.folders)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		faults, err := faultsOf(p.area, file)
		if err != nil {
			return nil, err
		}
		possible = append(possible, faults...)
	}
	if p.again != nil {
		possible = slices.DeleteFunc(possible, func(f fault) bool { return !p.again[f.key()] })
	}
	draw(possible, p.seed)
	for i := range possible {
		if err := possible[i].locate(files); err != nil {
			return nil, err
		}
	}
	return possible, nil
}

// try plants one fault, and runs the tests that reach its line.
func try(ctx context.Context, f fault, tests []*test, scratch string) outcome {
	defer os.RemoveAll(scratch)
	overlay, err := overlayOf(f, scratch)
	if err != nil {
		return outcome{f, noBuilding, ""}
	}
	result := unreached
	for _, folder := range f.area.tests {
		reaching := reachingTests(tests, folder, &f)
		if len(reaching) == 0 {
			continue
		}
		result = survived
		binary := filepath.Join(scratch, "test")
		if _, err := command(ctx, ".", "go", "test", "-c", "-ldflags=-w", "-overlay", overlay, "-o", binary,
			"./"+folder); err != nil {
			return outcome{f, noBuilding, ""}
		}
		if by := failing(ctx, folder, binary, reaching); by != "" {
			fmt.Printf("found     %s:%d %s\n", f.file, f.line, by)
			return outcome{f, found, by}
		}
	}
	if result == unreached {
		if _, err := command(ctx, ".", "go", "build", "-overlay", overlay, "./"+filepath.Dir(f.file)); err != nil {
			return outcome{f, noBuilding, ""}
		}
	}
	fmt.Printf("%-9s %s:%d %s\n", strings.ToUpper(result), f.file, f.line, f.says)
	return outcome{f, result, ""}
}

// reachingTests returns the tests of a package that reach a fault, the quickest first.
func reachingTests(tests []*test, folder string, f *fault) (reaching []*test) {
	for _, t := range tests {
		if t.folder == folder && t.reaches(f) {
			reaching = append(reaching, t)
		}
	}
	return reaching
}

// overlayOf writes the file with the fault, and the overlay for go build.
func overlayOf(f fault, scratch string) (string, error) {
	if err := os.MkdirAll(scratch, 0o700); err != nil {
		return "", err
	}
	text, err := f.text()
	if err != nil {
		return "", err
	}
	changed := filepath.Join(scratch, filepath.Base(f.file))
	whole, err := filepath.Abs(f.file)
	if err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {whole: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(changed, text, 0o600); err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// failing runs tests of a package with a fault, in groups from the quickest on, and returns one that failed, or why the
// package failed as a whole. A test that passes alone has failed by chance, and is left out.
func failing(ctx context.Context, folder, binary string, tests []*test) string {
	for size := 20; len(tests) > 0; size *= 3 {
		group := tests[:min(size, len(tests))]
		by := runTests(ctx, folder, binary, group, 1)
		if strings.HasPrefix(by, killed) { // the machine may be busy
			by = runTests(ctx, folder, binary, group, patience)
		}
		if by == "" {
			tests = tests[len(group):]
			continue
		}
		named := slices.IndexFunc(group, func(t *test) bool { return t.name == by })
		if named < 0 || runTests(ctx, folder, binary, group[named:named+1], 1) != "" {
			return by
		}
		fmt.Fprintf(os.Stderr, "unsteady: %s of %s\n", by, folder)
		tests = slices.Concat(tests[:named], tests[named+1:])
	}
	return ""
}

// runTests runs tests until one fails, and returns its name. They have so many times the usual time.
func runTests(ctx context.Context, folder, binary string, tests []*test, times time.Duration) string {
	var names []string
	limit := spared
	for _, t := range tests {
		names = append(names, t.name)
		limit += slowest * t.took
	}
	ctx, cancel := context.WithTimeout(ctx, times*limit)
	defer cancel()
	out, err := command(ctx, folder, binary, "-test.short", "-test.failfast",
		"-test.run", "^("+strings.Join(names, "|")+")$")
	if err == nil {
		return ""
	}
	return firstFailure(out, err)
}

// firstFailure returns the name of the test that failed.
func firstFailure(out string, err error) string {
	_, after, ok := strings.Cut(out, "--- FAIL: ")
	if !ok {
		return err.Error() + ": " + firstLine(out)
	}
	name, _, _ := strings.Cut(after, " ")
	return name
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// inParallel calls f with 0 to n-1, on so many goroutines.
func inParallel(workers, n int, f func(i int)) {
	var wait sync.WaitGroup
	next := make(chan int)
	for range workers {
		wait.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}
