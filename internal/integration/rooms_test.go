package integration_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"example.com/iprof/internal/must"
)

// mostInCircle is the greatest number of files of a package that may refer to each other in a circle. A larger circle
// is one file in many pieces: a part of it cannot be understood alone.
const mostInCircle = 40

// A room can be understood in parts: no large number of its files refer to each other in a circle.
func TestCirclesAreSmall(t *testing.T) {
	_, packages := list(t)
	for _, p := range packages {
		if len(p.GoFiles) <= mostInCircle {
			continue
		}
		if got := largestCircle(references(t, p, p.GoFiles)); got > mostInCircle {
			t.Errorf("package %s: got a circle of %d files; want at most %d", p.name(), got, mostInCircle)
		}
	}
}

// references returns, by file, the files of its package whose declarations it refers to.
func references(t *testing.T, p listed, names []string) map[string][]string {
	t.Helper()
	to := map[string][]string{}
	eachUse(t, p, names, func(from, at string, _ types.Object) {
		if from != at && !slices.Contains(to[from], at) {
			to[from] = append(to[from], at)
		}
	})
	return to
}

// eachUse calls do for each use of a package's declarations in its files: from is the file of the use, at that of the
// declaration.
func eachUse(t *testing.T, p listed, names []string, do func(from, at string, object types.Object)) {
	t.Helper()
	set, exports := token.NewFileSet(), exportData(t, p.name())
	var files []*ast.File
	for _, name := range names {
		f := must.Get(parser.ParseFile(set, filepath.Join(root, p.name(), name), nil, parser.SkipObjectResolution))(t)
		files = append(files, f)
	}
	uses := map[*ast.Ident]types.Object{}
	config := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	pkg := must.Get(config.Check(p.ImportPath, set, files, &types.Info{Uses: uses}))(t)
	for id, object := range uses {
		if object.Pkg() == pkg && object.Pos().IsValid() {
			do(set.Position(id.Pos()).Filename, set.Position(object.Pos()).Filename, object)
		}
	}
}

// exportData returns the files with the export data of all packages that a package imports, by path.
func exportData(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := must.Get(inRoot("go", "list", "-export", "-deps", "-json=ImportPath,Export", "./"+folder).Output())(t)
	exports := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p struct{ ImportPath, Export string }
		must.Do(t, decoder.Decode(&p))
		exports[p.ImportPath] = p.Export
	}
	return exports
}

// largestCircle returns the number of nodes in the largest set of a graph in which each reaches each.
func largestCircle(to map[string][]string) (most int) {
	reach := map[string]map[string]bool{}
	for from := range to {
		seen, stack := map[string]bool{}, []string{from}
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, next := range to[at] {
				if !seen[next] {
					seen[next] = true
					stack = append(stack, next)
				}
			}
		}
		reach[from] = seen
	}
	for from, seen := range reach {
		n := 0
		for at := range seen {
			if reach[at][from] {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func TestLargestCircle(t *testing.T) {
	graph := map[string][]string{"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
	if got := largestCircle(graph); got != 3 {
		t.Errorf("got a circle of %d; want 3: a, b and c", got)
	}
}

// The most methods of the types of process and of its store and rows, unexported ones counted, and the most names that
// package process exports, with methods and constants. Aliases of other packages' names that documents and examples use
// are not counted.
var mostMethods = map[string]int{"process.Session": 60, "process.View": 55, "process/internal/store.Store": 105,
	"process/internal/rows.Builder": 150}

const mostProcessNames = 118

func TestRoomsAreOfParts(t *testing.T) {
	methods := map[string]int{}
	for _, room := range []string{"process", "process/internal/store", "process/internal/rows"} {
		for _, file := range sources(t, room) {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
					methods[room+"."+strings.TrimPrefix(text(f.Recv.List[0].Type), "*")]++
				}
			}
			for _, layer := range embedded(file) {
				t.Errorf("%s: got %s embedded in a struct; want a field with a name", room, layer)
			}
		}
	}
	for of, n := range methods {
		if most := max(mostMethods[of], 30); n > most {
			t.Errorf("methods of %s: got %d; want at most %d", of, n, most)
		}
	}
	files := sources(t, "process")
	shown, n := shownNames(t), 0
	for name, e := range api(files) {
		switch typ, _, is := strings.Cut(name, "."); {
		case is && !strings.HasPrefix(e.what, "method of"): // a field
		case is || !aliased(e) && !isAlias(files, typ) || !shown[typ]:
			n++
		}
	}
	if n > mostProcessNames {
		t.Errorf("names that process exports: got %d; want at most %d", n, mostProcessNames)
	}
}

// embedded returns the layers of process that structs of a file embed.
func embedded(file *ast.File) (layers []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range s.Fields.List {
			layer := strings.TrimPrefix(text(f.Type), "*")
			if len(f.Names) == 0 && slices.Contains([]string{"Session", "View", "intake", "sums", "sinks", "views",
				"front", "Sources", "Store", "store.Store", "Builder", "rows.Builder"}, layer) {
				layers = append(layers, layer)
			}
		}
		return true
	})
	return layers
}

