package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// modulePath is the prefix of file names in coverage profiles.
const modulePath = "example.com/iprof/"

// longestTest is the time after which a test alone is left out.
const longestTest = 2 * time.Minute

// test is one test function of a test package.
type test struct {
	folder string
	name   string
	took   time.Duration
	cpu    time.Duration     // processor time
	lines  map[string][]span // by file: what it reaches
}

type span struct{ from, to int }

// reaches reports whether the test runs a line that the fault changes.
func (t *test) reaches(f *fault) bool {
	return slices.ContainsFunc(f.places, func(p place) bool {
		return slices.ContainsFunc(t.lines[p.file], func(s span) bool { return s.from <= p.line && p.line <= s.to })
	})
}

// place is a line of a file.
type place struct {
	file string
	line int
}

// locate sets the places of a fault: its own line and that of its switch, and for a declaration of the package the
// lines that use its names.
func (f *fault) locate(files []string) error {
	if f.places = []place{{f.file, f.line}}; f.choice > 0 {
		f.places = append(f.places, place{f.file, f.choice})
	}
	if f.uses == nil {
		return nil
	}
	used := regexp.MustCompile(`\b(` + strings.Join(f.uses, "|") + `)\b`)
	for _, file := range files {
		if filepath.Dir(file) != filepath.Dir(f.file) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if used.MatchString(line) {
				f.places = append(f.places, place{file, i + 1})
			}
		}
	}
	return nil
}

// coverage has what the tests reach, by folder of tests. Areas that share a folder share the reading.
type coverage struct {
	cover   string // the flag with the folders of all areas
	scratch string
	workers int
	tests   map[string][]*test
}

// coverageOf prepares the coverage of areas.
func coverageOf(chosen []*area, scratch string, workers int) *coverage {
	var folders []string
	for _, a := range chosen {
		folders = append(folders, a.folders...)
	}
	return &coverage{cover: "-coverpkg=./" + strings.Join(folders, ",./"), scratch: scratch, workers: workers,
		tests: make(map[string][]*test)}
}

// testsOf runs each test of an area alone, and returns what each of them reaches, the quickest first. A test that
// fails without a fault, or takes too long, is left out and named.
func (c *coverage) testsOf(ctx context.Context, a *area) (tests []*test, err error) {
	for _, folder := range withTests(a.tests) {
		if c.tests[folder] == nil {
			if c.tests[folder], err = c.read(ctx, folder); err != nil {
				return nil, err
			}
		}
		tests = append(tests, c.tests[folder]...)
	}
	slices.SortStableFunc(tests, func(a, b *test) int { return int(a.took - b.took) })
	return tests, ctx.Err()
}

func (c *coverage) read(ctx context.Context, folder string) ([]*test, error) {
	binary := filepath.Join(c.scratch, strings.ReplaceAll(folder, "/", "_")+".cover")
	if out, err := command(ctx, ".", "go", "test", "-c", "-cover", c.cover, "-o", binary, "./"+folder); err != nil {
		return nil, fmt.Errorf("building the tests of %s: %w\n%s", folder, err, out)
	}
	out, err := command(ctx, folder, binary, "-test.list", "^(Test|Fuzz|Example)")
	if err != nil {
		return nil, fmt.Errorf("listing the tests of %s: %w\n%s", folder, err, out)
	}
	return reached(ctx, folder, binary, strings.Fields(out), c.workers), nil
}

func reached(ctx context.Context, folder, binary string, names []string, workers int) []*test {
	tests := make([]*test, len(names))
	inParallel(workers, len(names), func(i int) {
		profile := fmt.Sprintf("%s.%d", binary, i)
		defer os.Remove(profile)
		alone, cancel := context.WithTimeout(ctx, longestTest)
		defer cancel()
		begin, t := time.Now(), &test{folder: folder, name: names[i]}
		c := prepared(alone, folder, binary, "-test.short", "-test.run", "^"+names[i]+"$",
			"-test.coverprofile", profile)
		err := c.Run()
		if t.took = time.Since(begin); err == nil {
			t.cpu = c.ProcessState.UserTime() + c.ProcessState.SystemTime()
			t.lines, err = lines(profile)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "left out: %s of %s: %v\n", names[i], folder, err)
			return
		}
		tests[i] = t
	})
	return slices.DeleteFunc(tests, func(t *test) bool { return t == nil })
}

// lines reads the lines that ran from a coverage profile.
func lines(profile string) (map[string][]span, error) {
	file, err := os.Open(profile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reached := map[string][]span{}
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		name, rest, ok := strings.Cut(strings.TrimPrefix(scanner.Text(), modulePath), ":")
		if !ok || strings.HasSuffix(rest, " 0") || name == "mode" {
			continue
		}
		from, rest, _ := strings.Cut(rest, ",")
		to, _, _ := strings.Cut(rest, " ")
		reached[name] = append(reached[name], span{lineOf(from), lineOf(to)})
	}
	return reached, scanner.Err()
}

// lineOf returns the line of "line.column".
func lineOf(position string) int {
	line, _, _ := strings.Cut(position, ".")
	n, _ := strconv.Atoi(line)
	return n
}

// command runs a program in a folder, and returns all that it prints.
func command(ctx context.Context, folder, name string, args ...string) (string, error) {
	out, err := prepared(ctx, folder, name, args...).CombinedOutput()
	return string(out), err
}

func prepared(ctx context.Context, folder, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = filepath.FromSlash(folder)
	c.WaitDelay = time.Second
	return c
}
