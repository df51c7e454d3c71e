package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/synth"
	"example.com/iprof/platform"
)

// slowed writes a capture like another, in which each call of a zone of the updating lane takes so many ticks longer.
func slowed(t *testing.T, path string, frames int, by platform.Ticks) (file, zone string) {
	t.Helper()
	out := must.Get(os.Create(path))(t)
	w, p := framefile.NewWriter(out, framefile.Info{Program: "slowed"}), synth.New(1)
	for range frames {
		f := p.Frame()
		for i := range f.Lanes {
			if l := &f.Lanes[i]; l.Updater {
				zone = slow(f, l, by)
				break
			}
		}
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, w.Close())
	must.Do(t, out.Close())
	return path, zone
}

// slow adds to the first zone that is below the root.
func slow(f *gather.Frame, l *gather.LaneFrame, by platform.Ticks) (zone string) {
	l.Nodes[1].Self += by
	return f.Zones[l.Nodes[1].Zone].Name
}

// diffed returns what iprof diff prints of two captures, as the line of events has it.
func diffed(t *testing.T, iprof, before, after string) string {
	t.Helper()
	out, err := exec.Command(iprof, "diff", before, after).Output()
	if exit := new(exec.ExitError); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	lines[0] = "contrast" // in place of the headings
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "; ")
}

// TestTwoTabsAreCompared: the table has what iprof diff says of the files, among it the zone that became slower.
func TestTwoTabsAreCompared(t *testing.T) {
	longtest.Skip(t)
	dir := t.TempDir()
	iprof := filepath.Join(dir, "iprof")
	if out, err := exec.Command("go", "build", "-o", iprof, "../iprof").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before := written(t, filepath.Join(dir, "before.iprof"), 200)
	after, zone := slowed(t, filepath.Join(dir, "after.iprof"), 200, 5e6)
	u := newUser(t, "replay", 1280, 720, before, after)
	u.chord(symbolControl, symbolTab)
	u.wait("tab 1 of 2 after.iprof")
	u.see("after", 10)
	u.chord(symbolControl, 'd')
	want := diffed(t, iprof, before, after)
	u.wait(regexp.QuoteMeta(want))
	if !strings.Contains(want, " slower "+zone+"; 1 slower; ") {
		t.Errorf("got %q; want %s slower", want, zone)
	}
	u.see("contrast", 1000)
	u.press(symbolEscape)
	u.wait("no contrast")
	u.chord(symbolControl, symbolTab)
	u.wait("tab 0 of 2 before.iprof")
	u.chord(symbolControl, 'd') // the left one is before all the same
	u.wait(regexp.QuoteMeta(want))
	u.press('x')
	want = diffed(t, iprof, after, before)
	u.wait(regexp.QuoteMeta(want))
	if !strings.Contains(want, " faster "+zone+"; 0 slower; ") {
		t.Errorf("got %q; want %s faster", want, zone)
	}
	u.press(symbolEscape)
	u.wait("no contrast")
	u.quit()
}
