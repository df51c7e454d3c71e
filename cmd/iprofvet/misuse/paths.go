package misuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"
)

// mostStates is how many states of a function a search visits before it gives up, without a finding.
const mostStates = 10_000

// search follows all paths of a function from an entry to its end. It finds where they leave without one.
type search struct {
	*checker
	x       *variable
	entry   ast.Node
	counted map[string]int // how often a condition occurs, by its key
	seen    map[string]bool
	found   []exit
}

// exit is a place where the entry is still open.
type exit struct {
	at   token.Pos
	what string // with the line
}

// place is a node in a control flow, with the conditions that are known there.
type place struct {
	block *cfg.Block
	node  int
	known facts
}

// checkPaths reports an entry that is open on a path out of the function, or when its variable gets the next.
func (c *checker) checkPaths(x *variable, entry inspector.Cursor) {
	flow := c.flow(x.owner)
	start, ok := find(flow, entry.Node())
	s := &search{checker: c, x: x, entry: entry.Node(), seen: map[string]bool{}}
	if !ok || s.endsInRounds(flow) {
		return
	}
	s.counted = s.count(flow)
	start.known = s.around(entry, x.owner)
	start.node++
	for open := []place{start}; len(open) > 0; {
		p := open[len(open)-1]
		open = append(open[:len(open)-1], s.step(p)...)
		if len(s.seen) > mostStates {
			return
		}
	}
	if len(s.found) == 0 {
		return
	}
	first := slices.MinFunc(s.found, func(a, b exit) int { return int(a.at - b.at) })
	name := x.name.Name()
	c.Report(analysis.Diagnostic{Pos: entry.Node().Pos(), End: entry.Node().End(),
		Message: fmt.Sprintf("scope %s is still open %s: write %q in the next line, or end it there", name,
			fmt.Sprintf(first.what, c.line(first.at)), "defer "+name+x.kind.end()),
		Related: []analysis.RelatedInformation{{Pos: first.at, Message: "still open here"}}})
}

// find returns the place of a statement. Statements of select stand in the block before.
func find(flow *cfg.CFG, n ast.Node) (p place, ok bool) {
	for _, b := range flow.Blocks {
		if i := slices.Index(b.Nodes, n); i >= 0 && b.Live {
			return place{block: b, node: i}, true
		}
	}
	return place{}, false
}

// step follows a block from a place on, and returns where its paths go on.
func (s *search) step(p place) (next []place) {
	known := p.known
	for _, n := range p.block.Nodes[p.node:] {
		if s.ends(n) || s.leaves(n) {
			return nil
		}
		known = s.change(known, n)
	}
	for _, to := range s.choose(p.block, known) {
		state := fmt.Sprint(to.block.Index, to.known.key())
		if !s.seen[state] {
			s.seen[state] = true
			next = append(next, to)
		}
	}
	return next
}

// ends reports whether a node ends the entry, at once or deferred, or closes the whole lane.
func (s *search) ends(n ast.Node) bool {
	if slices.ContainsFunc(s.x.ends, func(p token.Pos) bool { return n.Pos() <= p && p < n.End() }) {
		return true
	}
	f, ok := s.called(n).(*types.Func)
	return ok && f.FullName() == "(*"+module+"/internal/measure.Lane).Close"
}

// endsInRounds reports whether the function can reach an end twice without a new entry. Then the program knows in which
// round of a loop it ends the scope, and the search does not.
func (s *search) endsInRounds(flow *cfg.CFG) bool {
	for _, b := range flow.Blocks {
		if slices.ContainsFunc(b.Nodes, s.ends) && s.repeats(b, s.sets) {
			return true
		}
	}
	return false
}

