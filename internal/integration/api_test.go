package integration_test

import (
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// publicPackages are the folders of the packages that users import, and that of the types which they reach so.
var publicPackages = []string{".", "gather", "internal/measure", "process", "process/report", "process/timeline",
	"process/totals", "draw", "draw/text", "draw/html",
	"draw/soft", "draw/gl", "viewer", "viewer/hit", "input", "console", "platform", "capture", "debug", "logmark"}

// mostRootNames is how many names package iprof may export: its documentation stays a page. The last are Wait, Mutex
// and RWMutex: who reads the page meets the locks that show. After them came Limits and SetLimits, which warnings name,
// and Section.
const mostRootNames = 77

// entryPoints are what package iprof calls to enter a zone at a place. Compiled out it calls none of them.
var entryPoints = []string{"State", "CountSite", "OpenSite", "Timing", "Off", "Governed"}

// A program that builds with the profiler builds without it, and the other way round.
func TestBothBuildsHaveOneAPI(t *testing.T) {
	for _, folder := range publicPackages {
		t.Run(folder, func(t *testing.T) {
			on, off := api(sources(t, folder)), api(sources(t, folder, "iprof_off"))
			if folder == "internal/measure" {
				for _, name := range entryPoints {
					delete(on, name)
					delete(off, name)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(on)) {
				if got, there := off[name]; !there {
					t.Errorf("%s: got nothing with iprof_off; want it", name)
				} else if got.what != on[name].what {
					t.Errorf("%s: got %s with iprof_off; want %s", name, got.what, on[name].what)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(off)) {
				if _, there := on[name]; !there {
					t.Errorf("%s: got it only with iprof_off; want it in both builds", name)
				}
			}
		})
	}
}

func TestExportedNamesAreDocumented(t *testing.T) {
	for _, folder := range publicPackages {
		t.Run(folder, func(t *testing.T) {
			for _, tags := range [][]string{nil, {"iprof_off"}} {
				names := api(sources(t, folder, tags...))
				for _, name := range slices.Sorted(maps.Keys(names)) {
					if !names[name].doc {
						t.Errorf("%s, tags %v: got no comment; want one", name, tags)
					}
				}
			}
		})
	}
}

func TestRootExportsAPageOfNames(t *testing.T) {
	n := 0
	for name := range api(sources(t, ".")) {
		if !strings.Contains(name, ".") {
			n++
		}
	}
	if n > mostRootNames || n < 40 {
		t.Errorf("exported names of package iprof: got %d; want at most %d", n, mostRootNames)
	}
}

// heldTypes are types of package measure whose values users of package iprof hold. The types in their methods need a
// name there, too.
var heldTypes = []string{"Zone", "Scope", "Lane", "Held"}

// Who calls package iprof needs no other import to declare a variable of what it takes and returns.
func TestRootNamesItsTypes(t *testing.T) {
	files := sources(t, ".")
	named := api(files)
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() {
				for _, name := range foreignTypes(f.Type) {
					t.Errorf("%s: got %s in its signature; want an alias in package iprof", f.Name.Name, name)
				}
			}
		}
	}
	measure := api(sources(t, "internal/measure"))
	for _, file := range sources(t, "internal/measure") {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !f.Name.IsExported() ||
				!slices.Contains(heldTypes, strings.TrimPrefix(text(f.Recv.List[0].Type), "*")) {
				continue
			}
			for _, name := range identifiers(f.Type) {
				if _, ours := measure[name]; ours && named[name] == (exported{}) {
					t.Errorf("%s.%s: got measure.%s in its signature; want an alias in package iprof",
						text(f.Recv.List[0].Type), f.Name.Name, name)
				}
			}
		}
	}
}

// foreignTypes are the types in a signature that another package of the module names.
func foreignTypes(f *ast.FuncType) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if _, err := os.Stat(filepath.Join(root, fmt.Sprint(s.X))); err == nil {
				names = append(names, text(s))
			}
		}
		return true
	})
	return names
}

func identifiers(f *ast.FuncType) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// The groups of names at the end of the package's documentation are complete.
func TestDocumentationGroupsAllNames(t *testing.T) {
	files := sources(t, ".")
	var doc string
	for _, file := range files {
		doc += file.Doc.Text()
	}
	_, groups, _ := strings.Cut(doc, "# Names")
	words := strings.Fields(groups)
	for name, e := range api(files) {
		if e.what != "const" && !strings.Contains(name, ".") && !slices.Contains(words, name) {
			t.Errorf("%s: got it in no group of names in doc.go; want it in one", name)
		}
	}
}
