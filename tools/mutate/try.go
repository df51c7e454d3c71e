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

// longestTry is the longest time that the tests of one package run for one fault. A fault that makes a test hang is
// found.
const longestTry = 90 * time.Second

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
	var all []outcome
	for i := range areas {
		a := &areas[i]
		if s.area != "" && s.area != a.name {
			continue
		}
		share := s.faults / len(areas)
		if s.area != "" {
			share = s.faults
		}
		outcomes, err := plant(ctx, a, share, s, scratch)
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

// plant tries faults of an area until so many of them compile.
func plant(ctx context.Context, a *area, share int, s settings, scratch string) ([]outcome, error) {
	files, err := sources(a.folders)
	if err != nil {
		return nil, err
	}
	var possible []fault
	for _, file := range files {
		faults, err := faultsOf(a, file)
		if err != nil {
			return nil, err
		}
		possible = append(possible, faults...)
	}
	draw(possible, s.seed)
	begin := time.Now()
	tests, err := testsOf(ctx, a, scratch, s.workers)
	if err != nil {
		return nil, err
	}
	fmt.Printf("%s: %d possible faults, %d tests, read in %.0f s\n", a.name, len(possible), len(tests),
		time.Since(begin).Seconds())
	var outcomes []outcome
	for len(outcomes) < share && len(possible) > 0 && ctx.Err() == nil {
		n := min(share-len(outcomes), len(possible))
		tried := make([]outcome, n)
		for i := range possible[:n] {
			if err := possible[i].locate(files); err != nil {
				return nil, err
			}
		}
		inParallel(s.workers, n, func(i int) {
			tried[i] = try(ctx, possible[i], tests, fmt.Sprintf("%s/%s-%d-%d", scratch, a.name, len(possible), i))
		})
		possible = possible[n:]
		for _, o := range tried {
			if o.result != noBuilding {
				outcomes = append(outcomes, o)
			}
		}
	}
	return outcomes, ctx.Err()
}

// try plants one fault, and runs the tests that reach its line.
func try(ctx context.Context, f fault, tests []*test, scratch string) outcome {
	defer os.RemoveAll(scratch)
	overlay, err := overlayOf(f, scratch)
	if err != nil {
		return outcome{f, noBuilding, ""}
	}
	if _, err := command(ctx, ".", "go", "build", "-overlay", overlay, "./"+filepath.Dir(f.file)); err != nil {
		return outcome{f, noBuilding, ""}
	}
	result := unreached
	for _, folder := range f.area.tests {
		names := namesOf(tests, folder, &f)
		if len(names) == 0 {
			continue
		}
		result = survived
		if by := failing(ctx, folder, overlay, names, scratch); by != "" {
			result = found
			fmt.Printf("found     %s:%d %s\n", f.file, f.line, by)
			return outcome{f, found, by}
		}
	}
	fmt.Printf("%-9s %s:%d %s\n", strings.ToUpper(result), f.file, f.line, f.says)
	return outcome{f, result, ""}
}

// namesOf returns the tests of a package that reach a fault, the quickest first.
func namesOf(tests []*test, folder string, f *fault) (names []string) {
	for _, t := range tests {
		if t.folder == folder && t.reaches(f) {
			names = append(names, t.name)
		}
	}
	return names
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
// package failed as a whole.
func failing(ctx context.Context, folder, overlay string, names []string, scratch string) string {
	binary := filepath.Join(scratch, "test")
	if out, err := command(ctx, ".", "go", "test", "-c", "-overlay", overlay, "-o", binary, "./"+folder); err != nil {
		return "the build of the tests of " + folder + ": " + firstLine(out)
	}
	ctx, cancel := context.WithTimeout(ctx, longestTry)
	defer cancel()
	for size := 20; len(names) > 0; size *= 3 {
		group := names[:min(size, len(names))]
		names = names[len(group):]
		out, err := command(ctx, folder, binary, "-test.short", "-test.failfast",
			"-test.run", "^("+strings.Join(group, "|")+")$")
		if err != nil {
			return firstFailure(out, err)
		}
	}
	return ""
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