// repeats reports whether a function can reach a block twice without passing a node.
func (c *checker) repeats(start *cfg.Block, passing func(ast.Node) bool) bool {
	seen := map[*cfg.Block]bool{}
	for open := []*cfg.Block{start}; len(open) > 0; {
		b := open[len(open)-1]
		open = open[:len(open)-1]
		if slices.ContainsFunc(b.Nodes, passing) {
			continue
		}
		for _, to := range c.next(b) {
			if to == start {
				return true
			}
			if !seen[to] {
				seen[to] = true
				open = append(open, to)
			}
		}
	}
	return false
}

// sets reports whether a node assigns to the variable.
func (s *search) sets(n ast.Node) bool {
	switch n.(type) {
	case *ast.AssignStmt, *ast.ValueSpec:
		return slices.ContainsFunc(s.x.sets, func(p token.Pos) bool { return n.Pos() <= p && p < n.End() })
	}
	return false
}

// leaves notes an exit if a node leaves the function, or gives the variable another value.
func (s *search) leaves(n ast.Node) bool {
	what, at := "", n.Pos()
	switch n := n.(type) {
	case *ast.ReturnStmt:
		if what = "at the return in line %d"; n.Return == s.x.owner.Node().End()-1 {
			what = "at the end of the function, line %d"
		}
	case *ast.ExprStmt:
		if b, ok := s.called(n).(*types.Builtin); ok && b.Name() == "panic" {
			what = "after the panic in line %d, if that is recovered"
		}
	case *ast.AssignStmt, *ast.ValueSpec:
		if s.sets(n) {
			if what = "when the variable is set in line %d"; n == s.entry {
				what = "in the next round of the loop, line %d"
			}
		}
	}
	if what != "" {
		s.found = append(s.found, exit{at, what})
	}
	return what != ""
}

// called returns the function that a node calls or defers.
func (c *checker) called(n ast.Node) types.Object {
	switch n := n.(type) {
	case *ast.ExprStmt:
		if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok {
			return typeutil.Callee(c.TypesInfo, call)
		}
	case *ast.DeferStmt:
		return typeutil.Callee(c.TypesInfo, n.Call)
	}
	return nil
}

// choose returns the successors of a block that a path with these conditions can take.
func (s *search) choose(b *cfg.Block, known facts) (next []place) {
	all := s.next(b)
	if len(all) != 2 || all[0].Kind != cfg.KindIfThen && all[0].Kind != cfg.KindForBody {
		for _, to := range all {
			next = append(next, place{block: to, known: known})
		}
		return next
	}
	condition := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	value, certain := s.evaluate(condition, known)
	for i, holds := range []bool{true, false} {
		if !certain || value == holds {
			next = append(next, place{block: all[i], known: s.learn(known, condition, holds)})
		}
	}
	return next
}

// next returns the successors of a block. The body of "for range z.Span" runs once, so its head leads into the body
// from the blocks before it, and out of the loop from those after it.
func (c *checker) next(b *cfg.Block) (next []*cfg.Block) {
	for _, to := range b.Succs {
		if r, ok := to.Stmt.(*ast.RangeStmt); ok && to.Kind == cfg.KindRangeLoop && c.isSpan(r) {
			if b.Index < to.Index {
				to = to.Succs[0]
			} else {
				to = to.Succs[1]
			}
		}
		next = append(next, to)
	}
	return next
}

// isSpan reports whether a loop is over Zone.Span, which measures a block.
func (c *checker) isSpan(r *ast.RangeStmt) bool {
	selector, ok := ast.Unparen(r.X).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o := c.TypesInfo.ObjectOf(selector.Sel)
	return o != nil && o.Name() == "Span" && ours(o)
}

// checkDeferInLoop reports a defer that its function reaches again before it returns.
func (c *checker) checkDeferInLoop(at inspector.Cursor) {
	never := func(ast.Node) bool { return false }
	if start, ok := find(c.flow(function(at)), at.Node()); ok && c.repeats(start.block, never) {
		c.report(at.Node(), "a defer in a loop ends the zone with the function, not with the round: write %q",
			"for range z.Span { … }")
	}
}
