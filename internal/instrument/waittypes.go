package instrument

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// The type of a variable or field shows the awaited object. This file does not type-check the program: it reads the
// declarations in the package's own files, and knows a few functions and types of other packages.

// awaited are types of other packages with methods that wait.
var (
	connections = []string{"net.Conn", "net.TCPConn", "net.UnixConn", "net.UDPConn", "crypto/tls.Conn"}
	packets     = []string{"net.PacketConn", "net.UDPConn", "net.UnixConn", "net.IPConn"}
	listeners   = []string{"net.Listener"}
	commands    = []string{"os/exec.Cmd"}
	testers     = []string{"testing.M"}
	servers     = []string{"net/http.Server"}
	screens     = []string{"github.com/charmbracelet/bubbletea.Program",
		"github.com/charmbracelet/bubbletea/v2.Program", "charm.land/bubbletea/v2.Program"}
)

// loops are functions that call the program back until it ends, and wait in between: for the display, or for requests.
var loops = words(`github.com/hajimehoshi/ebiten.RunGame github.com/hajimehoshi/ebiten/v2.RunGame
	github.com/hajimehoshi/ebiten/v2.RunGameWithOptions
	net/http.ListenAndServe net/http.ListenAndServeTLS net/http.Serve net/http.ServeTLS`)

// made maps functions of other packages to the types of their first results.
var made = map[string]string{
	"os/exec.Command": "os/exec.Cmd", "os/exec.CommandContext": "os/exec.Cmd",
	"net.Dial": "net.Conn", "net.DialTimeout": "net.Conn", "net.DialTCP": "net.TCPConn", "net.DialUnix": "net.UnixConn",
	"net.DialUDP": "net.UDPConn", "net.ListenUDP": "net.UDPConn", "net.ListenPacket": "net.PacketConn",
	"crypto/tls.Dial": "crypto/tls.Conn", "crypto/tls.Client": "crypto/tls.Conn",
	"crypto/tls.Server":                                "crypto/tls.Conn",
	"github.com/charmbracelet/bubbletea.NewProgram":    screens[0],
	"github.com/charmbracelet/bubbletea/v2.NewProgram": screens[1],
	"charm.land/bubbletea/v2.NewProgram":               screens[2],
}

// typed is a type and the file of its text. name is the name of a type of another package: "net.Conn".
type typed struct {
	ast.Expr
	in   *source
	name string
}

// declarations are the declarations in a package's files, by name.
type declarations map[string]declaration

type declaration struct {
	syntax any // *ast.TypeSpec, *ast.ValueSpec or *ast.FuncDecl
	in     *source
}

// findWaits finds the waits of all functions.
func (p *Plan) findWaits() {
	packages := map[string]declarations{}
	for _, s := range p.sources {
		if packages[s.pkg] == nil {
			packages[s.pkg] = declarations{}
		}
		packages[s.pkg].add(s)
	}
	parallel(len(p.sources), func(i int) {
		s := p.sources[i]
		for _, f := range s.list {
			f.readWaits(s, packages[s.pkg])
		}
	})
}

// add adds the declarations of a file. The name of a method begins with the name of its type.
func (d declarations) add(s *source) {
	for _, top := range s.file.Decls {
		switch top := top.(type) {
		case *ast.FuncDecl:
			name := top.Name.Name
			if top.Recv != nil && len(top.Recv.List) > 0 {
				name = typeName(pointed(top.Recv.List[0].Type)) + "." + name
			}
			d[name] = declaration{top, s}
		case *ast.GenDecl:
			for _, spec := range top.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					d[spec.Name.Name] = declaration{spec, s}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						d[name.Name] = declaration{spec, s}
					}
				}
			}
		}
	}
}

// pointed returns the element type of a pointer, and other types unchanged.
func pointed(x ast.Expr) ast.Expr {
	x = ast.Unparen(x)
	if star, ok := x.(*ast.StarExpr); ok {
		return ast.Unparen(star.X)
	}
	return x
}

// deepest is the greatest number of declarations to follow to a type.
const deepest = 8

// typeReader finds types of expressions in a package.
type typeReader struct {
	declared declarations
	steps    int // remaining number of declarations to follow
}