// aliased reports whether a type is declared as another package's.
func aliased(e exported) bool { return strings.HasPrefix(e.what, "type report.") }

// isAlias reports whether a constant, variable or function of the aliases stands for one of another package.
func isAlias(files []*ast.File, name string) bool {
	for _, file := range files {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && v.Names[0].Name == name && len(v.Values) == 1 {
					x, ok := v.Values[0].(*ast.SelectorExpr)
					return ok && x.Sel.Name == name
				}
			}
		}
	}
	return false
}

// shownNames returns the names of package process that documents and examples use.
func shownNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, pattern := range []string{"README.md", "docs/*.md", "examples/*/*.go", "*example*_test.go",
		"*/*example*_test.go", "*/*/*example*_test.go"} {
		paths := must.Get(filepath.Glob(filepath.Join(root, pattern)))(t)
		for _, path := range paths {
			source := must.Get(os.ReadFile(path))(t)
			for _, part := range strings.Split(string(source), "process.")[1:] {
				end := strings.IndexFunc(part, func(r rune) bool {
					return r != '_' && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
				})
				if end > 0 {
					names[part[:end]] = true
				}
			}
		}
	}
	return names
}

// What a reader is asked to take in at once. Tabs are four columns wide.
const (
	mostColumns  = 120
	mostLines    = 700 // of a file, tests too: one idea
	mostFunction = 60  // lines of a function
)

// TestFilesAndFunctionsAreShort holds every Go file of the repository to these sizes, nested modules too.
func TestFilesAndFunctionsAreShort(t *testing.T) {
	must.Do(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.Type().IsRegular() && strings.HasSuffix(path, ".go"):
			checkSizes(t, path)
		}
		return nil
	}))
}

// Each `go get` loads all files of the module. A program that was built into the tree is far larger than its greatest
// picture.
func TestNoFileIsLarge(t *testing.T) {
	list, err := inRoot("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("without git, which files belong to the module is not known:", err)
	}
	const most = 512 << 10
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join(root, name))
		if err == nil && info.Size() > most { // a file that is missing was deleted and not committed yet
			t.Errorf("%s: got %d bytes; want %d at most", name, info.Size(), most)
		}
	}
}

func checkSizes(t *testing.T, path string) {
	source := must.Get(os.ReadFile(path))(t)
	name := strings.TrimPrefix(filepath.ToSlash(path), root+"/")
	count := 0
	for line := range strings.Lines(string(source)) {
		count++
		line = strings.TrimSuffix(line, "\n")
		if wide := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); wide > mostColumns {
			t.Errorf("%s:%d: the line has %d columns; break it at %d", name, count, wide, mostColumns)
		}
	}
	if count > mostLines {
		t.Errorf("%s:%d: the file has %d lines; split it by idea, with at most %d in each part",
			name, mostLines+1, count, mostLines)
	}
	checkFunctions(t, name, source)
}

