package instrument

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"sync"
)

// loader checks the types of measured packages. It takes those of imported packages from the compiler's output. Files
// of another version of Go may be unreadable; then types are not known. Any goroutine may use it.
type loader struct {
	sync.Mutex
	from     types.Importer
	measured map[string]bool // import paths
}

func newImporter(sources []*source, exports map[string]string) *loader {
	l := &loader{measured: map[string]bool{}}
	for _, s := range sources {
		l.measured[s.pkg] = true
	}
	l.from = importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("the compiler wrote no types of %s", path)
		}
		return os.Open(exports[path])
	})
	return l
}

// Import returns the types of a package.
func (l *loader) Import(path string) (*types.Package, error) {
	l.Lock()
	defer l.Unlock()
	return l.from.Import(path)
}

// bodies returns the functions of a package, by full name or function literal.
func (l *loader) bodies(sources []*source) map[any]*body {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	var files []*ast.File
	for _, s := range sources {
		files = append(files, s.file)
	}
	c := types.Config{Importer: l, FakeImportC: true, Error: func(error) {}} // the go command reports errors
	_, _ = c.Check(sources[0].pkg, sources[0].fset, files, info)
	found := map[any]*body{}
	for _, s := range sources {
		r := &bodyReader{loader: l, in: s, info: info, values: map[types.Object][]ast.Expr{}}
		r.readValues()
		r.readFile(found)
	}
	return found
}

// bodyReader reads the functions of a file.
type bodyReader struct {
	*loader
	in     *source
	info   *types.Info
	values map[types.Object][]ast.Expr // that are assigned to local variables; nil stands for an unknown one

	of       *Function // the function that is read
	to       *body
	labels   map[ast.Stmt]token.Pos // of labeled statements
	leaps    bool                   // it has a goto
	compound map[int]bool           // offsets of selects and loops, and of their labels
}

// readValues finds the values of local variables with functions.
func (r *bodyReader) readValues() {
	note := func(to []ast.Expr, values []ast.Expr) {
		for i, x := range to {
			if id, ok := x.(*ast.Ident); ok && len(values) == len(to) {
				r.assign(id, values[i])
			} else if ok {
				r.assign(id, nil)
			}
		}
	}
	ast.Inspect(r.in.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			note(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == len(n.Names) {
					r.assign(id, n.Values[i])
				} else if len(n.Values) > 0 {
					r.assign(id, nil)
				}
			}
		case *ast.RangeStmt:
			note([]ast.Expr{n.Key, n.Value}, nil)
		case *ast.UnaryExpr:
			if id, ok := n.X.(*ast.Ident); ok && n.Op == token.AND {
				r.assign(id, nil)
			}
		}
		return true
	})
}

func (r *bodyReader) assign(to *ast.Ident, value ast.Expr) {
	if v := r.object(to); v != nil && isFunction(v.Type()) {
		r.values[v] = append(r.values[v], value)
	}
}

func (r *bodyReader) object(id *ast.Ident) types.Object {
	if o := r.info.Defs[id]; o != nil {
		return o
	}
	return r.info.Uses[id]
}

func isFunction(t types.Type) bool {
	_, is := t.Underlying().(*types.Signature)
	return is
}

// readFile adds the functions of the file.
func (r *bodyReader) readFile(to map[any]*body) {
	functions := map[int]*Function{} // by the offset of the body
	for _, f := range r.in.list {
		functions[f.body-1] = f
	}
	ast.Inspect(r.in.file, func(n ast.Node) bool {
		var key any
		var code *ast.BlockStmt
		switch n := n.(type) {
		case *ast.FuncDecl:
			code = n.Body
			if f, ok := r.info.Defs[n.Name].(*types.Func); ok {
				key = f.FullName()
			}
		case *ast.FuncLit:
			key, code = n, n.Body
		}
		if code == nil || key == nil {
			return true
		}
		if r.of = functions[r.in.offset(code.Lbrace)]; r.of != nil {
			r.to = &body{of: r.of}
			r.read(code)
			to[key] = r.to
		}
		return true
	})
}

