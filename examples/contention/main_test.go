package main

import (
	"os/exec"
	"regexp"
	"testing"
)

// TestTheVerdictNamesTheLock: who held it and where it was released, and the time in the column waiting.
func TestTheVerdictNamesTheLock(t *testing.T) {
	out, err := exec.Command("go", "run", ".", "-table", "-held", "500ms").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		`(?m)^Frame 88: \+\d+ ms\. Waiting in lock world \d+\.\d .*; it waited for lock world for \d+\.\d, ` +
			`released by loader at main\.go:\d+\.$`,
		`(?m)^  zone +self ms +with callees +waiting +calls`,
		`(?m)^\+ update +\d+\.\d+ +\d{3,}\.\d+ +\d{3,}\.\d+ +1$`,
	} {
		if !regexp.MustCompile(want).Match(out) {
			t.Errorf("got\n%s\nwant %s", out, want)
		}
	}
}
