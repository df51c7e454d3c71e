package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
)

// Function is one function, method or closure of the program with a body.
type Function struct {
	Package    string // import path
	Name       string // without the package: "Step", "(*World).Step", "(*World).Step func:41" for a closure in line 41
	File       string // absolute path
	Line       int
	Statements int
	Reason     string // reason for no zone; "" with a zone
	Computes   bool   // its own time holds no wait, known from its code; false where that is not known
	Zone       string // name from an //iprof:zone comment; "" means Name

	packageName string
	syntax      *ast.BlockStmt // the body, until findWaits has read it

	body      int // offset behind the opening brace
	column    int
	shape     shape
	closure   bool
	generic   bool     // it or its receiver has type parameters
	inCycle   bool     // indirectly recursive: see findRecursion
	variable  string   // to which a closure is assigned
	skip      string   // a Reason that no option overrides
	demanded  bool     // by an //iprof:zone comment
	muted     bool     // by an earlier run
	idle      bool     // it only waits
	waits     []wait   // waiting statements, if the function also works
	rounds    []wait   // bodies of loops over iterators
	spawns    []int    // offsets of its go statements
	method    string   // method name without the receiver
	parameter string   // type name of its first parameter, without package and pointer
	handles   *handler // description of the handler's parameters, nil for other functions
	request   string   // name of the request parameter
	imported  string   // local name of the package of the parameter's type
}

// Full returns the name for matching with -include, -exclude and -frame: "example.com/game/world.(*World).Step".
func (f *Function) Full() string { return f.Package + "." + f.Name }

// Label returns the name of the function's zone.
func (f *Function) Label() string {
	if f.Zone != "" {
		return f.Zone
	}
	return f.Name
}

// shape has the properties of a body that the selection needs.
type shape struct {
	loops  bool
	calls  []position      // opening parentheses of calls of functions that are not predeclared
	called map[string]bool // names of these functions, without package and receiver
}

// functions lists the functions of a parsed file, outermost first.
func functions(fset *token.FileSet, file *ast.File, path, pkg string) []*Function {
	exported := exports(file)
	var list []*Function
	for _, d := range file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok {
			list = append(list, closures(fset, d, pkg, path, "")...)
			continue
		}
		name := declared(decl)
		if decl.Body != nil {
			f := newFunction(fset, decl.Body, pkg, path, name)
			f.place(fset, start(decl))
			f.readComments(decl.Doc)
			f.readType(decl)
			f.readHandler(decl.Type)
			if exported[decl.Name.Name] && f.skip == "" {
				f.skip = "exported to C"
			}
			list = append(list, f)
			list = append(list, closures(fset, decl.Body, pkg, path, name)...)
		}
	}
	return list
}

// closures lists the function literals inside a node. Their names have their lines.
func closures(fset *token.FileSet, in ast.Node, pkg, path, outer string) []*Function {
	var list []*Function
	variables := map[*ast.FuncLit]string{}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			noteVariables(variables, n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			for i, value := range n.Values {
				noteVariables(variables, []ast.Expr{n.Names[min(i, len(n.Names)-1)]}, []ast.Expr{value})
			}
		}
		literal, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		line := fset.PositionFor(literal.Pos(), false).Line
		name := fmt.Sprintf("%s func:%d", outer, line)
		if outer == "" {
			name = fmt.Sprintf("%s func:%d", filepath.Base(path), line)
		}
		f := newFunction(fset, literal.Body, pkg, path, name)
		f.place(fset, literal.Pos())
		f.closure, f.variable = true, variables[literal]
		f.readHandler(literal.Type)
		list = append(list, f)
		return true
	})
	return list
}

// noteVariables notes the variables that function literals are assigned to.
func noteVariables(variables map[*ast.FuncLit]string, to, values []ast.Expr) {
	if len(to) != len(values) {
		return
	}
	for i, value := range values {
		literal, ok := value.(*ast.FuncLit)
		name, named := to[i].(*ast.Ident)
		if ok && named {
			variables[literal] = name.Name
		}
	}
}