// read reads the code of a function.
func (r *bodyReader) read(code *ast.BlockStmt) {
	r.labels, r.compound, r.leaps = map[ast.Stmt]token.Pos{}, map[int]bool{}, false
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BranchStmt:
			r.leaps = r.leaps || n.Tok == token.GOTO
		case *ast.LabeledStmt:
			r.labels[n.Stmt] = n.Pos()
		case *ast.SelectStmt, *ast.RangeStmt:
			for _, at := range r.starts(n.(ast.Stmt)) {
				r.compound[at] = true
			}
		}
		return !isLiteral(n)
	})
	ast.Inspect(code, r.node)
}

// starts returns the offsets at which a wait around a statement may begin.
func (r *bodyReader) starts(s ast.Stmt) []int {
	list := []int{r.in.offset(s.Pos())}
	if at, ok := r.labels[s]; ok {
		list = append(list, r.in.offset(at))
	}
	return list
}

// node reads a node of the code. It reports whether to read the nodes inside.
func (r *bodyReader) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		return false
	case *ast.GoStmt: // another goroutine waits
		for _, x := range n.Call.Args {
			ast.Inspect(x, r.node)
		}
		return false
	case *ast.SelectStmt:
		r.selection(n)
		return false
	case *ast.RangeStmt:
		r.loop(n)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW && !r.hasZone(n) {
			r.to.waits = true
		}
	case *ast.SendStmt:
		if !r.hasZone(n) {
			r.to.waits = true
		}
	case *ast.CallExpr:
		if !r.hasZone(n) {
			r.call(n)
		}
	}
	return true
}

// selection reads a select. One with a default does not wait.
func (r *bodyReader) selection(s *ast.SelectStmt) {
	waits := true
	for _, clause := range s.Body.List {
		c := clause.(*ast.CommClause)
		switch comm := c.Comm.(type) {
		case nil:
			waits = false
		case *ast.SendStmt:
			ast.Inspect(comm.Chan, r.node)
			ast.Inspect(comm.Value, r.node)
		default:
			ast.Inspect(comm, func(n ast.Node) bool {
				if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
					ast.Inspect(u.X, r.node)
					return false
				}
				return true
			})
		}
		for _, inner := range c.Body {
			ast.Inspect(inner, r.node)
		}
	}
	if waits && !r.hasZoneAt(s) {
		r.to.waits = true
	}
}

// loop reads the head of a range.
func (r *bodyReader) loop(s *ast.RangeStmt) {
	t := r.info.TypeOf(s.X)
	if t == nil {
		r.to.waits = true
		return
	}
	switch t.Underlying().(type) {
	case *types.Chan:
		if !r.hasZoneAt(s) {
			r.to.waits = true
		}
	case *types.Signature:
		r.function(s.X)
		if r.isRound(s) {
			r.of.addRound(r, s)
		}
	case *types.Interface: // a type parameter
		r.to.waits = true
	}
}

// hasZone reports whether an expression or a send waits in an idle zone.
func (r *bodyReader) hasZone(n ast.Node) bool {
	at, end := r.in.offset(n.Pos()), r.in.offset(n.End())
	for _, c := range r.in.calls {
		if c.known.waits && c.begin <= at && end <= c.end {
			return true
		}
	}
	return r.someWait(func(begin, over int) bool { return begin <= at && end <= over && !r.compound[begin] })
}

// hasZoneAt reports whether a select or a loop waits in an idle zone.
func (r *bodyReader) hasZoneAt(s ast.Stmt) bool {
	starts := r.starts(s)
	return r.someWait(func(begin, _ int) bool { return begin == starts[0] || begin == starts[len(starts)-1] })
}

// someWait reports whether a wait of the function that gets a zone has a property. See addWaits.
func (r *bodyReader) someWait(is func(begin, end int) bool) bool {
	for _, w := range r.of.waitsMeasured() {
		if r.in.std && (w.paren > 0 || w.parts != nil) || r.in.old && w.generic() {
			continue
		}
		if begin, end := w.span(); is(begin, end) {
			return true
		}
	}
	return false
}