func checkFunctions(t *testing.T, name string, source []byte) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return
	}
	checkStatements(t, set, file)
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		first := set.Position(f.Pos()).Line
		if lines := set.Position(f.End()).Line - first + 1; lines > mostFunction {
			t.Errorf("%s:%d: function %s has %d lines; divide it, with at most %d in each part",
				name, first, f.Name.Name, lines, mostFunction)
		}
	}
}

// The files of examples have less than 100 lines, but for those that docs/examples.md names.
func TestExamplesAreShort(t *testing.T) {
	for _, folder := range []string{"examples/*", "examples/*/*", "hosts/*/example"} {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: got %v and no files", folder, err)
		}
		for _, path := range files {
			text := must.Get(os.ReadFile(path))(t)
			name, most := filepath.ToSlash(strings.TrimPrefix(path, root)), 100
			if name = strings.TrimPrefix(name, "/"); strings.HasPrefix(name, "examples/why/") ||
				strings.HasPrefix(name, "examples/hosts/") {
				most = 200
			}
			if n := strings.Count(string(text), "\n"); n >= most && !strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s has %d lines; want less than %d", name, n, most)
			}
		}
	}
}

// mostEntries is how many files and folders a newcomer finds at the top of the repository.
const mostEntries = 55

// TestTheTopLevelHasFewEntries leaves out what .gitignore names there: what builds leave behind.
func TestTheTopLevelHasFewEntries(t *testing.T) {
	ignored := must.Get(os.ReadFile(filepath.Join(root, ".gitignore")))(t)
	entries := must.Get(os.ReadDir(root))(t)
	var names []string
	for _, e := range entries {
		name := e.Name()
		made := strings.Contains("\n"+string(ignored), "\n/"+name+"\n") ||
			strings.Contains("\n"+string(ignored), "\n/"+name+"/\n")
		if name != ".git" && !made && !strings.HasSuffix(name, ".test") && !strings.HasSuffix(name, ".prof") {
			names = append(names, name)
		}
	}
	if len(names) > mostEntries {
		t.Errorf("got %d entries; want at most %d, so that one sees what there is: %v", len(names), mostEntries, names)
	}
}

// mostAssigned is the greatest number of values that one assignment or declaration may set. The results of one call
// are not counted.
const mostAssigned = 3

// checkStatements reports values that share a line without being one idea: before the condition of an if or a switch,
// and in long assignments.
func checkStatements(t *testing.T, set *token.FileSet, file *ast.File) {
	for _, at := range crowded(file) {
		where := set.Position(at)
		t.Errorf("%s:%d: one line sets several values; write a statement for each", where.Filename, where.Line)
	}
}

// crowded returns the places of such assignments and declarations.
func crowded(file *ast.File) (places []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if shared(n.Init) {
				places = append(places, n.Pos())
			}
		case *ast.SwitchStmt:
			if shared(n.Init) {
				places = append(places, n.Pos())
			}
		case *ast.AssignStmt:
			if len(n.Rhs) > mostAssigned {
				places = append(places, n.Pos())
			}
		case *ast.ValueSpec:
			if len(n.Values) > mostAssigned {
				places = append(places, n.Pos())
			}
		}
		return true
	})
	return places
}

// shared reports whether a statement before a condition sets several values, each by an expression of its own. A pair
// got and want is one idea.
func shared(s ast.Stmt) bool {
	a, is := s.(*ast.AssignStmt)
	return is && len(a.Rhs) > 1 && (text(a.Lhs[0]) != "got" || text(a.Lhs[1]) != "want")
}

