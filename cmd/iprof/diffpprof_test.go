package main

import (
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process/report"
)

// profiled writes a profile of two zones that took so many ms in the given time.
func profiled(t *testing.T, name string, took time.Duration, physics, draw float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	d := &report.Dump{Program: "test", RunTime: took,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "physics\x1b[2J", File: "/a/b.go"}, {Name: "draw"}},
		Lanes: []report.LaneTree{{ID: 1, Name: "main", Nodes: []report.TreeNode{{Parent: -1, Self: 1},
			{Zone: 1, Self: physics, Count: 3}, {Zone: 2, Parent: 1, Self: draw, Count: 1}}}}}
	must.Do(t, export.Pprof(file, d))
	return path
}

// TestDiffOfProfiles: times are for a second, so a profile that took twice as long is the same with twice the times.
func TestDiffOfProfiles(t *testing.T) {
	before, after := profiled(t, "before", time.Second, 100, 50), profiled(t, "after", 2*time.Second, 240, 100)
	var b strings.Builder
	slower, err := writeDiff(&b, before, after, 5, false)
	if err != nil || slower != 2 {
		t.Fatalf("got %d slower, %v in\n%s", slower, err, &b)
	}
	lines := strings.Split(b.String(), "\n")
	if !strings.Contains(lines[0], "self ms a second") || !strings.HasPrefix(strings.TrimSpace(lines[1]), "151.000") ||
		!strings.Contains(lines[2], "100.000    120.000    +20.000") || !strings.Contains(lines[2], "physics") ||
		strings.Contains(b.String(), "draw") || strings.Contains(b.String(), "\x1b") {
		t.Errorf("got\n%s", &b)
	}
	if slower, err := writeDiff(&b, before, before, 5, true); err != nil || slower != 0 {
		t.Errorf("with itself: got %d slower, %v", slower, err)
	}
	if _, err := writeDiff(&b, before, recorded(t), 5, false); err == nil {
		t.Error("a profile with a capture: no error")
	}
}

// TestDiffOfGosProfiles: of those without times it says so, and damaged ones are errors.
func TestDiffOfGosProfiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "heap")
	file := must.Get(os.Create(path))(t)
	must.Do(t, pprof.WriteHeapProfile(file))
	file.Close()
	if _, err := compare(path, path, 5); err == nil || !strings.Contains(err.Error(), "no times") {
		t.Errorf("a heap profile: got %v", err)
	}
	whole := readFile(t, profiled(t, "whole", time.Second, 100, 50))
	for cut := 2; cut < len(whole); cut += 7 {
		must.Do(t, os.WriteFile(path, whole[:cut], 0o600))
		if _, err := compare(path, path, 5); err == nil {
			t.Fatalf("%d of %d bytes: no error", cut, len(whole))
		}
	}
}
