package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// wait is a statement that only waits for a channel, or a waiting part of a statement.
type wait struct {
	begin, end int // offsets
	label      string
	endless    bool   // select {}
	paren      int    // offset of the parenthesis of a call with a used result; else 0
	muted      bool   // in an earlier run
	parts      []part // of a statement that also works
}

// longestWait is the greatest length of a channel's text in a zone's name, in bytes.
const longestWait = 40

// readWaits finds a function's waits: the whole body, or statements in it.
func (f *Function) readWaits(s *source, d declarations) {
	fset, body := s.fset, f.syntax
	waits, only := onlyWaits(body)
	if f.idle = waits && only; f.idle {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			f.addResult(fset, n)
		}
		for _, statement := range statements(n) {
			if labeled, ok := statement.(*ast.LabeledStmt); ok {
				statement = labeled.Stmt
			}
			if label := waitLabel(statement); label != "" {
				begin, end := fset.PositionFor(statement.Pos(), false), fset.PositionFor(statement.End(), false)
				f.waits = append(f.waits, wait{begin: begin.Offset, end: end.Offset, label: label,
					endless: label == waitForever})
			}
		}
		return true
	})
	f.readParts(s, d)
}

// addResult adds the wait of err := group.Wait(), even in the head of a condition.
func (f *Function) addResult(fset *token.FileSet, s *ast.AssignStmt) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return
	}
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || calledName(call) != ".Wait" {
		return
	}
	offset := func(p token.Pos) int { return fset.PositionFor(p, false).Offset }
	f.waits = append(f.waits, wait{begin: offset(call.Pos()), end: offset(call.End()), paren: offset(call.Lparen),
		label: waitFor(call.Fun.(*ast.SelectorExpr).X)})
}

const waitForever = "wait forever"

// waitLabel returns the name of the zone around a statement that only waits, or "". Such a statement is a send or a
// receive, a select or a range without bodies, or the call of a method Wait.
func waitLabel(s ast.Stmt) string {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if x, ok := received(s.X); ok {
			return waitFor(x)
		}
		if call, ok := s.X.(*ast.CallExpr); ok && calledName(call) == ".Wait" {
			return waitFor(call.Fun.(*ast.SelectorExpr).X)
		}
	case *ast.SendStmt:
		if calm(s.Chan) && calm(s.Value) {
			return waitFor(s.Chan)
		}
	case *ast.RangeStmt:
		if isChannel(s.X, true) && len(s.Body.List) == 0 {
			return waitFor(s.X)
		}
	case *ast.SelectStmt:
		for _, clause := range s.Body.List {
			c := clause.(*ast.CommClause)
			if len(c.Body) > 0 {
				return ""
			}
		}
		if _, only := onlyWaits(s); !only {
			return ""
		}
		switch len(s.Body.List) {
		case 0:
			return waitForever
		case 1:
			return "wait"
		}
		return fmt.Sprintf("wait for one of %d channels", len(s.Body.List))
	}
	return ""
}

func waitFor(channel ast.Expr) string {
	text := expressionText(channel)
	if len(text) > longestWait {
		return "wait"
	}
	return "wait for " + text
}

// onlyWaits reports whether a statement waits, and whether it only waits.
func onlyWaits(s ast.Stmt) (waits, only bool) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt, *ast.BranchStmt:
		return false, true
	case *ast.BlockStmt:
		return allWait(s.List)
	case *ast.LabeledStmt:
		return onlyWaits(s.Stmt)
	case *ast.ExprStmt:
		return waitsIn(s.X)
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 && simple(s.Lhs) {
			return waitsIn(s.Rhs[0])
		}
	case *ast.DeferStmt:
		return waitsIn(s.Call)
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			if _, ok := received(s.Results[0]); ok {
				return true, true
			}
		}
		return false, simple(s.Results)
	case *ast.IfStmt:
		return ifWaits(s)
	case *ast.ForStmt:
		waits, only = onlyWaits(s.Body)
		return waits, only && waits && calm(s.Init) && calm(s.Cond) && calm(s.Post)
	case *ast.RangeStmt:
		waits, only = onlyWaits(s.Body)
		waits = waits || isChannel(s.X, true)
		return waits, only && waits && (isChannel(s.X, true) || calm(s.X))
	case *ast.SelectStmt:
		return selectWaits(s)
	}
	return false, false
}

func allWait(list []ast.Stmt) (waits, only bool) {
	for _, s := range list {
		w, o := onlyWaits(s)
		if !o {
			return false, false
		}
		waits = waits || w
	}
	return waits, true
}

func ifWaits(s *ast.IfStmt) (waits, only bool) {
	first, onlyFirst := onlyWaits(s.Body)
	second, onlySecond := onlyWaits(s.Else)
	return first || second, onlyFirst && onlySecond && s.Init == nil && calm(s.Cond)
}

// selectWaits judges a select. A select with a default does not wait, and one with a send does more than wait.
func selectWaits(s *ast.SelectStmt) (waits, only bool) {
	for _, clause := range s.Body.List {
		c := clause.(*ast.CommClause)
		if c.Comm == nil {
			return false, false
		}
		if w, o := onlyWaits(c.Comm); !w || !o {
			return false, false
		}
		if _, o := allWait(c.Body); !o {
			return false, false
		}
	}
	return true, true
}

// addWaits inserts idle zones around a function's statements that only wait.
func (f *Function) addWaits(e *edits, t *table) (changed bool) {
	for _, w := range f.waitsMeasured() {
		if t.std && (w.paren > 0 || w.parts != nil) || t.old && w.generic() {
			continue
		}
		z := t.add(zone{label: w.label, idle: true})
		switch {
		case w.parts != nil:
			w.addParts(e, t, z)
		case w.endless: // the compiler must see that no code follows
			e.insert(w.begin, t.begin(z)+"; ")
		case w.paren > 0:
			e.insert(w.begin, t.auto+".Waited("+t.begin(z)+", ") // keeps the call of Wait in the program's function
			e.insert(w.end, ")")
		default:
			before, behind := t.around(z)
			e.insert(w.begin, before)
			e.insert(w.end, behind+" }")
		}
		changed = true
	}
	return changed
}

// generic reports whether the wait calls a function with type parameters.
func (w *wait) generic() bool {
	return w.paren > 0 || w.parts != nil && (strings.Contains(w.parts[0].text, "Waited") ||
		strings.Contains(w.parts[0].text, "Wait["))
}

// countWaits returns the function's number of idle zones.
func (f *Function) countWaits() int {
	if f.idle && f.Reason == "" {
		return 1
	}
	return len(f.waitsMeasured())
}

// countZones returns the function's number of zones, including idle ones.
func (f *Function) countZones() int {
	n := len(f.waitsMeasured())
	if f.Reason == "" {
		n++
	}
	return n
}

// waitsMeasured returns the statements with an idle zone.
func (f *Function) waitsMeasured() []wait {
	if f.skip != "" || f.Reason == excluded || f.idle {
		return nil
	}
	var list []wait
	for _, w := range f.waits {
		if !w.muted {
			list = append(list, w)
		}
	}
	return list
}
