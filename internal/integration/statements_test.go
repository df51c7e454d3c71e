package integration_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// mostAssigned is the greatest number of values that one assignment or declaration may set. The results of one call
// are not counted.
const mostAssigned = 3

// unmended are the rooms whose statements are not checked yet.
var unmended = []string{"capture/", "internal/framefile/", "gather/", "process/", "viewer/"}

// checkStatements reports values that share a line without being one idea: before the condition of an if or a switch,
// and in long assignments.
func checkStatements(t *testing.T, set *token.FileSet, file *ast.File) {
	for _, at := range crowded(file) {
		where := set.Position(at)
		if !slices.ContainsFunc(unmended, func(room string) bool { return strings.HasPrefix(where.Filename, room) }) {
			t.Errorf("%s:%d: one line sets several values; write a statement for each", where.Filename, where.Line)
		}
	}
}

// crowded returns the places of such assignments and declarations.
func crowded(file *ast.File) (places []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if shared(n.Init) {
				places = append(places, n.Pos())
			}
		case *ast.SwitchStmt:
			if shared(n.Init) {
				places = append(places, n.Pos())
			}
		case *ast.AssignStmt:
			if len(n.Rhs) > mostAssigned {
				places = append(places, n.Pos())
			}
		case *ast.ValueSpec:
			if len(n.Values) > mostAssigned {
				places = append(places, n.Pos())
			}
		}
		return true
	})
	return places
}

// shared reports whether a statement before a condition sets several values, each by an expression of its own. A pair
// got and want is one idea.
func shared(s ast.Stmt) bool {
	a, is := s.(*ast.AssignStmt)
	return is && len(a.Rhs) > 1 && (text(a.Lhs[0]) != "got" || text(a.Lhs[1]) != "want")
}

func TestCrowdedStatementsAreFound(t *testing.T) {
	for code, want := range map[string]int{
		"a, b := 1, 2; if a < b {}":               0,
		"if a, ok := m[1]; ok {}":                 0,
		"if got, want := f(), 1; got != want {}":  0,
		"if a, b := 1, 2; a < b {}":               1,
		"if x {} else if a, b = 1, 2; a < b {}":   1,
		"switch a, b := 1, 2; {}":                 1,
		"for i, n := 0, 9; i < n; i++ {}":         0,
		"a, b, c := 1, 2, 3":                      0,
		"a, b, c, d := f()":                       0,
		"a, b, c, d := 1, 2, 3, 4":                1,
		"var a, b, c, d = 1, 2, 3, 4":             1,
		"f(func() { a, b, c, d = 1, 2, 3, 4 })":   1,
		"for a, b, c, d := 1, 2, 3, 4; ; {}":      1,
		"if a, b, c, d := 1, 2, 3, 4; a < b {}":   2,
		"const ( a, b = 1, 2; c, d, e = 3, 4, 5)": 0,
	} {
		source := fmt.Sprintf("package p; func _() { %s }", code)
		file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(crowded(file)); got != want {
			t.Errorf("%s: got %d places; want %d", code, got, want)
		}
	}
}
