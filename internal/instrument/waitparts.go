package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// part is a text to insert at an offset, where a wait begins or ends. $B stands for the beginning of its scope, $V for
// a variable that holds it, $A for package auto.
type part struct {
	at   int
	text string
}

// addParts inserts the parts of wait number n of a file.
func (w *wait) addParts(e *edits, t *table, zone string) {
	variable := fmt.Sprintf("%sWait%d", t.auto, len(t.zones))
	with := strings.NewReplacer("$B", t.begin(zone), "$V", variable, "$A", t.auto)
	for _, p := range w.parts {
		e.insert(p.at, with.Replace(p.text))
	}
}

// waitReader finds waits within working statements: the scope begins before the receive and ends behind it.
type waitReader struct {
	f        *Function
	in       *source
	types    declarations
	leaps    bool              // the function has a goto, which may not jump over declarations
	passed   map[ast.Node]bool // read, with all in them
	deferred map[ast.Node]bool // calls of go and defer statements: only their arguments wait here
	pair     map[ast.Node]bool // receives with two values
}

func (r *waitReader) offset(p token.Pos) int { return r.in.offset(p) }

func (r *waitReader) add(label string, parts ...part) {
	r.f.waits = append(r.f.waits, wait{label: label, parts: parts})
}

// readParts finds the waits within statements of a function.
func (f *Function) readParts(s *source, d declarations) {
	body := f.syntax
	r := &waitReader{f: f, in: s, types: d, passed: map[ast.Node]bool{}, deferred: map[ast.Node]bool{},
		pair: map[ast.Node]bool{}}
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			r.leaps = true
		}
		return !isLiteral(n)
	})
	ast.Inspect(body, func(n ast.Node) bool {
		if isLiteral(n) || r.passed[n] {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt:
			r.deferred[n.Call] = true // another goroutine waits
		case *ast.DeferStmt:
			r.deferred[n.Call] = true
		case *ast.AssignStmt:
			r.pairs(len(n.Lhs), n.Rhs)
		case *ast.ValueSpec:
			r.pairs(len(n.Names), n.Values)
		}
		for _, s := range statements(n) {
			r.statement(s)
		}
		r.head(n)
		if x, ok := n.(ast.Expr); ok {
			r.expression(x)
		}
		return true
	})
}

// pairs notes a receive with two values, which can be no argument of a call.
func (r *waitReader) pairs(to int, from []ast.Expr) {
	if to == 2 && len(from) == 1 {
		r.pair[ast.Unparen(from[0])] = true
	}
}

func isLiteral(n ast.Node) bool {
	_, is := n.(*ast.FuncLit)
	return is
}

// statement reads a statement of a block.
func (r *waitReader) statement(s ast.Stmt) {
	begin, label := s.Pos(), ""
	if labeled, ok := s.(*ast.LabeledStmt); ok {
		s, label = labeled.Stmt, labeled.Label.Name
	}
	if waitLabel(s) != "" {
		r.passed[s] = true
		return
	}
	switch s := s.(type) {
	case *ast.SelectStmt:
		r.selection(s, begin)
	case *ast.RangeStmt:
		if !r.leaps && (isChannel(s.X, true) || calm(s.X) && r.types.isChannel(s.X, r.in)) {
			r.loop(s, label, begin)
		}
	case *ast.ForStmt:
		r.rounds(s, label, begin)
	default:
		if from := r.severalFrom(s); from != nil && !r.leaps {
			r.add(waitFor(from), part{r.offset(begin), "$V := $B; "}, part{r.offset(s.End()), "; $V.End()"})
		}
	}
}

// selection adds a select with work after the wait.
func (r *waitReader) selection(s *ast.SelectStmt, begin token.Pos) {
	parts := []part{{r.offset(begin), "$V := $B; "}}
	label := fmt.Sprintf("wait for one of %d channels", len(s.Body.List))
	for _, clause := range s.Body.List {
		c := clause.(*ast.CommClause)
		if c.Comm == nil {
			parts = nil // no wait
			break
		}
		if r.passed[c.Comm] = true; len(s.Body.List) == 1 {
			label = "wait"
		}
		parts = append(parts, part{r.offset(c.Colon) + 1, " $V.End();"})
	}
	for _, clause := range s.Body.List {
		if c := clause.(*ast.CommClause); c.Comm != nil {
			r.passed[c.Comm] = true
		}
	}
	if parts != nil && !r.leaps {
		r.add(label, parts...)
	}
}

// loop adds a range over a channel. The scope is open between two rounds, so a continue begins it, too.
func (r *waitReader) loop(s *ast.RangeStmt, label string, begin token.Pos) {
	parts := append([]part{{r.offset(begin), "$V := $B; "}}, r.between(s.Body, label)...)
	r.add(waitFor(s.X), append(parts, part{r.offset(s.End()), "; $V.End()"})...)
}