// is reports whether an expression in a file has one of the types, points to one, or embeds one without its own method
// of that name.
func (d declarations) is(x ast.Expr, in *source, method string, types []string) bool {
	r := typeReader{d, deepest}
	return r.has(r.of(x, in), method, types)
}

// isChannel reports whether an expression in a file is a channel.
func (d declarations) isChannel(x ast.Expr, in *source) bool {
	r := typeReader{d, deepest}
	t := r.under(r.of(x, in))
	_, is := t.Expr.(*ast.ChanType)
	return is
}

// has is is for a type.
func (r *typeReader) has(t typed, method string, types []string) bool {
	if t.name = foreignName(t); slices.Contains(types, t.name) {
		return true
	}
	id, named := t.Expr.(*ast.Ident)
	if named && r.declared[id.Name+"."+method].syntax != nil {
		return false
	}
	t = r.under(t)
	var fields *ast.FieldList
	switch s := t.Expr.(type) {
	case *ast.StructType:
		fields = s.Fields
	case *ast.InterfaceType:
		fields = s.Methods
	case *ast.SelectorExpr:
		return named && slices.Contains(types, foreignName(t))
	default:
		return false
	}
	return slices.ContainsFunc(fields.List, func(f *ast.Field) bool {
		return len(f.Names) == 0 && r.step() && r.has(typed{Expr: pointed(f.Type), in: t.in}, method, types)
	})
}

// step counts a followed declaration.
func (r *typeReader) step() bool {
	r.steps--
	return r.steps >= 0
}

// foreignName returns the name of a type of another package, "" for other types.
func foreignName(t typed) string {
	if selector, ok := t.Expr.(*ast.SelectorExpr); ok && t.name == "" && t.in != nil {
		if local, name, ok := t.in.imported(selector); ok {
			return t.in.imports[local] + "." + name
		}
	}
	return t.name
}

// under returns the underlying type of a declared type.
func (r *typeReader) under(t typed) typed {
	for {
		id, ok := t.Expr.(*ast.Ident)
		if !ok {
			return t
		}
		spec, ok := r.declared[id.Name].syntax.(*ast.TypeSpec)
		if !ok || !r.step() {
			return typed{}
		}
		t = typed{Expr: pointed(spec.Type), in: r.declared[id.Name].in}
	}
}

// of returns the type of an expression without a pointer; the zero value if unknown.
func (r *typeReader) of(x ast.Expr, in *source) typed {
	if !r.step() {
		return typed{}
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		if x.Obj != nil {
			return r.declaredBy(x.Obj.Decl, x.Name, in)
		}
		if d := r.declared[x.Name]; d.syntax != nil {
			return r.declaredBy(d.syntax, x.Name, d.in)
		}
	case *ast.SelectorExpr:
		return r.field(r.under(r.of(x.X, in)), x.Sel.Name)
	case *ast.CallExpr:
		return r.result(x, 0, in)
	case *ast.CompositeLit:
		return typed{Expr: pointed(x.Type), in: in}
	case *ast.TypeAssertExpr:
		if x.Type != nil {
			return typed{Expr: pointed(x.Type), in: in}
		}
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return r.of(x.X, in)
		}
		if x.Op == token.ARROW {
			return r.element(r.under(r.of(x.X, in)), true)
		}
	case *ast.StarExpr:
		return r.of(x.X, in)
	case *ast.IndexExpr:
		return r.element(r.under(r.of(x.X, in)), true)
	}
	return typed{}
}

// declaredBy returns the type of a declared name.
func (r *typeReader) declaredBy(by any, name string, in *source) typed {
	switch d := by.(type) {
	case *ast.Field:
		return typed{Expr: pointed(d.Type), in: in}
	case *ast.ValueSpec:
		if d.Type != nil {
			return typed{Expr: pointed(d.Type), in: in}
		}
		to := make([]ast.Expr, len(d.Names))
		for i := range d.Names {
			to[i] = d.Names[i]
		}
		return r.assigned(to, d.Values, name, in)
	case *ast.AssignStmt:
		return r.assigned(d.Lhs, d.Rhs, name, in)
	}
	return typed{}
}

