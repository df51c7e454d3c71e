package instrument

import (
	"cmp"
	"go/ast"
	"go/token"
)

// severalFrom returns what a statement waits for that is no expression: an assignment or a declaration of several
// variables, or a send. It returns nil for other statements.
func (r *waitReader) severalFrom(s ast.Stmt) (from ast.Expr) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return r.several(len(s.Lhs), s.Rhs)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR && len(d.Specs) == 1 {
			v := d.Specs[0].(*ast.ValueSpec)
			return r.several(len(v.Names), v.Values)
		}
	}
	return nil
}

// several is severalFrom for a number of variables and the values that they get.
func (r *waitReader) several(to int, values []ast.Expr) (from ast.Expr) {
	if to < 2 || len(values) != 1 {
		return nil
	}
	x := ast.Unparen(values[0])
	if from, ok := received(x); ok {
		return from
	}
	if c := r.call(x); c.results == to {
		r.passed[values[0]] = true
		return c.from
	}
	return nil
}

// head reads the head of a statement.
func (r *waitReader) head(n ast.Node) {
	if r.leaps {
		return
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		r.condition(n)
	case *ast.SwitchStmt:
		r.choice(n.Init, n.End())
	case *ast.TypeSwitchStmt:
		r.choice(n.Init, n.End())
	}
}

// initial returns what the first statement of a head waits for.
func (r *waitReader) initial(s ast.Stmt) (from ast.Expr) {
	if send, ok := s.(*ast.SendStmt); ok && calm(send.Chan) && calm(send.Value) {
		r.passed[s] = true
		return send.Chan
	}
	return r.severalFrom(s)
}

// condition adds a wait in the head of a condition: if v, ok := <-c; ok { … } becomes
//
//	if $V := $B; 0 == 0 { v, ok := <-c; $V.End(); if ; ok { … } } else { for { } }
//
// The last part lets the compiler see that no code follows where both branches return.
func (r *waitReader) condition(s *ast.IfStmt) {
	if from := r.initial(s.Init); from != nil {
		r.addHead(from, s.Init, part{r.offset(s.Init.Pos()), "$V := $B; 0 == 0 { "},
			part{r.offset(s.Init.End()), "; $V.End(); if "}, part{r.offset(s.End()), " } else { for { } }"})
	}
}

// choice adds a wait in the head of a switch: switch v, ok := <-c; v { … } becomes
//
//	switch $V := $B; { default: v, ok := <-c; $V.End(); switch ; v { … } }
func (r *waitReader) choice(first ast.Stmt, end token.Pos) {
	if from := r.initial(first); from != nil {
		r.addHead(from, first, part{r.offset(first.Pos()), "$V := $B; { default: "},
			part{r.offset(first.End()), "; $V.End(); switch "}, part{r.offset(end), " }"})
	}
}

// rounds adds the waits in the head of a loop. They are one zone. The condition is in it, so it must cost nothing.
func (r *waitReader) rounds(s *ast.ForStmt, label string, begin token.Pos) {
	if r.leaps || !calm(s.Cond) {
		return
	}
	first, next := r.initial(s.Init), r.initial(s.Post)
	if first == nil && next == nil {
		return
	}
	parts := []part{{r.offset(begin), "var $V $A.Scope; "}, {r.offset(s.Body.Lbrace) + 1, " $V = $A.Done($V);"}}
	if first != nil {
		parts[0].text = "$V := $B; "
	}
	if next != nil {
		parts = append(parts[:1], r.between(s.Body, label)...)
	}
	if s.Cond != nil { // else the loop ends in its body alone, and the compiler must see that
		parts = append(parts, part{r.offset(s.End()), "; $V.End()"})
	}
	wait := s.Post
	if first != nil {
		wait = s.Init
	}
	r.addHead(cmp.Or(first, next), wait, parts...)
}

// addHead adds a wait whose parts are around more than the waiting statement.
func (r *waitReader) addHead(from ast.Expr, s ast.Stmt, parts ...part) {
	r.f.waits = append(r.f.waits, wait{label: waitFor(from), begin: r.offset(s.Pos()), end: r.offset(s.End()),
		parts: parts})
}
