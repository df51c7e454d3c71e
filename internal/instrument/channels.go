package instrument

import (
	"go/ast"
	"go/token"
	"strings"
)

// waitsIn judges an expression. A receive, a call of time.Sleep and a call of a method Wait are waits. Making and
// stopping a timer does not count as work.
func waitsIn(x ast.Expr) (waits, only bool) {
	if _, ok := received(x); ok {
		return true, true
	}
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false, false
	}
	switch calledName(call) {
	case "time.Sleep", ".Wait":
		return true, true
	case "time.NewTicker", "time.NewTimer", "time.Tick", "time.After", ".Stop":
		return false, true
	}
	return false, false
}

// received returns the channel of a receive.
func received(x ast.Expr) (channel ast.Expr, ok bool) {
	if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok && u.Op == token.ARROW && isChannel(u.X, false) {
		return u.X, true
	}
	return nil, false
}

// isChannel reports whether an expression is a channel and costs nothing. With sure the expression itself must prove
// it; without sure, use in a receive is enough.
func isChannel(x ast.Expr, sure bool) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return !sure || x.Obj != nil && declaresChannel(x.Obj.Decl, x.Name)
	case *ast.SelectorExpr:
		return x.Sel.Name == "C" && calm(x.X) || !sure && calm(x.X)
	case *ast.IndexExpr:
		return !sure && calm(x)
	case *ast.CallExpr:
		switch calledName(x) {
		case "time.After", "time.Tick", ".Done":
			return true
		}
	}
	return false
}

// declaresChannel reports whether a declaration declares name as a channel.
func declaresChannel(declaration any, name string) bool {
	switch d := declaration.(type) {
	case *ast.Field:
		return isChannelType(d.Type)
	case *ast.ValueSpec:
		return isChannelType(d.Type)
	case *ast.AssignStmt:
		for i, to := range d.Lhs {
			if id, ok := to.(*ast.Ident); !ok || id.Name != name || len(d.Rhs) != len(d.Lhs) {
				continue
			}
			call, ok := d.Rhs[i].(*ast.CallExpr)
			return ok && (calledName(call) == "time.Tick" || len(call.Args) > 0 && isChannelType(call.Args[0]))
		}
	}
	return false
}

func isChannelType(x ast.Expr) bool {
	_, ok := x.(*ast.ChanType)
	return ok
}

// calledName returns "time.Sleep" for a function of package time and ".Stop" for a method without arguments.
func calledName(call *ast.CallExpr) string {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if id, ok := selector.X.(*ast.Ident); ok && id.Obj == nil && id.Name == "time" {
		return "time." + selector.Sel.Name
	}
	if len(call.Args) == 0 && calm(selector.X) {
		return "." + selector.Sel.Name
	}
	return ""
}

// calm reports whether a node contains no calls.
func calm(n ast.Node) bool {
	if n == nil {
		return true
	}
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.FuncLit:
			found = true
		}
		return !found
	})
	return !found
}

func simple(list []ast.Expr) bool {
	for _, x := range list {
		if !calm(x) {
			return false
		}
	}
	return true
}

// expressionText returns the text of a channel: "world.ticker.C".
func expressionText(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return expressionText(x.X) + "." + x.Sel.Name
	case *ast.IndexExpr:
		return expressionText(x.X) + "[]"
	case *ast.CallExpr:
		return strings.TrimSuffix(expressionText(x.Fun), "()") + "()"
	}
	return "…"
}
