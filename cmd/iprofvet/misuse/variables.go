package misuse

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"
)

// variable is a local variable that has an entry, with what its function does with it.
type variable struct {
	name       *types.Var
	kind       kind
	owner      inspector.Cursor   // the function that declares it
	declared   inspector.Cursor   // the statement that declares it
	entries    []inspector.Cursor // assignments of an entry
	sets       []token.Pos        // all assignments
	ends       []token.Pos        // calls that end the entry, in place or deferred
	defers     []inspector.Cursor // the deferred ones
	elsewhere, // where another goroutine ends it
	passed []token.Pos // where it goes to another goroutine
	unknown bool // it is stored, returned, passed on or captured
}

// checkVariables checks the variables in the order of the file.
func (c *checker) checkVariables() {
	for cur := range c.root.Preorder((*ast.Ident)(nil)) {
		v, ok := c.TypesInfo.ObjectOf(cur.Node().(*ast.Ident)).(*types.Var)
		x := c.variables[v]
		if !ok || x == nil {
			continue
		}
		if _, declares := c.TypesInfo.Defs[cur.Node().(*ast.Ident)]; declares {
			x.owner, x.declared = function(cur), statement(cur)
		}
		c.use(x, cur)
	}
	byPlace := func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) }
	for _, v := range slices.SortedFunc(maps.Keys(c.variables), byPlace) {
		c.checkVariable(c.variables[v])
	}
}

// function returns the innermost function around a node.
func function(cur inspector.Cursor) inspector.Cursor {
	for f := range cur.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		if f != cur {
			return f
		}
	}
	return inspector.Cursor{}
}

// statement returns the innermost statement of a list, or of an if, for or switch, that a node is in.
func statement(cur inspector.Cursor) inspector.Cursor {
	for {
		switch cur.ParentEdgeKind() {
		case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body, edge.IfStmt_Init, edge.ForStmt_Init,
			edge.SwitchStmt_Init, edge.TypeSwitchStmt_Init, edge.LabeledStmt_Stmt, edge.CommClause_Comm, edge.Invalid:
			return cur
		}
		cur = cur.Parent()
	}
}

// use notes one use of a variable.
func (c *checker) use(x *variable, cur inspector.Cursor) {
	inner := function(cur)
	if inner != x.owner {
		c.capture(x, cur)
		return
	}
	at := outside(cur)
	switch parent := at.Parent().Node().(type) {
	case *ast.AssignStmt:
		if at.ParentEdgeKind() == edge.AssignStmt_Rhs {
			x.unknown = true
			return
		}
		x.sets = append(x.sets, at.Node().Pos())
		if len(parent.Lhs) == len(parent.Rhs) && c.entered(parent.Rhs[at.ParentEdgeIndex()]) {
			x.entries = append(x.entries, at.Parent())
		}
	case *ast.ValueSpec:
		switch {
		case at.ParentEdgeKind() != edge.ValueSpec_Names:
			x.unknown = true
		case len(parent.Values) == len(parent.Names) && c.entered(parent.Values[at.ParentEdgeIndex()]):
			x.sets, x.entries = append(x.sets, at.Node().Pos()), append(x.entries, at.Parent())
		}
	case *ast.SelectorExpr:
		c.useMethod(x, outside(at.Parent()), parent.Sel.Name)
	case *ast.CallExpr:
		if at.Parent().ParentEdgeKind() == edge.GoStmt_Call {
			x.passed = append(x.passed, at.Node().Pos())
		} else {
			x.unknown = true
		}
	default:
		x.unknown = true
	}
}

// useMethod notes s.M, where cur is the selector. Text and Value change nothing.
func (c *checker) useMethod(x *variable, cur inspector.Cursor, method string) {
	if cur.ParentEdgeKind() != edge.CallExpr_Fun {
		x.unknown = true
		return
	}
	if !x.kind.ends(method) {
		return
	}
	call := outside(cur.Parent())
	switch call.ParentEdgeKind() {
	case edge.GoStmt_Call:
		x.elsewhere = append(x.elsewhere, call.Node().Pos())
		return
	case edge.DeferStmt_Call:
		x.defers = append(x.defers, call.Parent())
	}
	x.ends = append(x.ends, call.Node().Pos())
}

// capture notes a use in a function literal inside the variable's function.
func (c *checker) capture(x *variable, cur inspector.Cursor) {
	literal := cur
	for f := function(cur); f != x.owner; f = function(f) {
		if !f.Valid() {
			x.unknown = true
			return
		}
		literal = f
	}
	at := outside(cur)
	selector, _ := at.Parent().Node().(*ast.SelectorExpr)
	method := selector != nil && outside(at.Parent()).ParentEdgeKind() == edge.CallExpr_Fun
	deferred, started := c.runs(literal)
	switch {
	case deferred && method:
		if x.kind.ends(selector.Sel.Name) {
			x.ends = append(x.ends, cur.Node().Pos())
		}
	case started && method && x.kind != logged:
		if x.kind.ends(selector.Sel.Name) {
			x.elsewhere = append(x.elsewhere, cur.Node().Pos())
		}
	default:
		x.unknown = true
	}
}

// runs reports whether a function literal is deferred, or started on a goroutine of its own.
func (c *checker) runs(literal inspector.Cursor) (deferred, started bool) {
	cur := outside(literal)
	call := cur.Parent()
	if cur.ParentEdgeKind() == edge.CallExpr_Fun {
		return call.ParentEdgeKind() == edge.DeferStmt_Call, call.ParentEdgeKind() == edge.GoStmt_Call
	}
	if cur.ParentEdgeKind() != edge.CallExpr_Args {
		return false, false
	}
	f, ok := typeutil.Callee(c.TypesInfo, call.Node().(*ast.CallExpr)).(*types.Func)
	return false, ok && slices.Contains(starters, f.FullName())
}

// starters call their argument on another goroutine.
var starters = []string{"(*sync.WaitGroup).Go", "(*golang.org/x/sync/errgroup.Group).Go", "time.AfterFunc"}

func (c *checker) checkVariable(x *variable) {
	name, away := x.name.Name(), x.elsewhere
	if len(x.ends) == 0 { // else the other goroutine may only describe it, by Text
		away = append(away, x.passed...)
	}
	if len(away) > 0 && !x.unknown {
		c.Reportf(away[0], leaves, "scope "+name)
		return
	}
	for _, d := range x.defers {
		c.checkDeferInLoop(d)
	}
	if x.unknown || len(x.entries) == 0 {
		return
	}
	if len(x.ends) == 0 {
		c.report(x.entries[0].Node(), "nothing ends scope %s: write %q in the next line", name,
			"defer "+name+x.kind.end())
		return
	}
	for _, entry := range x.entries {
		if at := statement(entry); at == x.declared || siblings(at, x.declared) {
			c.checkPaths(x, entry)
		}
	}
}

func siblings(a, b inspector.Cursor) bool {
	return a.Parent() == b.Parent() && a.ParentEdgeKind() == b.ParentEdgeKind()
}

// flow returns the control flow of a function.
func (c *checker) flow(function inspector.Cursor) *cfg.CFG {
	switch f := function.Node().(type) {
	case *ast.FuncDecl:
		return c.flows.FuncDecl(f)
	case *ast.FuncLit:
		return c.flows.FuncLit(f)
	}
	return nil
}
