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
	autoPackage   = "example.com/iprof/auto"
	viewerPackage = "example.com/iprof/internal/web/wasm"
	autoName      = "iprofAuto"
)

// source is one file of the program.
type source struct {
	path       string // absolute
	pkg        string // import path
	text       []byte
	fset       *token.FileSet
	file       *ast.File
	list       []*Function
	imports    map[string]string // local name to import path
	calls      []frameCall
	around     map[string]bool // import paths of known calls imported by any file of the package
	copied     bool            // its module is copied, so it is not in the overlay
	std        bool            // of the standard library
	old        bool            // its language has no type parameters
	dependency bool            // the profiler imports the package, so the package cannot import the profiler

	declares bool // the file has the declarations of stdDeclarations
	starts   bool // the file has the function init of placeStarts
	edits    *edits
}

// parse parses a file and lists its functions and the calls that end frames. The error is a syntax error.
func parse(fset *token.FileSet, path, pkg string, text []byte) (*source, error) {
	s := &source{path: path, pkg: pkg, text: text, fset: fset}
	file, err := parser.ParseFile(s.fset, path, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	s.file = file
	s.imports = importNames(file)
	s.list = functions(s.fset, file, path, pkg)
	for _, f := range s.list {
		f.packageName = file.Name.Name
	}
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
func (s *source) rewrite(p *Plan) (text []byte, changed bool) {
	if s.dependency {
		return nil, false
	}
	if s.std {
		return s.rewriteStd(p)
	}
	e := &edits{source: s.text}
	s.edits = e
	t := &table{auto: s.unused(autoName), name: s.unused(fmt.Sprintf("iprofZones%08x", hash(s.path))), old: s.old}
	more, start := s.addStart(p, t.auto)
	changed = s.addZones(e, t) || s.starts
	changed = s.addFrames(e, t, &p.options) || changed
	if !changed {
		return nil, false
	}
	imports := "; import " + t.auto + " " + strconv.Quote(p.place(autoPackage)) + more
	e.insert(s.offset(s.file.Name.End()), imports)
	end := t.declaration() + start
	if !bytes.HasSuffix(s.text, []byte("\n")) {
		end = "\n" + end
	}
	e.insert(len(s.text), end)
	return e.bytes(), true
}

// addZones inserts a statement into each chosen function. It reports any change.
//
// Each zone ends by defer. A zone could end without one only in a function that cannot panic: one that calls nothing,
// indexes nothing and follows no pointer. Of 3,864 chosen by size in five large programs, these were 22.
func (s *source) addZones(e *edits, t *table) (changed bool) {
	for _, f := range s.list {
		if f.Reason == "" {
			deferred := t.deferred
			if f.isMain() && f.packageName == "main" {
				deferred = t.deferredMain
			}
			e.insert(f.body, deferred(t.add(zone{label: f.Label(), idle: f.idle, computes: f.Computes})))
			changed = true
		}
		changed = f.addRounds(e, t) || changed
		changed = f.addWaits(e, t) || changed
		changed = f.addSpawns(e, t) || changed
	}
	return changed
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