func TestCrowdedStatementsAreFound(t *testing.T) {
	for code, want := range map[string]int{
		"a, b := 1, 2; if a < b {}":               0,
		"if a, ok := m[1]; ok {}":                 0,
		"if got, want := f(), 1; got != want {}":  0,
		"if a, b := 1, 2; a < b {}":               1,
		"if x {} else if a, b = 1, 2; a < b {}":   1,
		"switch a, b := 1, 2; {}":                 1,
		"for i, n := 0, 9; i < n; i++ {}":         0,
		"a, b, c := 1, 2, 3":                      0,
		"a, b, c, d := f()":                       0,
		"a, b, c, d := 1, 2, 3, 4":                1,
		"var a, b, c, d = 1, 2, 3, 4":             1,
		"f(func() { a, b, c, d = 1, 2, 3, 4 })":   1,
		"for a, b, c, d := 1, 2, 3, 4; ; {}":      1,
		"if a, b, c, d := 1, 2, 3, 4; a < b {}":   2,
		"const ( a, b = 1, 2; c, d, e = 3, 4, 5)": 0,
	} {
		source := fmt.Sprintf("package p; func _() { %s }", code)
		file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(crowded(file)); got != want {
			t.Errorf("%s: got %d places; want %d", code, got, want)
		}
	}
}

// measureParts are the parts of package measure, lowest first. The part of a file is the word before its first
// underscore, and the last part has all other files. See the package's documentation.
var measureParts = []string{"frame", "lane", "census", "reader", "functions"}

// mostUp is the greatest share of the references between files of different parts that go up.
const mostUp = 0.05

func partOf(file string) int {
	name := strings.TrimSuffix(filepath.Base(file), ".go")
	word, _, _ := strings.Cut(name, "_")
	if at := slices.Index(measureParts, word); at >= 0 {
		return at
	}
	return len(measureParts) - 1
}

// Who changes a part of package measure needs to know the parts below it, not those above.
func TestRoomsReferDown(t *testing.T) {
	_, packages := list(t)
	at := slices.IndexFunc(packages, func(p listed) bool { return p.name() == "internal/measure" })
	var up []string
	all := 0
	for from, files := range references(t, packages[at], packages[at].GoFiles) {
		for _, to := range files {
			if partOf(from) != partOf(to) {
				all++
			}
			if partOf(from) < partOf(to) {
				up = append(up, fmt.Sprintf("%s refers to %s", filepath.Base(from), filepath.Base(to)))
			}
		}
	}
	slices.Sort(up)
	if all < 100 {
		t.Fatalf("references between parts: got %d; want some hundred", all)
	}
	if share := float64(len(up)) / float64(all); share > mostUp {
		t.Errorf("got %d of %d references between parts that go up; want at most %g %%:\n%s", len(up), all, 100*mostUp,
			strings.Join(up, "\n"))
	}
}

// The documentation of package measure names the methods by which the census speaks to a lane.
func TestCensusSpeaksThroughNamedMethods(t *testing.T) {
	_, packages := list(t)
	at := slices.IndexFunc(packages, func(p listed) bool { return p.name() == "internal/measure" })
	got := map[string]bool{}
	eachUse(t, packages[at], packages[at].GoFiles, func(from, at string, object types.Object) {
		f, is := object.(*types.Func)
		if !is || measureParts[partOf(from)] != "census" || measureParts[partOf(at)] != "lane" {
			return
		}
		lane := types.NewMethodSet(types.NewPointer(object.Pkg().Scope().Lookup("Lane").Type()))
		if m := lane.Lookup(object.Pkg(), f.Name()); m != nil && m.Obj() == f {
			got[f.Name()] = true
		}
	})
	doc := must.Get(os.ReadFile(filepath.Join(root, "internal", "measure", "doc.go")))(t)
	_, list, _ := strings.Cut(string(doc), "The census speaks to a lane through these methods:")
	list, _, _ = strings.Cut(list, "\n//\n// #")
	var named []string
	for line := range strings.Lines(list) {
		if _, names, is := strings.Cut(line, "//   - "); is {
			_, names, _ = strings.Cut(names, ": ")
			named = append(named, strings.FieldsFunc(names, func(r rune) bool { return !unicode.IsLetter(r) })...)
		}
	}
	slices.Sort(named)
	if want := slices.Sorted(maps.Keys(got)); !slices.Equal(named, want) {
		t.Errorf("got the methods %q in the documentation; want %q", named, want)
	}
}