// between returns the parts that begin a scope before each next round of a loop, and end it when the round begins.
func (r *waitReader) between(body *ast.BlockStmt, label string) []part {
	parts := []part{{r.offset(body.Lbrace) + 1, " $V = $A.Done($V);"}}
	for _, at := range continues(body, label, true) {
		parts = append(parts, part{r.offset(at), "$V = $B; "})
	}
	return append(parts, part{r.offset(body.Rbrace), "; $V = $B "})
}

// continues returns the positions of continue statements of the loop with a label. own means that a continue without a
// label belongs to the loop.
func continues(body ast.Node, label string, own bool) (list []token.Pos) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			if own {
				list = append(list, continues(n, label, false)...)
			}
			return !own
		case *ast.RangeStmt:
			if own {
				list = append(list, continues(n, label, false)...)
			}
			return !own
		case *ast.BranchStmt:
			if n.Tok == token.CONTINUE && (n.Label == nil && own || n.Label != nil && n.Label.Name == label) {
				list = append(list, n.Pos())
			}
		}
		return true
	})
	return list
}

// expression adds a receive with a used value, and a waiting call.
func (r *waitReader) expression(x ast.Expr) {
	if r.deferred[x] || r.pair[x] {
		return
	}
	before, behind := "$A.Waited($B, ", ")"
	var from ast.Expr
	u, ok := x.(*ast.UnaryExpr)
	if ok = ok && u.Op == token.ARROW && isChannel(u.X, false); ok {
		from = u.X
	}
	if c := r.call(x); c.results == 1 || c.results == 2 && c.with != "" {
		from, ok = c.from, true
		if c.results == 2 {
			before = "$A." + c.with + "($B).Of("
		}
	}
	if ok {
		r.add(waitFor(from), part{r.offset(x.Pos()), before}, part{r.offset(x.End()), behind})
	}
}

// waitingCall is a waiting call.
type waitingCall struct {
	from    ast.Expr // the awaited object
	results int      // number of results; 0 if it does not wait
	with    string   // the type of package auto that takes two results; "" if unknown
}

// call judges a call: of a method of a connection, a listener, a command or a screen, or of package io with such a
// connection.
func (r *waitReader) call(x ast.Expr) waitingCall {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return waitingCall{}
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return waitingCall{}
	}
	of, method, arguments := selector.X, selector.Sel.Name, len(call.Args)
	if local, _, imported := r.in.imported(selector); imported {
		if r.in.imports[local] == "io" && (method == "ReadFull" || method == "ReadAtLeast") && arguments > 1 &&
			r.is(call.Args[0], "Read", connections) {
			return waitingCall{call.Args[0], 2, "WaitRead"}
		}
		if loops[r.in.imports[local]+"."+method] {
			return waitingCall{of, 1, ""}
		}
		return waitingCall{}
	}
	switch {
	case method == "Read" && arguments == 1 && r.is(of, method, connections):
		return waitingCall{of, 2, "WaitRead"}
	case strings.HasPrefix(method, "ReadFrom") && arguments == 1 && r.is(of, method, packets):
		return waitingCall{of, 3, ""}
	case (method == "Serve" || method == "ServeTLS") && r.is(of, method, servers):
		return waitingCall{of, 1, ""}
	case (method == "ListenAndServe" || method == "ListenAndServeTLS") && r.is(of, method, servers):
		return waitingCall{of, 1, ""}
	case arguments > 0:
	case method == "Run" && r.is(of, method, slices.Concat(commands, testers)):
		return waitingCall{of, 1, ""}
	case method == "Run" && r.is(of, method, screens):
		return waitingCall{of, 2, r.withModel()}
	case (method == "Output" || method == "CombinedOutput") && r.is(of, method, commands):
		return waitingCall{of, 2, "WaitOutput"}
	case accepted[method] != "" && calm(of):
		c := waitingCall{from: of, results: 2}
		if r.is(of, method, listeners) {
			c.with = r.with("net", strings.TrimPrefix(accepted[method], "net."))
		}
		return c
	}
	return waitingCall{}
}

// is reports whether an expression has one of the types and costs nothing, or little: exec.Command("git").
func (r *waitReader) is(x ast.Expr, method string, types []string) bool {
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok {
		_, _, imported := r.in.imported(call.Fun)
		return imported && simple(call.Args) && r.types.is(x, r.in, method, types)
	}
	return calm(x) && r.types.is(x, r.in, method, types)
}

// withModel is with for the result of Run of a screen.
func (r *waitReader) withModel() (with string) {
	for _, screen := range screens {
		with = cmp.Or(with, r.with(strings.TrimSuffix(screen, ".Program"), "Model"))
	}
	return with
}

// with returns the type of package auto for a first result of a type of another package, "" if the file does not import
// that.
func (r *waitReader) with(path, name string) string {
	for _, local := range sortedKeys(r.in.imports) {
		if at := r.in.imports[local]; at == path && local != "_" && local != "." {
			return "Wait[" + local + "." + name + "]"
		}
	}
	return ""
}
