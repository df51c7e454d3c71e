package misuse

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

const module = "example.com/iprof"

// kind is how an entry is ended.
type kind int

const (
	nothing kind = iota // no entry
	scope               // by End on its goroutine
	held                // by Keep or KeepIf on its goroutine
	logged              // by End on any goroutine
)

// ends reports whether a method ends the entry.
func (k kind) ends(method string) bool {
	if k == held {
		return method == "Keep" || method == "KeepIf"
	}
	return method == "End"
}

// end is what a message says to write behind the entry.
func (k kind) end() string {
	if k == held {
		return ".KeepIf(&keep)"
	}
	return ".End()"
}

// kinds are the types of open entries.
var kinds = map[string]kind{
	module + "/internal/measure.Scope": scope,
	module + "/internal/measure.Held":  held,
	module + "/exectrace.Region":       scope,
	module + "/draw/gl.Scope":          scope,
	module + ".LoggedScope":            logged,
}

func kindOf(t types.Type) kind {
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		return kinds[named.Obj().Pkg().Path()+"."+named.Obj().Name()]
	}
	return nothing
}

// ours reports whether an object is declared in the profiler's module.
func ours(o types.Object) bool {
	return o.Pkg() != nil && (o.Pkg().Path() == module || strings.HasPrefix(o.Pkg().Path(), module+"/"))
}

// entering returns the kind of the entry that a call makes. Functions of the program with these names, such as methods
// of an interface, make one, too, if they return one. So do functions that return only what such a call returns.
func (c *checker) entering(call *ast.CallExpr) kind {
	k := kindOf(c.TypesInfo.TypeOf(call))
	f, ok := typeutil.Callee(c.TypesInfo, call).(*types.Func)
	if k == nothing || !ok {
		return nothing
	}
	names := []string{"Begin", "Hold"}
	if ours(f) {
		names = append(names, "Func", "In", "Wait", "LogScope")
	}
	if slices.Contains(names, f.Name()) || c.ImportObjectFact(f.Origin(), new(enters)) {
		return k
	}
	return nothing
}

// enters is the fact that a function returns an entry that it made.
type enters struct{}

func (*enters) AFact()         {}
func (*enters) String() string { return "enters" }

// findWrappers exports the fact of functions that return the result of a call that enters, until none is new.
func (c *checker) findWrappers() {
	for again := true; again; {
		again = false
		for cur := range c.root.Preorder((*ast.FuncDecl)(nil)) {
			decl := cur.Node().(*ast.FuncDecl)
			f, ok := c.TypesInfo.Defs[decl.Name].(*types.Func)
			if ok && decl.Body != nil && !c.ImportObjectFact(f, new(enters)) && c.wraps(f, decl) {
				c.ExportObjectFact(f, new(enters))
				again = true
			}
		}
	}
}

// wraps reports whether each return of a function returns an entry that a call makes there.
func (c *checker) wraps(f *types.Func, decl *ast.FuncDecl) bool {
	results := f.Signature().Results()
	if results.Len() != 1 || kindOf(results.At(0).Type()) == nothing {
		return false
	}
	all, count := true, 0
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			count++
			all = all && len(r.Results) == 1 && c.entered(r.Results[0])
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
	return all && count > 0
}

func (c *checker) entered(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && c.entering(call) != nothing
}
