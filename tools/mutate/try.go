package main

import (
	"cmp"
	"context"
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

// A fault that makes tests hang is found: tests that take much longer than without it, or much more processor time,
// have failed. On a busy machine they may take a few times as long.
const (
	slowest  = 5 // times as long
	spared   = 10 * time.Second
	patience = 4                // times this limit, for the second try
	killed   = "signal: killed" // the error of a test that took longer
)

// Results of a fault.
const (
	found     = "found"
	survived  = "survived"
	unreached = "not reached"
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
	if s.earlier != "" {
		if again, err = readMissed(s.earlier); err != nil {
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
		p := planting{area: a, share: share, seed: s.seed, only: again, reach: reach}
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
		fmt.Fprint(h, seed, f.file, f.change)
		return rand.NewPCG(h.Sum64(), seed).Uint64()
	}
	slices.SortStableFunc(possible, func(a, b fault) int { return cmp.Compare(place(&a), place(&b)) })
}

// planting is the work in an area.
type planting struct {
	area  *area
	share int             // faults to try
	seed  uint64          // of their choice
	only  map[string]bool // keys of the only faults to try, or nil
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
	builds, err := p.builds(ctx, possible)
	if err != nil {
		return nil, err
	}
	begin = time.Now()
	var trials []trial
	for _, b := range builds {
		for i := range b.faults {
			trials = append(trials, trial{b, i + 1})
		}
	}
	outcomes := make([]outcome, len(trials))
	inParallel(p.reach.workers, len(trials), func(i int) { outcomes[i] = trials[i].try(ctx, tests) })
	fmt.Printf("%s: %d tried in %.0f s\n", p.area.name, len(trials), time.Since(begin).Seconds())
	return outcomes, ctx.Err()
}

// builds returns builds with the faults to try: so many as are wanted and compile.
func (p *planting) builds(ctx context.Context, possible []fault) (alone []*build, err error) {
	begin := time.Now()
	together := &build{scratch: filepath.Join(p.reach.scratch, p.area.name)}
	for bad := true; bad; {
		for len(possible) > 0 && len(together.faults)+len(alone) < p.share {
			f := possible[0]
			if possible = possible[1:]; f.body != nil {
				together.faults = append(together.faults, f)
				continue
			}
			b := &build{faults: []fault{f}, scratch: fmt.Sprint(together.scratch, len(possible))}
			if bad, err := b.compile(ctx); err != nil {
				return nil, err
			} else if !bad {
				alone = append(alone, b)
			}
		}
		if len(together.faults) == 0 {
			return alone, nil
		}
		if bad, err = together.compile(ctx); err != nil {
			return nil, err
		}
	}
	for _, folder := range withTests(p.area.tests) {
		if _, err := together.binary(ctx, folder); err != nil {
			return nil, err
		}
	}
	fmt.Printf("%s: built in %.0f s, with %d of the faults alone\n", p.area.name, time.Since(begin).Seconds(),
		len(alone))
	return append(alone, together), nil
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
	if p.only != nil {
		possible = slices.DeleteFunc(possible, func(f fault) bool { return !p.only[f.key()] })
	}
	draw(possible, p.seed)
	for i := range possible {
		if err := possible[i].locate(files); err != nil {
			return nil, err
		}
	}
	return possible, nil
}

// trial is a fault, by its number in a build.
type trial struct {
	*build
	number int
}

// try runs the tests that reach the fault.
func (t trial) try(ctx context.Context, tests []*test) outcome {
	f := t.faults[t.number-1]
	result := unreached
	for _, folder := range f.area.tests {
		reaching := reachingTests(tests, folder, &f)
		if len(reaching) == 0 {
			continue
		}
		result = survived
		by := t.failing(ctx, folder, reaching)
		if by != "" {
			fmt.Printf("found     %s:%d %s\n", f.file, f.line, by)
			return outcome{f, found, by}
		}
	}
	fmt.Printf("%-9s %s:%d %s\n", strings.ToUpper(result), f.file, f.line, f.change)
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

// failing runs tests of a package with the fault, in groups from the quickest on, and returns one that failed, or why
// the package failed as a whole. A test that passes alone, or fails without the fault, too, is left out.
func (t trial) failing(ctx context.Context, folder string, tests []*test) string {
	if _, err := t.binary(ctx, folder); err != nil {
		return err.Error() // the tests do not compile with it
	}
	for size := 20; len(tests) > 0; size *= 3 {
		group := tests[:min(size, len(tests))]
		by := t.run(ctx, folder, group, 1)
		if strings.HasPrefix(by, killed) { // the machine may be busy
			by = t.run(ctx, folder, group, patience)
		}
		if by == "" {
			tests = tests[len(group):]
			continue
		}
		named := slices.IndexFunc(group, func(t *test) bool { return t.name == by })
		if named < 0 {
			return by
		}
		alone, without := group[named:named+1], trial{t.build, 0}
		if t.run(ctx, folder, alone, 1) != "" && (len(t.faults) == 1 || without.run(ctx, folder, alone, 1) == "") {
			return by
		}
		fmt.Fprintf(os.Stderr, "unsteady: %s of %s\n", by, folder)
		tests = slices.Concat(tests[:named], tests[named+1:])
	}
	return ""
}

// run runs tests until one fails, and returns its name. They have so many times the usual time.
func (t trial) run(ctx context.Context, folder string, tests []*test, times time.Duration) string {
	var names []string
	limit, cpu := spared, spared
	for _, t := range tests {
		names = append(names, t.name)
		limit, cpu = limit+slowest*t.took, cpu+slowest*t.cpu
	}
	ctx, cancel := context.WithTimeout(ctx, times*limit)
	defer cancel()
	binary, _ := t.binary(ctx, folder)
	limited := fmt.Sprintf(`ulimit -t %.0f; %s=%d exec "$@"`, (times * cpu).Seconds(), variable, t.number)
	out, err := command(ctx, folder, "sh", "-c", limited, "sh", binary, "-test.short", "-test.failfast", "-test.run",
		"^("+strings.Join(names, "|")+")$")
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
