package misuse

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"
)

// A program may enter a zone under a condition, and end it under the same. So a path knows the conditions that it has
// passed, until it assigns to one of their variables.

// facts are conditions that hold or do not, by their keys. They are not changed.
type facts map[string]bool

func (f facts) with(key string, value bool) facts {
	f = maps.Clone(f)
	if f == nil {
		f = facts{}
	}
	f[key] = value
	return f
}

// key is the same for equal facts.
func (f facts) key() string {
	var all strings.Builder
	for _, k := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprint(&all, " ", k, f[k])
	}
	return all.String()
}

// opposite makes one of two comparisons, of which always one holds.
var opposite = map[token.Token]token.Token{token.NEQ: token.EQL, token.GEQ: token.LSS, token.LEQ: token.GTR}

// atom returns the key of a condition without && and ||, and whether the condition is its negation. The key has the
// places of its variables' declarations, as names can be hidden.
func (s *search) atom(e ast.Expr) (key string, negated bool) {
	e = ast.Unparen(e)
	if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		key, negated = s.atom(not.X)
		return key, !negated
	}
	if b, ok := e.(*ast.BinaryExpr); ok && opposite[b.Op] != token.ILLEGAL {
		other := *b
		other.Op = opposite[b.Op]
		e, negated = &other, true
	}
	key = types.ExprString(e)
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			key += s.mention(id)
		}
		return true
	})
	return key, negated
}

// mention is the part of a key that stands for a variable.
func (s *search) mention(id *ast.Ident) string {
	if o := s.TypesInfo.ObjectOf(id); o != nil {
		return fmt.Sprintf(" @%d;", o.Pos())
	}
	return ""
}

// count returns how often a function has each condition. What it has once tells nothing of others.
func (s *search) count(flow *cfg.CFG) map[string]int {
	counted := map[string]int{}
	for _, b := range flow.Blocks {
		if !b.Live {
			continue
		}
		for _, n := range b.Nodes {
			s.assigned(n, func(to, value ast.Expr) {
				if _, constant := s.constant(value); constant {
					key, _ := s.atom(to)
					counted[key]++
				}
			})
			if e, ok := n.(ast.Expr); ok {
				atoms(e, func(e ast.Expr) {
					key, _ := s.atom(e)
					counted[key]++
				})
			}
		}
	}
	return counted
}

// atoms calls f for the parts of a condition.
func atoms(e ast.Expr, f func(ast.Expr)) {
	e = ast.Unparen(e)
	if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		atoms(not.X, f)
		return
	}
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		atoms(b.X, f)
		atoms(b.Y, f)
		return
	}
	f(e)
}

// assigned calls f for each assignment in a node. The value is nil if it is no expression of its own.
func (s *search) assigned(n ast.Node, f func(to, value ast.Expr)) {
	var to, values []ast.Expr
	switch n := n.(type) {
	case *ast.AssignStmt:
		to, values = n.Lhs, n.Rhs
	case *ast.ValueSpec:
		for _, name := range n.Names {
			to = append(to, name)
		}
		values = n.Values
	case *ast.IncDecStmt:
		to = []ast.Expr{n.X}
	}
	for i, e := range to {
		var value ast.Expr
		if len(values) == len(to) {
			value = values[i]
		}
		f(e, value)
	}
}

// constant returns the value of a constant condition. Zones are checked as in a program that has them.
func (s *search) constant(e ast.Expr) (value, ok bool) {
	if e == nil {
		return false, false
	}
	t := s.TypesInfo.Types[e]
	if t.Value == nil || t.Value.Kind() != constant.Bool {
		return false, false
	}
	enabled := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "Enabled" {
			o := s.TypesInfo.ObjectOf(id)
			enabled = o != nil && ours(o)
		}
		return true
	})
	if _, simple := ast.Unparen(e).(*ast.UnaryExpr); enabled && !simple {
		return true, true
	}
	return constant.BoolVal(t.Value), !enabled
}

// change returns what is known after a node.
func (s *search) change(known facts, n ast.Node) facts {
	s.assigned(n, func(to, value ast.Expr) {
		if id, ok := ast.Unparen(to).(*ast.Ident); ok {
			mention := s.mention(id)
			if slices.ContainsFunc(slices.Collect(maps.Keys(known)), contains(mention)) {
				known = maps.Clone(known)
				maps.DeleteFunc(known, func(key string, _ bool) bool { return contains(mention)(key) })
			}
		}
		if v, ok := s.constant(value); ok {
			known = s.learn(known, to, v)
		}
	})
	return known
}

func contains(part string) func(string) bool {
	return func(s string) bool { return strings.Contains(s, part) }
}

// evaluate returns whether a condition holds, if that is certain.
func (s *search) evaluate(e ast.Expr, known facts) (value, certain bool) {
	if value, certain = s.constant(e); certain {
		return value, true
	}
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		decides := b.Op == token.LOR
		x, xCertain := s.evaluate(b.X, known)
		y, yCertain := s.evaluate(b.Y, known)
		if xCertain && x == decides || yCertain && y == decides {
			return decides, true
		}
		return !decides, xCertain && yCertain
	}
	if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		value, certain = s.evaluate(not.X, known)
		return !value, certain
	}
	key, negated := s.atom(e)
	value, certain = known[key]
	return value != negated, certain
}

// learn returns what is known where a condition has a value.
func (s *search) learn(known facts, e ast.Expr, value bool) facts {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		if value == (b.Op == token.LAND) {
			known = s.learn(s.learn(known, b.X, value), b.Y, value)
		}
		return known
	}
	if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		return s.learn(known, not.X, !value)
	}
	key, negated := s.atom(e)
	if s.counted[key] < 2 {
		return known
	}
	return known.with(key, value != negated)
}

// around returns the conditions that hold at a node, as it is inside their statements.
func (s *search) around(cur, owner inspector.Cursor) (known facts) {
	for ; cur != owner; cur = cur.Parent() {
		condition, _ := cur.Parent().Node().(*ast.IfStmt)
		switch cur.ParentEdgeKind() {
		case edge.IfStmt_Body:
			known = s.learn(known, condition.Cond, true)
		case edge.IfStmt_Else:
			known = s.learn(known, condition.Cond, false)
		}
	}
	return known
}
