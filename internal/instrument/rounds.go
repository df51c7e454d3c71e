package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"example.com/iprof/internal/sampled"
)

// The body of a loop over an iterator is a function of the compiler's, which the iterator calls. It gets a zone of its
// own, so that its time is not the iterator's. Reports add it to the row of the function with the loop.

// addRound adds the zone of the body of a loop over an iterator. A statement that leaves an outer body, too, ends only
// the scope of the inner one: the iterators still run. So a body may find its last scope open.
func (f *Function) addRound(r *bodyReader, loop *ast.RangeStmt) {
	s, body := r.in, loop.Body
	begin := loop.Pos()
	if at, ok := r.labels[loop]; ok {
		begin = at
	}
	parts := []part{{s.offset(begin), "var $V $A.Scope; "}, {s.offset(body.Lbrace) + 1, " $V.End(); $V = $B;"}}
	if r.leaps { // a goto may not jump over a declaration
		parts = []part{{s.offset(body.Lbrace) + 1, " $V := $B;"}}
	}
	for _, at := range r.exits(body) {
		parts = append(parts, part{s.offset(at), "$V = $A.Done($V); "})
	}
	if parts = append(parts, part{s.offset(body.Rbrace), "; $V = $A.Done($V) "}); !r.leaps {
		parts = append(parts, part{s.offset(loop.End()), "; $V.End()"})
	}
	line := s.fset.PositionFor(loop.For, false).Line
	f.rounds = append(f.rounds, wait{label: fmt.Sprintf("%s%s%d", f.Label(), sampled.RoundsOf, line), parts: parts})
}

// addRounds inserts the zones of bodies of loops.
func (f *Function) addRounds(e *edits, t *table) (changed bool) {
	if f.skip != "" || f.Reason == excluded || t.std {
		return false
	}
	for i := range f.rounds {
		w := &f.rounds[i]
		w.addParts(e, t, t.add(zone{label: w.label, computes: f.Computes, loose: true}))
	}
	return len(f.rounds) > 0
}

// exits returns the positions of the statements that may leave the body of a loop, but for its end and for those in
// bodies of inner loops over iterators.
func (r *bodyReader) exits(body *ast.BlockStmt) (list []token.Pos) {
	inside := map[string]bool{} // labels
	ast.Inspect(body, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok {
			inside[l.Label.Name] = true
		}
		return !isLiteral(n)
	})
	var read func(n ast.Node, loops, breaks bool) // breaks: a break is of an inner statement; loops: a continue, too
	read = func(in ast.Node, loops, breaks bool) {
		ast.Inspect(in, func(n ast.Node) bool {
			if n == in {
				return true
			}
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.RangeStmt:
				if !r.isRound(n) {
					read(n, true, true)
				}
				return false
			case *ast.ForStmt:
				read(n, true, true)
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				read(n, loops, true)
				return false
			case *ast.ReturnStmt:
				list = append(list, n.Pos())
			case *ast.BranchStmt:
				stays := n.Tok == token.BREAK && breaks || n.Tok == token.CONTINUE && loops ||
					n.Tok == token.FALLTHROUGH
				if n.Label != nil {
					stays = inside[n.Label.Name]
				}
				if !stays {
					list = append(list, n.Pos())
				}
			}
			return true
		})
	}
	read(body, false, false)
	return list
}

// isRound reports whether the body of a loop gets a zone.
func (r *bodyReader) isRound(s *ast.RangeStmt) bool {
	t := r.info.TypeOf(s.X)
	return t != nil && isFunction(t) && r.mayHaveZone(s.X)
}

// mayHaveZone reports whether an iterator may be a function with a zone: it is not one of a package without zones that
// gets no functions.
func (r *bodyReader) mayHaveZone(x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return true
	}
	var name *ast.Ident
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		name = fun
	case *ast.SelectorExpr:
		name = fun.Sel
	default:
		return true
	}
	f, ok := r.info.Uses[name].(*types.Func)
	if !ok || f.Pkg() == nil || r.measured[f.Pkg().Path()] {
		return true
	}
	return slices.ContainsFunc(call.Args, func(x ast.Expr) bool {
		t := r.info.TypeOf(x)
		return t != nil && isFunction(t)
	})
}
