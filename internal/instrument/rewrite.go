package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"strconv"
	"strings"
)

// The package that rewritten files import, and the name they use for it.
const (
	autoPackage = "example.com/iprof/auto"
	autoName    = "iprofAuto"
)

// source is one file of the program.
type source struct {
	path    string // absolute
	pkg     string // import path
	text    []byte
	fset    *token.FileSet
	file    *ast.File
	list    []*Function
	imports map[string]string // local name to import path
	calls   []frameCall
	around  map[string]bool // import paths of known calls that a file of the package imports
	copied  bool            // its module is copied, so the overlay leaves it out
	std     bool            // of the standard library
	ours    bool            // the profiler uses the package, which so cannot import the profiler

	declares    bool   // the file has what its package of the standard library needs
	addTestMain bool   // the file's package has tests and no TestMain
	testing     string // name of the imported package testing, for TestMain
}

// parse parses a file and lists its functions and the calls that end frames. The error is a syntax error.
func parse(path, pkg string, text []byte) (*source, error) {
	s := &source{path: path, pkg: pkg, text: text, fset: token.NewFileSet()}
	file, err := parser.ParseFile(s.fset, path, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	s.file = file
	s.imports = importNames(file)
	s.list = functions(s.fset, file, path, pkg)
	return s, nil
}

// importNames maps the file's names of imported packages to import paths.
func importNames(file *ast.File) map[string]string {
	names := map[string]string{}
	for _, i := range file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		if i.Name != nil {
			names[i.Name.Name] = path
			continue
		}
		names[lastElement(path)] = path
	}
	return names
}

// lastElement guesses a package's name from its import path: "glfw" for "github.com/go-gl/glfw/v3.3/glfw", "ebiten" for
// "github.com/hajimehoshi/ebiten/v2".
func lastElement(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if isMajor(last) && len(parts) > 1 {
		last = parts[len(parts)-2]
	}
	last, _, _ = strings.Cut(last, ".")
	return strings.TrimPrefix(last, "go-")
}

func isMajor(s string) bool {
	if len(s) < 2 || s[0] != 'v' {
		return false
	}
	_, err := strconv.Atoi(s[1:])
	return err == nil
}

// rewrite returns the file with zones in the chosen functions. Without changes the text is nil and changed is false.
func (s *source) rewrite(o *Options) (text []byte, changed bool) {
	if s.ours {
		return nil, false
	}
	if s.std {
		return s.rewriteStd()
	}
	e := &edits{source: s.text}
	t := &table{auto: s.unused(autoName), name: s.unused(fmt.Sprintf("iprofZones%08x", hash(s.path)))}
	imports := "; import " + t.auto + " " + strconv.Quote(autoPackage)
	if s.addMain(e, t, o) {
		changed = true
		for _, path := range o.Imports {
			imports += "; import _ " + strconv.Quote(path)
		}
	}
	changed = s.addZones(e, t) || changed
	changed = s.addFrames(e, t, o) || changed
	keep := s.replaceExits(e, t.auto)
	if !changed && keep == "" {
		return nil, false
	}
	if s.testing != "" {
		imports += "; import " + s.testing + ` "testing"`
	}
	e.insert(s.offset(s.file.Name.End()), imports)
	end := t.declaration() + keep + s.testMain(t.auto)
	if !bytes.HasSuffix(s.text, []byte("\n")) {
		end = "\n" + end
	}
	e.insert(len(s.text), end)
	return e.bytes(), true
}

// addZones inserts a statement into each chosen function. It reports whether there are any.
func (s *source) addZones(e *edits, t *table) (changed bool) {
	for _, f := range s.list {
		if f.Reason == "" {
			e.insert(f.body, t.deferred(t.add(zone{label: f.Label(), idle: f.idle})))
			changed = true
		}
		changed = f.addWaits(e, t) || changed
		changed = f.addSpawns(e, t) || changed
	}
	return changed
}

// addMain inserts the call of auto.Main into the function main, or TestMain in tests. It reports whether the file has
// that function or gets it.
func (s *source) addMain(e *edits, t *table, o *Options) bool {
	name := "main"
	if o.Test {
		name = "TestMain"
	} else if s.file.Name.Name != "main" {
		return false
	}
	for _, f := range s.list {
		if f.Name == name && f.skip == "" {
			e.insert(f.body, " defer "+t.auto+".Main()();")
			return true
		}
	}
	if s.addTestMain {
		s.testing = s.unused("iprofTesting")
	}
	return s.addTestMain
}

// testMain returns the declaration of TestMain for a file that placeTestMains chose.
func (s *source) testMain(auto string) string {
	if s.testing == "" {
		return ""
	}
	return fmt.Sprintf("func TestMain(m *%s.M) { defer %s.Main()(); m.Run() }\n", s.testing, auto)
}

// exits maps the functions that end the process without running deferred calls, and those that take signals, to their
// replacements in package auto.
var exits = map[string]map[string]string{
	"os":        {"Exit": "Exit"},
	"log":       {"Fatal": "Fatal", "Fatalf": "Fatalf", "Fatalln": "Fatalln"},
	"os/signal": {"Notify": "Notify", "NotifyContext": "NotifyContext"},
}

// replaceExits replaces os.Exit and log.Fatal by functions of auto, which write the report first, and signal.Notify by
// one that leaves the signals to the program. It returns declarations that use the imports, so that the file still
// compiles.
func (s *source) replaceExits(e *edits, auto string) string {
	used := map[string]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if local, name, ok := s.imported(call.Fun); ok {
			if to := exits[s.imports[local]][name]; to != "" {
				e.replace(s.offset(call.Fun.Pos()), s.offset(call.Fun.End()), auto+"."+to)
				used[local+"."+name] = true
			}
		}
		return true
	})
	var keep strings.Builder
	for _, name := range sortedKeys(used) {
		keep.WriteString("var _ = " + name + "\n")
	}
	return keep.String()
}

// imported returns the two parts of pkg.Name if pkg is an import of the file and not a variable.
func (s *source) imported(x ast.Expr) (local, name string, ok bool) {
	selector, ok := x.(*ast.SelectorExpr)
	if !ok {
		return "", "", false
	}
	id, ok := selector.X.(*ast.Ident)
	if !ok || id.Obj != nil || s.imports[id.Name] == "" {
		return "", "", false
	}
	return id.Name, selector.Sel.Name, true
}

// unused returns a name that does not occur in the file.
func (s *source) unused(name string) string {
	for bytes.Contains(s.text, []byte(name)) {
		name += "_"
	}
	return name
}

func (s *source) offset(p token.Pos) int { return s.fset.PositionFor(p, false).Offset }

func hash(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}
