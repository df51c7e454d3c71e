package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// sectioned returns a capture of 700 frames of 5 ms, in sections of 150 frames from frame 100 on. Frame 300 took 40 ms.
func sectioned(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "levels.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	w := framefile.NewWriter(file, framefile.Info{Program: "levels"})
	at := platform.Ticks(0)
	for i := range 700 {
		length := platform.Ticks(5e6)
		if i == 300 {
			length = 40e6
		}
		f := gather.Frame{Index: uint64(i), Begin: at, End: at + length, TicksPerSecond: 1e9,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "early"}, {Name: "late"}},
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Begin: at, End: at + length, Nodes: []gather.Node{
				{Parent: -1}, {ID: 1, Zone: gather.ZoneID(1 + i/400), Self: length, Count: 1}}}}}
		if i >= 100 {
			n := (i - 100) / 150
			names := []string{"level 1", "level \x1b2", "boss", "menu"}
			f.Section = gather.SectionInfo{Number: uint64(n) + 2, Name: names[n]}
		}
		if at += length; w.WriteFrame(&f) != nil {
			t.Fatal("not written")
		}
	}
	must.Do(t, w.Close())
	return path
}

// shows returns what a command writes, and its status.
func shows(t *testing.T, command string, args ...string) (text string, code int) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	for _, c := range commands {
		if c.name == command {
			code = c.run(append([]string{"-o", out}, args...))
		}
	}
	if code == 0 {
		text = string(readFile(t, out))
	}
	return text, code
}

// inBothWays runs a test with the whole file in a session, and with its newest frames only.
func inBothWays(t *testing.T, test func(t *testing.T)) {
	before := longFile
	defer func() { longFile = before }()
	t.Run("whole", test)
	longFile = 1
	t.Run("newest", test)
}

// iprof frames lists the sections, and iprof top -section has the frames of one alone.
func TestCommandsKnowSections(t *testing.T) {
	path := sectioned(t)
	inBothWays(t, func(t *testing.T) {
		got, _ := shows(t, "frames", path)
		for _, line := range []string{"    frames average ms     p99 ms   worst ms  section\n",
			"       150       5.00       5.00       5.00  level 1 (frames 100 to 249)\n",
			"      40.00  level \\x1b2 (frames 250 to 399)\n",
			"       150       5.00       5.00       5.00  menu (frames 550 to 699)\n"} {
			if !strings.Contains(got, line) {
				t.Errorf("frames: got\n%s\nwant the line %q", got, line)
			}
		}
		f := readRows(t, "frames "+path)
		if len(f.Sections) != 4 || f.Sections[1].Name != "level \x1b2" || f.Sections[1].WorstFrame != 300 {
			t.Errorf("frames -json: got %+v; want four sections", f.Sections)
		}
		got, _ = shows(t, "top", "-section", "menu", path)
		if strings.Contains(got, "early") || !strings.Contains(got, "late") {
			t.Errorf("top -section menu: got\n%s\nwant zone late alone", got)
		}
		if got, _ := shows(t, "top", "-json", "-section", `level \x1b2`, path); strings.Contains(got, "late") {
			t.Errorf("top -json of an escaped name: got\n%s\nwant no zone late", got)
		}
		if _, code := shows(t, "top", "-section", "level 9", path); code != 1 {
			t.Errorf("top of an unknown section: got status %d; want 1", code)
		}
	})
}

// A capture without sections has no list of them.
func TestCommandsWithoutSections(t *testing.T) {
	path := recorded(t)
	if got, _ := shows(t, "frames", path); strings.Contains(got, "section") {
		t.Errorf("got\n%s\nwant nothing about sections", got)
	}
	if _, code := shows(t, "top", "-section", "menu", path); code != 1 {
		t.Errorf("top: got status %d; want 1", code)
	}
}
