package misuse_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"example.com/iprof/cmd/iprofvet/misuse"
)

// testdata is a module that uses the profiler of this repository. Each of its packages has the mistakes of one rule,
// with the finding in a comment, and what is right beside it.
func TestFindings(t *testing.T) {
	for _, flags := range []string{"", "-tags=iprof_off"} {
		t.Run("GOFLAGS="+flags, func(t *testing.T) {
			t.Setenv("GOFLAGS", flags)
			analysistest.Run(t, testdata(t), misuse.Analyzer, "./...")
		})
	}
}

// The repairs are certain: the file deferred.go.golden has them.
func TestRepairs(t *testing.T) {
	fixes := 0
	for _, r := range analysistest.RunWithSuggestedFixes(t, testdata(t), misuse.Analyzer, "./deferred") {
		for _, d := range r.Action.Diagnostics {
			fixes += len(d.SuggestedFixes)
		}
	}
	if fixes != 5 {
		t.Errorf("got %d repairs; want one of each defer that enters but the hold's, 5", fixes)
	}
}

func testdata(t *testing.T) string {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
