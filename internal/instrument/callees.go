package instrument

import (
	"go/ast"
	"go/types"
	"strings"
)

// call reads a call.
func (r *bodyReader) call(call *ast.CallExpr) {
	t := r.info.Types[call.Fun]
	if t.IsType() || t.IsBuiltin() {
		return
	}
	f := r.function(call.Fun)
	if sig, ok := t.Type.(*types.Signature); ok && f != nil && !r.measured[f.Pkg().Path()] {
		r.arguments(f, sig, call.Args)
	}
}

// function reads the call of a function value. It returns the function if that is known and has a package.
func (r *bodyReader) function(x ast.Expr) *types.Func {
	switch x := bare(x).(type) {
	case *ast.FuncLit:
		r.to.calls = append(r.to.calls, x)
		return nil
	case *ast.Ident:
		switch o := r.object(x).(type) {
		case *types.Func:
			return r.static(o, nil)
		case *types.Nil:
			return nil
		case *types.Var:
			if r.variable(o) {
				return nil
			}
		}
	case *ast.SelectorExpr:
		if f, ok := r.info.Uses[x.Sel].(*types.Func); ok {
			var of types.Type
			if s := r.info.Selections[x]; s != nil {
				of = s.Recv()
			}
			return r.static(f, of)
		}
	case *ast.CallExpr: // an iterator of the standard library: maps.Keys(m)
		if s, ok := bare(x.Fun).(*ast.SelectorExpr); ok {
			f, ok := r.info.Uses[s.Sel].(*types.Func)
			if ok && f.Pkg() != nil && !r.measured[f.Pkg().Path()] && computesAlone(f) {
				return nil
			}
		}
	}
	r.to.waits = true
	return nil
}

// bare returns an expression without parentheses and type arguments.
func bare(x ast.Expr) ast.Expr {
	for {
		switch of := x.(type) {
		case *ast.ParenExpr:
			x = of.X
		case *ast.IndexExpr:
			x = of.X
		case *ast.IndexListExpr:
			x = of.X
		default:
			return x
		}
	}
}

// variable reads the call of a local variable whose values are all known. It reports false for others.
func (r *bodyReader) variable(v *types.Var) bool {
	values := r.values[v]
	if len(values) == 0 || v.IsField() || v.Parent() == nil || v.Parent() == v.Pkg().Scope() {
		return false
	}
	for _, x := range values {
		if x == nil {
			return false
		}
		switch bare(x).(type) {
		case *ast.FuncLit, *ast.SelectorExpr:
			r.function(x)
		case *ast.Ident:
			if _, is := r.object(bare(x).(*ast.Ident)).(*types.Var); is {
				return false
			}
			r.function(x)
		default:
			return false
		}
	}
	return true
}

// static reads the call of a function or of a method of a type, which is nil for functions.
func (r *bodyReader) static(f *types.Func, of types.Type) *types.Func {
	f = f.Origin()
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		if f.Pkg() != nil && !r.isCalm(of) {
			r.to.waits = true
		}
		return nil
	}
	switch {
	case f.Pkg() == nil:
		return nil
	case r.measured[f.Pkg().Path()]:
		r.to.calls = append(r.to.calls, f.FullName())
	case !computesAlone(f):
		r.to.waits = true
	}
	return f
}

// arguments reads the calls that a function of the standard library makes of its arguments: sort.Slice calls less, and
// fmt.Fprintf a method Write.
func (r *bodyReader) arguments(f *types.Func, sig *types.Signature, args []ast.Expr) {
	if callsLater[f.FullName()] {
		return
	}
	for i, x := range args {
		var to types.Type
		switch n := sig.Params().Len(); {
		case i < n-1 || i < n && !sig.Variadic():
			to = sig.Params().At(i).Type()
		case n > 0 && sig.Variadic():
			to = sig.Params().At(n - 1).Type()
			if s, ok := to.(*types.Slice); ok {
				to = s.Elem()
			}
		default:
			return
		}
		switch under := to.Underlying().(type) {
		case *types.Signature:
			r.function(x)
		case *types.Interface:
			r.argument(under, to, r.info.TypeOf(x))
		}
	}
}

// argument reads the calls of the methods of an interface of type to on a value of a type.
func (r *bodyReader) argument(methods *types.Interface, to, given types.Type) {
	if methods.NumMethods() == 0 || given == nil || given == types.Typ[types.UntypedNil] || r.isCalm(to) ||
		r.isCalm(given) {
		return
	}
	if types.IsInterface(given) {
		r.to.waits = true
		return
	}
	for i := range methods.NumMethods() {
		m := methods.Method(i)
		o, _, _ := types.LookupFieldOrMethod(given, true, m.Pkg(), m.Name())
		if f, ok := o.(*types.Func); ok {
			r.static(f, given)
		} else {
			r.to.waits = true
		}
	}
}

// isCalm reports whether no method of an interface type waits, whatever the value.
func (r *bodyReader) isCalm(t types.Type) bool {
	if t == nil {
		return false
	}
	if t == types.Universe.Lookup("error").Type() {
		return true
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && calmInterfaces[named.Obj().Pkg().Path()+"."+named.Obj().Name()]
}

// computesAlone reports whether a function of the standard library waits for nothing, apart from what it calls of its
// arguments.
func computesAlone(f *types.Func) bool {
	path := f.Pkg().Path()
	if mayWait[f.FullName()] {
		return false
	}
	if sig := f.Signature(); sig.Recv() == nil && (strings.HasPrefix(f.Name(), "New") && constructors[path] ||
		computesToo[f.FullName()]) {
		return true
	}
	return computingPackages[path] || computesToo[f.FullName()]
}
