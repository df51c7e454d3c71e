package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

const sample = usual + `

package sample

const limit = 4

var names [limit]string // the length of a type stays

func count(values []int) (n int) {
	for _, v := range values {
		if v > limit && v != 7 {
			n++
		}
	}
	return min(n, 2.5, 0.0)
}
`

// Each kind of fault is found in a file, with its line, and the file with the fault differs in this place alone.
func TestFaultsOfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sample.go")
	must.Do(t, os.WriteFile(file, []byte(sample), 0o600))
	faults := must.Get(faultsOf(&areas[0], file))(t)
	want := []string{
		"5 4 -> 5", "11 v > limit && v != 7 -> !(v > limit && v != 7)", "11 && -> ||", "11 > -> >=", "11 != -> ==",
		"11 7 -> 8", "12 removed: n++", "15 min -> max", "15 2.5 -> (2.5 * 2.5)",
	}
	got := map[string]bool{}
	for _, f := range faults {
		change, _, _ := strings.Cut(f.change, " | ")
		got[fmt.Sprint(f.line, " ", change)] = true
		if whole := sample[:f.begin] + f.replacement + sample[f.end:]; whole == sample {
			t.Errorf("the fault %q changes nothing", f.change)
		}
	}
	for _, w := range want {
		if !got[w] {
			t.Errorf("got no fault %q", w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d faults; want %d: %v", len(got), len(want), got)
	}
}

// A fault in a constant of the package is reached by tests that run a line with the constant's name.
func TestAConstantIsReachedThroughItsUses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sample.go")
	must.Do(t, os.WriteFile(file, []byte(sample), 0o600))
	faults := must.Get(faultsOf(&areas[0], file))(t)
	constant := &faults[0]
	must.Do(t, constant.locate([]string{file}))
	uses := &test{lines: map[string][]span{file: {{10, 12}}}}
	other := &test{lines: map[string][]span{file: {{15, 15}}}}
	if !uses.reaches(constant) || other.reaches(constant) {
		t.Errorf("a test of line 11 reaches the constant: %v; one of line 15: %v; want true and false",
			uses.reaches(constant), other.reaches(constant))
	}
}

// The condition of a case runs with its switch, also where the case is never chosen.
func TestACaseIsReachedWithItsSwitch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sample.go")
	must.Do(t, os.WriteFile(file, []byte("package p\n\nfunc f(n int) {\n\tswitch {\n\tcase n > 3 &&\n\t\tn < 9:\n"+
		"\t\tn++\n\t}\n}\n"), 0o600))
	run := &test{lines: map[string][]span{file: {{3, 4}}}}
	for _, f := range must.Get(faultsOf(&areas[0], file))(t) {
		if must.Do(t, f.locate(nil)); run.reaches(&f) != (f.line < 7) {
			t.Errorf("line %d: a test that runs the switch alone reaches it: %v", f.line, run.reaches(&f))
		}
	}
}

func TestAreasExist(t *testing.T) {
	t.Chdir("../..")
	for _, a := range areas {
		if _, err := sources(a.folders); err != nil {
			t.Errorf("area %s: %v", a.name, err)
		}
		if len(withTests(a.tests)) == 0 {
			t.Errorf("area %s has no tests", a.name)
		}
	}
}
