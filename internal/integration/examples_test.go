package integration_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// faces are the packages whose every public function and method has an example with checked output.
var faces = []string{".", "console", "draw/text", "draw/html"}

// parsed returns a folder's package as documentation sees it, all build tags alike, with its examples.
func parsed(t *testing.T, dir string) (*doc.Package, []*doc.Example) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: got %v and no files", dir, err)
	}
	set := token.NewFileSet()
	var code, tests []*ast.File
	for _, name := range files {
		source := must.Get(os.ReadFile(name))(t)
		f := must.Get(parser.ParseFile(set, name, source, parser.ParseComments))(t)
		if strings.HasSuffix(name, "_test.go") {
			tests = append(tests, f)
		} else {
			code = append(code, f)
		}
	}
	p := must.Get(doc.NewFromFiles(set, code, "x/"+dir))(t)
	return p, doc.Examples(tests...)
}

// public names a package's functions and methods as examples do.
func public(p *doc.Package) (names []string) {
	add := func(funcs []*doc.Func, prefix string) {
		for _, f := range funcs {
			names = append(names, prefix+f.Name)
		}
	}
	add(p.Funcs, "")
	for _, typ := range p.Types {
		add(typ.Funcs, "")
		if ast.IsExported(typ.Name) {
			add(typ.Methods, typ.Name+"_")
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestEveryPublicFunctionHasAnExample(t *testing.T) {
	for _, dir := range faces {
		p, examples := parsed(t, dir)
		checked := map[string]bool{}
		for _, e := range examples {
			name := e.Name
			if at := strings.LastIndex(name, "_"); at > 0 && name[at+1:] == strings.ToLower(name[at+1:]) {
				name = name[:at] // a second example's suffix
			}
			checked[name] = checked[name] || e.Output != "" || e.EmptyOutput
		}
		for _, name := range public(p) {
			if !checked[name] {
				t.Errorf("package in %s: got no Example%s with checked output; want one", dir, name)
			}
		}
	}
}
