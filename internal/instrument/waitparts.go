package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// part is a text that is inserted at an offset: a wait begins or ends there. $B stands for the beginning of its scope,
// $V for a variable that holds it, $A for package auto.
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

// waitReader finds waits beside other work: the scope begins before the receive and ends behind it.
type waitReader struct {
	f      *Function
	fset   *token.FileSet
	leaps  bool // the function has a goto, which no declaration may stand in the way of
	passed map[ast.Node]bool
}

func (r *waitReader) offset(p token.Pos) int { return r.fset.PositionFor(p, false).Offset }

func (r *waitReader) add(label string, parts ...part) {
	r.f.waits = append(r.f.waits, wait{label: label, parts: parts})
}

// readParts finds the waits of a function that are parts of its statements.
func (f *Function) readParts(fset *token.FileSet, body *ast.BlockStmt) {
	r := &waitReader{f: f, fset: fset, passed: map[ast.Node]bool{}}
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
		for _, s := range statements(n) {
			r.statement(s)
		}
		if x, ok := n.(ast.Expr); ok {
			r.expression(x)
		}
		return true
	})
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
		if isChannel(s.X, true) && !r.leaps {
			r.loop(s, label, begin)
		}
	case *ast.AssignStmt:
		if len(s.Lhs) != 2 || len(s.Rhs) != 1 {
			return
		}
		x, ok := received(s.Rhs[0])
		if r.passed[s.Rhs[0]] = ok; !ok {
			x, ok = connection(s.Rhs[0])
		}
		if ok && !r.leaps {
			r.add(waitFor(x), part{r.offset(begin), "$V := $B; "}, part{r.offset(s.End()), "; $V.End()"})
		}
	}
}

// selection adds a select that does something when it has waited.
func (r *waitReader) selection(s *ast.SelectStmt, begin token.Pos) {
	parts := []part{{r.offset(begin), "$V := $B; "}}
	label := fmt.Sprintf("wait for one of %d channels", len(s.Body.List))
	for _, clause := range s.Body.List {
		c := clause.(*ast.CommClause)
		if c.Comm == nil {
			parts = nil // it does not wait
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
	parts := []part{{r.offset(begin), "$V := $B; "}, {r.offset(s.Body.Lbrace) + 1, " $V = $A.Done($V);"}}
	for _, at := range continues(s.Body, label, true) {
		parts = append(parts, part{r.offset(at), "$V = $B; "})
	}
	parts = append(parts, part{r.offset(s.Body.Rbrace), "; $V = $B "}, part{r.offset(s.End()), "; $V.End()"})
	r.add(waitFor(s.X), parts...)
}

// continues returns where the next round of a loop with a label begins early. own says that a continue without a label
// is the loop's.
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

// expression adds a receive whose value is used, and a call that waits for another program.
func (r *waitReader) expression(x ast.Expr) {
	what, ok := received(x)
	if call, is := x.(*ast.CallExpr); is && !ok {
		what, ok = otherProgram(call)
	}
	if ok && !r.passed[x] {
		r.add(waitFor(what), part{r.offset(x.Pos()), "$A.Waited($B, "}, part{r.offset(x.End()), ")"})
	}
}

// connection returns what the result of a call with two results is awaited from: a connection or a listener.
func connection(x ast.Expr) (from ast.Expr, ok bool) {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !calm(selector.X) {
		return nil, false
	}
	switch selector.Sel.Name {
	case "Accept", "AcceptTCP", "AcceptUnix":
		return selector.X, len(call.Args) == 0
	case "Read":
		return selector.X, len(call.Args) == 1 && declaredAs(selector.X, "net.Conn", "net.TCPConn", "net.UnixConn")
	case "Output", "CombinedOutput":
		return selector.X, len(call.Args) == 0 && declaredAs(selector.X, "exec.Cmd")
	}
	return nil, false
}

// otherProgram returns what a call with one result waits for: a command, or the tests of a test program.
func otherProgram(call *ast.CallExpr) (from ast.Expr, ok bool) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != "Run" || len(call.Args) > 0 {
		return nil, false
	}
	return selector.X, declaredAs(selector.X, "exec.Cmd", "testing.M")
}

// declaredAs reports whether the declaration of a variable says that it is of one of the types, or points to one.
func declaredAs(x ast.Expr, types ...string) bool {
	id, ok := x.(*ast.Ident)
	if !ok || id.Obj == nil {
		return false
	}
	var of ast.Expr
	switch d := id.Obj.Decl.(type) {
	case *ast.Field:
		of = d.Type
	case *ast.ValueSpec:
		of = d.Type
	case *ast.AssignStmt:
		if call, ok := d.Rhs[0].(*ast.CallExpr); ok && len(d.Rhs) == 1 {
			of = made[expressionText(call.Fun)]
			if _, accepts := connection(call); accepts && strings.HasSuffix(expressionText(call.Fun), ".Accept") {
				of = made["net.Dial"]
			}
		}
	}
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	text := ""
	if of != nil {
		text = expressionText(of)
	}
	for _, t := range types {
		if t == text {
			return true
		}
	}
	return false
}

// made has the types of what functions return.
var made = map[string]ast.Expr{
	"exec.Command": typeNamed("exec", "Cmd"), "exec.CommandContext": typeNamed("exec", "Cmd"),
	"net.Dial": typeNamed("net", "Conn"), "net.DialTimeout": typeNamed("net", "Conn"),
}

func typeNamed(pkg, name string) ast.Expr {
	return &ast.SelectorExpr{X: ast.NewIdent(pkg), Sel: ast.NewIdent(name)}
}
