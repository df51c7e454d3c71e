package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The tree has each tick's zones with their calls, and the wait between ticks.
func TestTicksAreFrames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hitches")
	out, err := exec.Command("go", "run", ".", "-ticks", "40", "-every", "1ms", "-hitches", dir).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for zone, calls := range map[string]string{"move": " 40", "save": " 1", "(between frames)": ""} {
		if !strings.Contains(string(out), zone) || !strings.Contains(string(out), calls) {
			t.Errorf("there is no %s with%s in\n%s", zone, calls, out)
		}
	}
}
