// Package misuse is the check of iprofvet as an analysis, for programs that run several.
package misuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// Analyzer reports zones that are entered or left wrongly: see its Doc. It may run on several packages at once.
var Analyzer = &analysis.Analyzer{
	Name: "iprofvet",
	Doc: `find zones that are entered or left wrongly

  z.Begin()                            nothing ends the scope
  s := z.Begin(); …; return            before s.End(), on any path, or a panic
  defer z.Begin()                      without .End(): -fix adds it
  for … { defer z.Begin().End() }      the zone ends with the function
  go func() { s.End() }()              a scope ends on another goroutine
  h := z.Hold()                        without Keep or KeepIf
  for … { iprof.Begin("a" + name) }    a new name in each round

An entry that is assigned to _ is left open on purpose. A scope that a function returns, stores or passes on is not
followed.`,
	Requires:  []*analysis.Analyzer{inspect.Analyzer, ctrlflow.Analyzer},
	FactTypes: []analysis.Fact{new(enters)},
	Run:       run,
}

// checker checks a package.
type checker struct {
	*analysis.Pass
	flows     *ctrlflow.CFGs
	root      inspector.Cursor
	variables map[*types.Var]*variable
}

func run(pass *analysis.Pass) (any, error) {
	c := &checker{Pass: pass, flows: pass.ResultOf[ctrlflow.Analyzer].(*ctrlflow.CFGs),
		root: pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(), variables: map[*types.Var]*variable{}}
	c.findWrappers()
	for cur := range c.root.Preorder((*ast.CallExpr)(nil)) {
		call := cur.Node().(*ast.CallExpr)
		if k := c.entering(call); k != nothing {
			c.checkEntry(cur, call, k)
		}
		c.checkName(cur, call)
	}
	c.checkVariables()
	return nil, nil
}

// checkEntry checks a call that enters a zone by what is done with its result.
func (c *checker) checkEntry(cur inspector.Cursor, call *ast.CallExpr, k kind) {
	cur = outside(cur)
	switch parent := cur.Parent().Node().(type) {
	case *ast.ExprStmt:
		c.report(call, "nothing ends the zone that %s enters: write %q", text(call), "defer "+text(call)+k.end())
	case *ast.DeferStmt:
		c.reportDefer(call, k)
	case *ast.GoStmt:
		c.report(call, "go %s enters a zone on a goroutine that then ends: write %q into the function of go",
			text(call), "defer "+text(call)+k.end())
	case *ast.SelectorExpr:
		c.checkMethod(outside(cur.Parent()), parent, call, k)
	case *ast.CallExpr:
		if cur.ParentEdgeKind() == edge.CallExpr_Args && cur.Parent().ParentEdgeKind() == edge.GoStmt_Call {
			c.report(call, leaves, "the scope of "+text(call))
		}
	case *ast.AssignStmt:
		c.keepVariable(parent.Lhs, len(parent.Rhs), cur.ParentEdgeIndex(), k)
	case *ast.ValueSpec:
		for i, name := range parent.Names {
			if i == cur.ParentEdgeIndex() && len(parent.Values) == len(parent.Names) {
				c.follow(name, k)
			}
		}
	}
}

const leaves = "%s leaves its goroutine, and only there it can end: enter a zone in the function that go starts"

// checkMethod checks z.Begin().M, where cur is the selector. A method value is not followed.
func (c *checker) checkMethod(cur inspector.Cursor, s *ast.SelectorExpr, call *ast.CallExpr, k kind) {
	if cur.ParentEdgeKind() != edge.CallExpr_Fun {
		return
	}
	ended := outside(cur.Parent())
	switch method := s.Sel.Name; {
	case !k.ends(method):
		c.report(call, "%s does not end the zone that %s enters: keep the scope in a variable, and write \"defer s%s\"",
			method, text(call), k.end())
	case ended.ParentEdgeKind() == edge.GoStmt_Call && k != logged:
		c.report(call, leaves, "the scope of "+text(call))
	case ended.ParentEdgeKind() == edge.DeferStmt_Call:
		c.checkDeferInLoop(ended.Parent())
	}
}

// reportDefer reports defer z.Begin().
func (c *checker) reportDefer(call *ast.CallExpr, k kind) {
	d := analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Message: fmt.Sprintf(
		"defer enters the zone at the end of the function, and nothing ends it: write %q", "defer "+text(call)+k.end())}
	if k != held { // of a hold only the program knows the condition
		d.SuggestedFixes = []analysis.SuggestedFix{{Message: "add " + k.end(),
			TextEdits: []analysis.TextEdit{{Pos: call.End(), End: call.End(), NewText: []byte(k.end())}}}}
	}
	c.Report(d)
}

func (c *checker) keepVariable(names []ast.Expr, values, i int, k kind) {
	if len(names) != values {
		return
	}
	if id, ok := ast.Unparen(names[i]).(*ast.Ident); ok {
		c.follow(id, k)
	}
}

// follow takes note of a local variable that has an entry.
func (c *checker) follow(id *ast.Ident, k kind) {
	if v, ok := c.TypesInfo.ObjectOf(id).(*types.Var); ok && v.Kind() == types.LocalVar {
		c.variables[v] = &variable{name: v, kind: k}
	}
}

func (c *checker) report(at ast.Node, format string, args ...any) {
	c.Report(analysis.Diagnostic{Pos: at.Pos(), End: at.End(), Message: fmt.Sprintf(format, args...)})
}

func (c *checker) line(p token.Pos) int { return c.Fset.Position(p).Line }

// outside returns the outermost parentheses around an expression, or itself.
func outside(cur inspector.Cursor) inspector.Cursor {
	for cur.ParentEdgeKind() == edge.ParenExpr_X {
		cur = cur.Parent()
	}
	return cur
}

// mostText is how much of an expression a message quotes.
const mostText = 60

func text(e ast.Expr) string {
	s := []rune(types.ExprString(e))
	if len(s) > mostText {
		s = append(s[:mostText-1], '…')
	}
	return string(s)
}
