package instrument_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// TestFunctionsThatCompute: names say which functions hold no wait in their own time. Waits with a zone of their own,
// and functions with one, are not the time of their callers.
func TestFunctionsThatCompute(t *testing.T) {
	dir := copied(t, "computes")
	plan := planned(t, dir, instrument.Options{})
	seen := 0
	for _, f := range plan.Functions {
		computes, waits := strings.HasPrefix(f.Name, "computes"), strings.HasPrefix(f.Name, "waits")
		if strings.Contains(f.Name, " func:") || !computes && !waits {
			continue
		}
		if seen++; f.Reason != "" || f.Computes != computes {
			t.Errorf("%s: computes %t, no zone because %q", f.Name, f.Computes, f.Reason)
		}
	}
	text := must.Get(os.ReadFile(filepath.Join(dir, "main.go")))(t)
	if want := bytes.Count(text, []byte("\nfunc computes")) + bytes.Count(text, []byte("\nfunc waits")); seen != want {
		t.Errorf("%d of %d functions are listed", seen, want)
	}
}

// TestOldFunctionsWaitInTheirOwnTime: in a module without type parameters a receive within an expression gets no zone,
// so it is the function's own time. A receive that is a statement has its zone there, too.
func TestOldFunctionsWaitInTheirOwnTime(t *testing.T) {
	dir := files(t, map[string]string{
		"main.go": "package main\n\nfunc main() {}\n\nfunc within(c chan int) (n int) {\n" +
			"\tfor i := 0; i < 9; i++ {\n\t\tn += <-c * 2\n\t}\n\treturn n\n}\n\n" +
			"func alone(c chan int) (n int) {\n\tfor i := 0; i < 9; i++ {\n\t\t<-c\n\t\tn += i\n\t}\n\treturn n\n}\n",
	})
	for version, want := range map[string]map[string]bool{
		"1.17": {"within": false, "alone": true}, "1.25": {"within": true, "alone": true},
	} {
		mod := "module example.org/old\n\ngo " + version + "\n"
		must.Do(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
		got := map[string]bool{}
		for _, f := range planned(t, dir, instrument.Options{}).Functions {
			if f.Name != "main" && f.Reason == "" {
				got[f.Name] = f.Computes
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("go %s: got %v; want %v: which functions compute", version, got, want)
		}
	}
}
