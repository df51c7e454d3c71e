package misuse

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// named are the functions that enter a zone by its name.
var named = []string{module + ".Begin", module + ".Wait", module + "/wait.Begin", module + "/draw/gl.Begin"}

// checkName reports a zone whose name is made in each round of a loop.
func (c *checker) checkName(cur inspector.Cursor, call *ast.CallExpr) {
	f, ok := typeutil.Callee(c.TypesInfo, call).(*types.Func)
	if !ok || !slices.Contains(named, f.FullName()) || len(call.Args) != 1 {
		return
	}
	loop, ok := c.loop(cur)
	if ok && c.made(call.Args[0], loop) {
		c.report(call.Args[0], "each round of the loop makes a name for %s: write one constant name, "+
			"and s.Text(…) for what differs", text(call.Fun))
	}
}

// loop returns the innermost loop of the same function in whose body a node is.
func (c *checker) loop(cur inspector.Cursor) (loop inspector.Cursor, ok bool) {
	for owner := function(cur); cur.Valid() && cur != owner; cur = cur.Parent() {
		switch cur.ParentEdgeKind() {
		case edge.ForStmt_Body:
			return cur.Parent(), true
		case edge.RangeStmt_Body:
			if !c.isSpan(cur.Parent().Node().(*ast.RangeStmt)) {
				return cur.Parent(), true
			}
		}
	}
	return loop, false
}

// made reports whether an expression makes a text, in place or in the one assignment of a variable in the loop.
func (c *checker) made(e ast.Expr, loop inspector.Cursor) bool {
	e = ast.Unparen(e)
	if c.TypesInfo.Types[e].Value != nil {
		return false
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Op == token.ADD
	case *ast.CallExpr:
		f, ok := typeutil.Callee(c.TypesInfo, e).(*types.Func)
		if !ok || f.Pkg() == nil {
			return false
		}
		return f.Pkg().Path() == "strconv" || f.Pkg().Path() == "fmt" && strings.HasPrefix(f.Name(), "Sprint")
	case *ast.Ident:
		for cur := range loop.Preorder((*ast.AssignStmt)(nil)) {
			a := cur.Node().(*ast.AssignStmt)
			for i, to := range a.Lhs {
				id, ok := to.(*ast.Ident)
				if ok && a.Tok == token.DEFINE && len(a.Lhs) == len(a.Rhs) && c.TypesInfo.Defs[id] != nil &&
					c.TypesInfo.Defs[id] == c.TypesInfo.Uses[e] {
					return c.made(a.Rhs[i], loop)
				}
			}
		}
	}
	return false
}
