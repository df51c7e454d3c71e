package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/progress"
	"example.com/iprof/internal/scratch"
	"example.com/iprof/platform"
)

// twoCommits runs a program of two commits by turns, so that what the machine does meanwhile hits both alike.
type twoCommits struct {
	ref  string   // the base
	runs int      // of each commit
	args []string // of iprof run or iprof test
	verb string

	patience time.Duration // how long to wait in all while other programs take the processor

	dir   string    // for all other files
	sets  [2]string // directories of captures: of the base, and of the working tree
	trees [2]string // working directories
}

// newTwoCommits reads the command line after "--". It may begin with the word run or test.
func newTwoCommits(ref string, runs int, args []string) (*twoCommits, error) {
	c := &twoCommits{ref: ref, runs: runs, args: args, verb: "run", patience: patience}
	if len(args) > 0 && (args[0] == "run" || args[0] == "test") {
		c.verb, c.args = args[0], args[1:]
	}
	switch {
	case len(c.args) == 0:
		return nil, errors.New("-base needs a program: iprof diff -base main -- ./cmd/game -level 3")
	case runs < leastMachines:
		return nil, fmt.Errorf("-n: %d runs of each commit are too few; %d are the least", runs, leastMachines)
	}
	return c, nil
}

// compare builds and runs both commits, and compares their runs.
func (c *twoCommits) compare(percent float64) (d *fleetDifference, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if c.dir, err = scratch.Folder("iprof-base-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(c.dir)
	for i := range c.sets {
		if c.sets[i], err = scratch.Folder("iprof-runs-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(c.sets[i])
	}
	removed, err := c.checkOut(ctx)
	if err != nil {
		return nil, err
	}
	defer removed()
	if err := c.runAll(ctx); err != nil {
		return nil, err
	}
	return compareSets(c.sets[0], c.sets[1], percent)
}

// checkOut makes a working tree of the base. removed removes it.
func (c *twoCommits) checkOut(ctx context.Context) (removed func(), err error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	prefix, err := git(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	commit, err := git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", c.ref+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("-base: git knows no commit %q here; in a shallow clone of CI: "+
			"git fetch --depth 1 origin %[1]s", shownText(c.ref))
	}
	tree := filepath.Join(c.dir, "tree")
	if _, err := git(ctx, "worktree", "add", "--quiet", "--detach", tree, commit); err != nil {
		return nil, err
	}
	c.trees = [2]string{filepath.Join(tree, filepath.FromSlash(prefix)), here}
	return func() { _, _ = git(context.Background(), "worktree", "remove", "--force", tree) }, nil
}

// patience is how long all runs together wait for a quiet machine.
const patience = time.Minute

// awaitQuiet waits while other programs take the processor, until the patience is at its end.
func (c *twoCommits) awaitQuiet(ctx context.Context) {
	for c.patience > 0 && ctx.Err() == nil && isBusy() {
		if c.patience == patience {
			stderr.Println("iprof: other programs take the processor; waiting for up to a minute")
		}
		time.Sleep(time.Second)
		c.patience -= time.Second
	}
}

// isBusy reports whether a thread that wants a processor has one for less than nine tenths of the time.
func isBusy() bool {
	const long = 50 * time.Millisecond
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	thread := platform.LockedThread()
	begin, before := time.Now(), platform.ThreadTime(thread)
	for time.Since(begin) < long {
	}
	used := platform.ThreadTime(thread) - before
	return used > 0 && used < time.Since(begin)*9/10
}

// git returns the first line that a command of git prints.
func git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %s", args[0], cmp.Or(strings.TrimSpace(said.String()), err.Error()))
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line, nil
}

// runAll runs both commits by turns. The first run of each builds it and is not counted: it decides which functions
// have zones.
func (c *twoCommits) runAll(ctx context.Context) error {
	p := progress.Terminal("iprof")
	if p != nil {
		defer p(progress.Done)
	}
	for run := range c.runs + 1 {
		for turn := range c.sets {
			at := (run + turn) % len(c.sets) // neither is always the first
			out := filepath.Join(c.sets[at], strconv.Itoa(run)+recordingEnd)
			if run == 0 {
				out = filepath.Join(c.dir, strconv.Itoa(at)+recordingEnd)
			}
			if p != nil {
				p(100 * (2*run + turn) / (2*c.runs + 2))
			}
			if run > 0 {
				c.awaitQuiet(ctx)
			}
			if err := c.run(ctx, c.trees[at], out); err != nil {
				return fmt.Errorf("%s: %w", [...]string{shownText(c.ref), "the working tree"}[at], err)
			}
		}
	}
	return nil
}

// run runs the program once, in a working tree. What the program prints is dropped, unless it fails.
func (c *twoCommits) run(ctx context.Context, tree, out string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{c.verb, "-report", "none", "-o", out}, c.args...)...)
	cmd.Dir = tree
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("iprof %s: %w\n%s", c.verb, err, printed.Of(string(tail(said.Bytes()))))
	}
	return nil
}

// tail returns the end of a text, from the beginning of a line.
func tail(text []byte) []byte {
	const most = 2000
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	return text[bytes.IndexByte(text, '\n')+1:]
}
