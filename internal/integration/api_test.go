package integration_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// publicPackages are the folders of the packages that users import, and that of the types which they reach so.
var publicPackages = []string{".", "gather", "internal/measure", "process", "process/report", "process/timeline",
	"draw", "draw/text", "draw/html",
	"draw/soft", "draw/gl", "viewer", "viewer/hit", "input", "console", "platform", "capture", "debug", "logmark"}

// mostRootNames is how many names package iprof may export: its documentation stays a page. The last are Wait, Mutex
// and RWMutex: who reads the page meets the locks that show. After them came Limits and SetLimits, which warnings name,
// and Section.
const mostRootNames = 77

// entryPoints are the functions that package iprof calls to enter a zone at a place. Compiled out, it calls none.
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

// sources parses the files of a package that a build with the tags has, without tests.
func sources(t *testing.T, folder string, tags ...string) []*ast.File {
	t.Helper()
	context := build.Default
	context.BuildTags, context.CgoEnabled = tags, true
	names, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: got %v, %v; want files", folder, names, err)
	}
	var files []*ast.File
	for _, name := range names {
		built := must.Get(context.MatchFile(filepath.Dir(name), filepath.Base(name)))(t)
		if !built || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// exported is one exported name of a package.
type exported struct {
	what string // its declaration, without the names of parameters and without values
	doc  bool
}

// api returns what a package exports, by name; methods as Type.Method, fields as Type.Field.
func api(files []*ast.File) map[string]exported {
	names := map[string]exported{}
	for _, file := range files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				addFunc(names, d)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					addSpec(names, d, s)
				}
			}
		}
	}
	return names
}

func addFunc(names map[string]exported, d *ast.FuncDecl) {
	name := d.Name.Name
	if !ast.IsExported(name) {
		return
	}
	if d.Recv != nil {
		receiver := strings.TrimPrefix(text(d.Recv.List[0].Type), "*")
		if !ast.IsExported(receiver) {
			return
		}
		name = receiver + "." + name
		addSignature(names, name, d, "method of "+text(d.Recv.List[0].Type))
		return
	}
	addSignature(names, name, d, "func")
}

func addSignature(names map[string]exported, name string, d *ast.FuncDecl, kind string) {
	names[name] = exported{kind + signature(d.Type), d.Doc.Text() != ""}
}

// signature is a function's type without the names of its parameters.
func signature(f *ast.FuncType) string {
	list := func(fields *ast.FieldList) string {
		var types []string
		for _, field := range fieldsOf(fields) {
			for range max(1, len(field.Names)) {
				types = append(types, text(field.Type))
			}
		}
		return "(" + strings.Join(types, ", ") + ")"
	}
	return list(f.TypeParams) + list(f.Params) + list(f.Results)
}

func fieldsOf(l *ast.FieldList) []*ast.Field {
	if l == nil {
		return nil
	}
	return l.List
}

func addSpec(names map[string]exported, d *ast.GenDecl, s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() {
				names[n.Name] = exported{d.Tok.String(), d.Doc.Text()+s.Doc.Text()+s.Comment.Text() != ""}
			}
		}
	case *ast.TypeSpec:
		if s.Name.IsExported() {
			names[s.Name.Name] = exported{kindOf(s), d.Doc.Text()+s.Doc.Text() != ""}
			addMembers(names, s)
		}
	}
}

func kindOf(s *ast.TypeSpec) string {
	switch s.Type.(type) {
	case *ast.StructType:
		return "struct"
	case *ast.InterfaceType:
		return "interface"
	}
	return "type " + text(s.Type)
}

// addMembers adds the exported fields of a struct and the methods of an interface. Their documentation may be their
// type's.
func addMembers(names map[string]exported, s *ast.TypeSpec) {
	var fields *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	}
	for _, field := range fieldsOf(fields) {
		for _, n := range field.Names {
			if n.IsExported() {
				names[s.Name.Name+"."+n.Name] = exported{text(field.Type), true}
			}
		}
	}
}

func text(n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil {
		return err.Error()
	}
	return b.String()
}

var (
	bracketed = regexp.MustCompile(`\[\*?[A-Z]\w*(\.\w+)*\]|\[[a-z]\w*\.[A-Z][\w.]*\]`)
	nameLike  = regexp.MustCompile(`\b[A-Z]\w*(\.[A-Z]\w*)?\b`)
)

// notMeant are words of package comments that are a name of the package, too, but mean something else.
var notMeant = map[string]string{
	"viewer/hit": "Package", "input": "GLFW", "capture": "Reach", "platform": "Enter EnterCaller Leave UseCounter",
}

// The comment of a package names nothing that the package exports without a link to it at the first place, and what
// looks like a link in any comment is one.
func TestPackageCommentsAreLinks(t *testing.T) {
	for _, folder := range publicPackages {
		t.Run(folder, func(t *testing.T) {
			p, _ := parsed(t, folder)
			exports, texts := described(p)
			linked := map[string]bool{}
			for i, text := range texts {
				eachText(p.Parser().Parse(text), func(x comment.Text) {
					switch x := x.(type) {
					case comment.Plain:
						for _, name := range bracketed.FindAllString(string(x), -1) {
							t.Errorf("got %s, which is no link: there is no such name", name)
						}
						for _, name := range nameLike.FindAllString(string(x), -1) {
							first, _, _ := strings.Cut(name, ".")
							if i == 0 && exports[first] && !linked[name] &&
								!slices.Contains(strings.Fields(notMeant[folder]), name) {
								t.Errorf("the package's comment names %s; want [%[1]s]", name)
							}
						}
					case *comment.DocLink:
						linked[strings.TrimPrefix(x.Recv+"."+x.Name, ".")] = true
					}
				})
			}
		})
	}
}

// described returns what a package exports, and its comments; that of the package is the first.
func described(p *doc.Package) (exports map[string]bool, texts []string) {
	exports, texts = map[string]bool{}, []string{p.Doc}
	values := func(list []*doc.Value) {
		for _, v := range list {
			texts = append(texts, v.Doc)
			for _, name := range v.Names {
				exports[name] = true
			}
		}
	}
	funcs := func(list []*doc.Func, exported bool) {
		for _, f := range list {
			texts = append(texts, f.Doc)
			exports[f.Name] = exports[f.Name] || exported
		}
	}
	values(slices.Concat(p.Consts, p.Vars))
	funcs(p.Funcs, true)
	for _, typ := range p.Types {
		texts, exports[typ.Name] = append(texts, typ.Doc), true
		values(slices.Concat(typ.Consts, typ.Vars))
		funcs(typ.Funcs, true)
		funcs(typ.Methods, false)
	}
	return exports, texts
}

// eachText visits the text of paragraphs and lists.
func eachText(d *comment.Doc, visit func(comment.Text)) {
	var blocks func(list []comment.Block)
	blocks = func(list []comment.Block) {
		for _, b := range list {
			switch b := b.(type) {
			case *comment.Paragraph:
				for _, x := range b.Text {
					visit(x)
				}
			case *comment.List:
				for _, item := range b.Items {
					blocks(item.Content)
				}
			}
		}
	}
	blocks(d.Content)
}

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