func newFunction(fset *token.FileSet, body *ast.BlockStmt, pkg, path, name string) *Function {
	f := &Function{Package: pkg, Name: name, File: path}
	f.body = fset.PositionFor(body.Lbrace, false).Offset + 1
	f.Statements, f.shape = measure(fset, body)
	f.syntax = body
	f.readSpawns(fset, body)
	return f
}

// start returns the position that the compiler reports for a declared function. It is behind the word func.
func start(d *ast.FuncDecl) token.Pos {
	if d.Recv != nil {
		return d.Recv.Opening
	}
	return d.Name.Pos()
}

func (f *Function) place(fset *token.FileSet, at token.Pos) {
	p := fset.PositionFor(at, false)
	f.Line, f.column = p.Line, p.Column
}

func (f *Function) readType(d *ast.FuncDecl) {
	f.generic = d.Type.TypeParams != nil
	if d.Recv != nil && len(d.Recv.List) > 0 {
		f.method = d.Name.Name
		switch pointed(d.Recv.List[0].Type).(type) {
		case *ast.IndexExpr, *ast.IndexListExpr:
			f.generic = true
		}
	}
	if p := d.Type.Params.List; len(p) > 0 {
		t := p[0].Type
		if star, ok := t.(*ast.StarExpr); ok {
			t = star.X
		}
		if selector, ok := t.(*ast.SelectorExpr); ok {
			f.parameter = selector.Sel.Name
		}
	}
}

// measure counts the statements of a body and returns its shape. It skips closures, which are functions of their own.
func measure(fset *token.FileSet, body *ast.BlockStmt) (statements int, s shape) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.EmptyStmt, *ast.LabeledStmt:
			return true
		case *ast.ForStmt, *ast.RangeStmt:
			s.loops = true
		case *ast.CallExpr:
			if !isPredeclared(n.Fun) {
				s.calls = append(s.calls, positionOf(fset, n.Lparen))
				s.note(n.Fun)
			}
		}
		if _, ok := n.(ast.Stmt); ok {
			statements++
		}
		return true
	})
	return statements, s
}

// note adds the name of a called function.
func (s *shape) note(called ast.Expr) {
	if s.called == nil {
		s.called = map[string]bool{}
	}
	switch f := called.(type) {
	case *ast.Ident:
		s.called[f.Name] = true
	case *ast.SelectorExpr:
		s.called["."+f.Sel.Name] = true
	}
}

// recurses reports whether a function calls a function with its own name. That is usually itself; there is no type
// check. A closure has the name of the variable to which it is assigned.
func (f *Function) recurses() bool {
	switch {
	case f.method != "":
		return f.shape.called["."+f.method]
	case f.closure:
		return f.variable != "" && f.shape.called[f.variable]
	}
	return f.inCycle || f.shape.called[f.Name]
}

// callsItself reports whether a plain function calls itself by its name.
func (f *Function) callsItself() bool { return f.method == "" && !f.closure && f.shape.called[f.Name] }

// isPredeclared reports whether a call is of a predeclared function or type, such as len and rune. A function of the
// program with such a name counts as predeclared, too, so its callers may get no zone.
func isPredeclared(called ast.Expr) bool {
	name, ok := called.(*ast.Ident)
	return ok && types.Universe.Lookup(name.Name) != nil
}

// positionOf returns a position as the compiler reports it.
func positionOf(fset *token.FileSet, at token.Pos) position {
	p := fset.PositionFor(at, false)
	return position{filepath.Clean(p.Filename), p.Line, p.Column}
}

// declared returns a declared function's name: "Step", "World.Step" or "(*World).Step". It leaves out type parameters,
// so all instances of a generic function share one zone.
func declared(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		if p, ok := t.(*ast.ParenExpr); ok {
			t = p.X
			continue
		}
		break
	}
	if p, ok := t.(*ast.StarExpr); ok {
		return "(*" + typeName(p.X) + ")." + d.Name.Name
	}
	return typeName(t) + "." + d.Name.Name
}

func typeName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.ParenExpr:
		return typeName(t.X)
	case *ast.IndexExpr:
		return typeName(t.X)
	case *ast.IndexListExpr:
		return typeName(t.X)
	}
	return "?"
}
