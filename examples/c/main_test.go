package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The tree has the zones of C below those of Go that called them.
func TestZonesOfCAndGoAreOneTree(t *testing.T) {
	out, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	if err != nil || strings.TrimSpace(string(out)) != "1" {
		t.Skip("no cgo")
	}
	out, err = exec.Command("go", "run", ".").Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tree := `(?s)- frame.*\|- step.*\|- forces.*- move.*- (energy|check).*- (energy|check)`
	if !regexp.MustCompile(tree).Match(out) {
		t.Errorf("got\n%s\nwant %s", out, tree)
	}
}