// assigned returns the type of a name on the left side of an assignment.
func (r *typeReader) assigned(to, values []ast.Expr, name string, in *source) typed {
	at := slices.IndexFunc(to, func(x ast.Expr) bool { id, ok := x.(*ast.Ident); return ok && id.Name == name })
	if at < 0 || len(values) == 0 {
		return typed{}
	}
	if len(values) == len(to) {
		if ranged, ok := values[at].(*ast.UnaryExpr); ok && ranged.Op == token.RANGE {
			return r.element(r.under(r.of(ranged.X, in)), false)
		}
		return r.of(values[at], in)
	}
	switch x := ast.Unparen(values[0]).(type) {
	case *ast.CallExpr:
		return r.result(x, at, in)
	case *ast.UnaryExpr:
		if x.Op == token.RANGE {
			return r.element(r.under(r.of(x.X, in)), at == 1)
		}
	}
	if at == 0 {
		return r.of(values[0], in) // v, ok := x.(T)
	}
	return typed{}
}

// element returns the key or value type of a range over a type, or of an index.
func (r *typeReader) element(t typed, value bool) typed {
	switch x := t.Expr.(type) {
	case *ast.ArrayType:
		if value {
			return typed{Expr: pointed(x.Elt), in: t.in}
		}
	case *ast.MapType:
		if value {
			return typed{Expr: pointed(x.Value), in: t.in}
		}
		return typed{Expr: pointed(x.Key), in: t.in}
	case *ast.ChanType:
		return typed{Expr: pointed(x.Value), in: t.in}
	}
	return typed{}
}

// field returns the type of a field of a struct, including fields of embedded structs.
func (r *typeReader) field(t typed, name string) typed {
	s, ok := t.Expr.(*ast.StructType)
	if !ok {
		return typed{}
	}
	for _, f := range s.Fields.List {
		for _, id := range f.Names {
			if id.Name == name {
				return typed{Expr: pointed(f.Type), in: t.in}
			}
		}
		if of := pointed(f.Type); len(f.Names) == 0 {
			if last := expressionText(of); last[strings.LastIndexByte(last, '.')+1:] == name {
				return typed{Expr: of, in: t.in}
			}
		}
	}
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 && r.step() {
			if of := r.field(r.under(typed{Expr: pointed(f.Type), in: t.in}), name); of.Expr != nil || of.name != "" {
				return of
			}
		}
	}
	return typed{}
}

// result returns the type of a result of a call.
func (r *typeReader) result(call *ast.CallExpr, n int, in *source) typed {
	var d declaration
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		switch {
		case (f.Name == "new" || f.Name == "make") && f.Obj == nil && len(call.Args) > 0:
			return typed{Expr: pointed(call.Args[0]), in: in}
		case f.Obj == nil || f.Obj.Kind == ast.Fun:
			d = r.declared[f.Name]
		}
	case *ast.SelectorExpr:
		if local, name, ok := in.imported(f); ok {
			if n == 0 {
				return typed{name: made[in.imports[local]+"."+name]}
			}
			return typed{}
		}
		of := r.of(f.X, in)
		if id, ok := of.Expr.(*ast.Ident); ok {
			d = r.declared[id.Name+"."+f.Sel.Name]
		}
		if d.syntax == nil && n == 0 {
			return typed{name: accepted[f.Sel.Name]}
		}
	}
	if f, ok := d.syntax.(*ast.FuncDecl); ok && f.Type.Results != nil {
		if types := flat(f.Type.Results.List); n < len(types) {
			return typed{Expr: pointed(types[n]), in: d.in}
		}
	}
	return typed{}
}

// accepted maps methods of listeners to the types of their results.
var accepted = map[string]string{"Accept": "net.Conn", "AcceptTCP": "net.TCPConn", "AcceptUnix": "net.UnixConn"}

// flat returns a type for each result of a function.
func flat(results []*ast.Field) (types []ast.Expr) {
	for _, f := range results {
		for range max(1, len(f.Names)) {
			types = append(types, f.Type)
		}
	}
	return types
}
