package viewer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// emptyImporter imports packages without their names. The types of this package alone matter here.
type emptyImporter struct{}

func (emptyImporter) Import(of string) (*types.Package, error) {
	p := types.NewPackage(of, path.Base(of))
	p.MarkComplete()
	return p, nil
}

// panelPackage returns the files of package viewer, and the types of their expressions.
func panelPackage(t *testing.T) (files []*ast.File, pkg *types.Package, info types.Info) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info = types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: emptyImporter{}, Error: func(error) {}} // names of other packages are unknown
	pkg, _ = config.Check("example.com/iprof/viewer", fset, files, &info)
	return files, pkg, info
}

// partName returns the name of a part of the panel, or "" for another type: a part embeds *shared.
func partName(of types.Type) string {
	if p, ok := of.(*types.Pointer); ok {
		of = p.Elem()
	}
	named, ok := of.(*types.Named)
	if !ok {
		return ""
	}
	fields, ok := named.Underlying().(*types.Struct)
	for i := 0; ok && i < fields.NumFields(); i++ {
		if f := fields.Field(i); f.Embedded() && f.Name() == "shared" && named.Obj().Name() != "Panel" {
			return named.Obj().Name()
		}
	}
	return ""
}

// What two parts of the panel share is in shared, and the panel passes on the rest.
func TestPartsKnowNoOtherPart(t *testing.T) {
	files, pkg, info := panelPackage(t)
	parts := map[string]bool{}
	for _, name := range pkg.Scope().Names() {
		if part := partName(pkg.Scope().Lookup(name).Type()); part != "" {
			parts[part] = true
		}
	}
	if len(parts) < 10 {
		t.Errorf("got the parts %v; want at least ten", parts)
	}
	for _, file := range files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil {
				continue
			}
			of := f.Recv.List[0].Type
			if star, ok := of.(*ast.StarExpr); ok {
				of = star.X
			}
			receiver := of.(*ast.Ident).Name
			if !parts[receiver] && receiver != "shared" {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if other := partName(info.Types[e].Type); other != "" && other != receiver {
						t.Errorf("%s.%s uses %s", receiver, f.Name.Name, other)
					}
				}
				return true
			})
		}
	}
}

// A type with more holds several ideas.
func TestNoTypeHasMoreThan60Methods(t *testing.T) {
	_, pkg, _ := panelPackage(t)
	for _, name := range pkg.Scope().Names() {
		if named, ok := pkg.Scope().Lookup(name).Type().(*types.Named); ok && named.NumMethods() > 60 {
			t.Errorf("%s: got %d methods; want at most 60", name, named.NumMethods())
		}
	}
}
