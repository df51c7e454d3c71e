package main

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestABrokenPackageStopsNoOther: what cannot be built fails, whatever the reason, and the others are tested and
// measured, as go test has it.
func TestABrokenPackageStopsNoOther(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tests")
	}
	texts := map[string]string{
		"good/a.go":       "package good\n\nfunc Sum(n int) (s int) { for i := range n { s += i }; return s }\n",
		"missing/a.go":    "package missing\n\nimport _ \"example.org/nowhere/x\"\n",
		"syntax/a.go":     "package syntax\n\nfunc F( {\n",
		"types/a.go":      "package types\n\nfunc F() int { return \"x\" }\n",
		"vetted/a.go":     "package vetted\n\nimport \"fmt\"\n\nfunc F() { fmt.Printf(\"%d\", \"x\") }\n",
		"tests/a.go":      "package tests\n",
		"tests/b_test.go": "package tests\n\nimport _ \"example.org/nowhere/y\"\n",
	}
	for _, name := range []string{"missing", "syntax", "types", "vetted"} {
		texts[name+"/a_test.go"] = "package " + name + "\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n"
	}
	texts["good/a_test.go"] = "package good\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) { Sum(10) }\n"
	module := inModule(t, texts)
	plain, err := exec.Command("go", "test", "-count=1", "./...").Output()
	if err == nil {
		t.Fatal("go test finds nothing wrong")
	}
	out, stderr := asIprof(t, ".", "test", "-module", module, "./...")
	if got, want := results(out), results(string(plain)); !slices.Equal(got, want) {
		t.Errorf("got %q; go test has %q\n%s", got, want, stderr)
	}
	if !strings.Contains(stderr, "  Sum  a.go") {
		t.Errorf("the report has no row of Sum:\n%s", stderr)
	}
}

// results returns the lines of go test about packages, without their times.
func results(out string) (lines []string) {
	for line := range strings.Lines(out) {
		if strings.Contains(line, "example.org/") {
			lines = append(lines, regexp.MustCompile(`\s+(\(cached\)|\d.*s)?\s*$`).ReplaceAllString(line, ""))
		}
	}
	slices.Sort(lines)
	return lines
}
