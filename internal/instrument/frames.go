package instrument

import (
	"errors"
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"time"
)

// frameCall is a call in the program that ends a frame or waits.
type frameCall struct {
	begin, end int // offsets of the call
	line       int
	known      *knownCall
}

// knownCall is a function or method of a well-known library that ends a frame or waits.
type knownCall struct {
	importPath string // of the library, or a prefix
	name       string
	ends       bool   // a frame ends when it returns
	waits      bool   // it waits, so the call gets an idle zone
	zone       string // the name of that zone
	arguments  int    // number of arguments
	unique     bool   // the name is unique: another file of the package may import the library
}

// knownCalls are recognised by name and number of arguments in files that import the library, without a type check.
var knownCalls = []knownCall{
	{
		importPath: "github.com/go-gl/glfw/", name: "SwapBuffers", ends: true, waits: true, zone: "swap buffers",
		unique: true,
	},
	{importPath: "github.com/go-gl/glfw/", name: "WaitEvents", waits: true, zone: "wait for events"},
	{
		importPath: "github.com/go-gl/glfw/", name: "WaitEventsTimeout", waits: true, arguments: 1,
		zone: "wait for events",
	},
	{
		importPath: "github.com/veandco/go-sdl2/sdl", name: "GLSwap", ends: true, waits: true, zone: "swap buffers",
		unique: true,
	},
	{importPath: "github.com/veandco/go-sdl2/sdl", name: "Present", ends: true, waits: true, zone: "present"},
	{importPath: "github.com/veandco/go-sdl2/sdl", name: "UpdateSurface", ends: true, waits: true, zone: "present"},
	{importPath: "github.com/veandco/go-sdl2/sdl", name: "Delay", waits: true, zone: "delay", arguments: 1},
	{
		importPath: "github.com/gen2brain/raylib-go/raylib", name: "EndDrawing", ends: true, waits: true,
		zone: "end drawing",
	},
	{importPath: "github.com/gopxl/pixel/", name: "Update", ends: true, waits: true, zone: "window update"},
	{importPath: "github.com/faiface/pixel", name: "Update", ends: true, waits: true, zone: "window update"},
	{importPath: "gioui.org/", name: "Frame", ends: true, zone: "frame event", arguments: 1},
	{importPath: "time", name: "Sleep", waits: true, zone: "sleep", arguments: 1},
}

// drawMethods are methods of the program that a library calls once a frame.
var drawMethods = []struct{ importPath, name, parameter string }{
	{"github.com/hajimehoshi/ebiten", "Draw", "Image"},
}

// findCalls lists in each file the calls that end frames or wait.
func (p *Plan) findCalls() {
	around := map[string]map[string]bool{}
	for _, s := range p.sources {
		if around[s.pkg] == nil {
			around[s.pkg] = map[string]bool{}
		}
		for _, k := range knownCalls {
			around[s.pkg][k.importPath] = around[s.pkg][k.importPath] || s.importsLibrary(k.importPath)
		}
	}
	parallel(len(p.sources), func(i int) {
		s := p.sources[i]
		s.around = around[s.pkg]
		if !s.std {
			s.calls = s.frameCalls()
		}
	})
}

// frameCalls lists the statements of the file that are knownCalls. It skips statements in the head of a loop or
// condition, because no other statement can be inserted there.
func (s *source) frameCalls() []frameCall {
	var found []frameCall
	ast.Inspect(s.file, func(n ast.Node) bool {
		for _, statement := range statements(n) {
			if labeled, ok := statement.(*ast.LabeledStmt); ok {
				statement = labeled.Stmt
			}
			expression, ok := statement.(*ast.ExprStmt)
			if !ok {
				continue
			}
			call, ok := expression.X.(*ast.CallExpr)
			if !ok {
				continue
			}
			if k := s.known(call); k != nil {
				line := s.fset.PositionFor(call.Pos(), false).Line
				found = append(found, frameCall{s.offset(call.Pos()), s.offset(call.End()), line, k})
			}
		}
		return true
	})
	return found
}

// statements returns the statement list of a node that has one.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// known returns the knownCall of a call, or nil.
func (s *source) known(call *ast.CallExpr) *knownCall {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	local, _, isImported := s.imported(call.Fun)
	for i := range knownCalls {
		k := &knownCalls[i]
		if k.name != selector.Sel.Name || k.arguments != len(call.Args) || s.isPartOf(k.importPath) {
			continue
		}
		if isImported && strings.HasPrefix(s.imports[local], k.importPath) {
			return k
		}
		imports := s.importsLibrary(k.importPath) || k.unique && s.around[k.importPath]
		if !isImported && k.importPath != "time" && imports {
			return k
		}
	}
	return nil
}

// isPartOf reports whether the file belongs to the library itself, whose own methods of such names end no frames. A
// library's examples do not belong to it: they are programs that use it.
func (s *source) isPartOf(library string) bool {
	library = strings.TrimSuffix(library, "/")
	return strings.HasPrefix(s.pkg+"/", library+"/") && s.file.Name.Name != "main"
}

func (s *source) importsLibrary(library string) bool {
	for _, path := range s.imports {
		if strings.HasPrefix(path, library) {
			return true
		}
	}
	return false
}

// addFrames inserts the ends of frames chosen by the options, and idle zones around waiting calls. It reports any
// change.
func (s *source) addFrames(e *edits, t *table, o *Options) (changed bool) {
	for _, c := range s.calls {
		end := ""
		if c.ends(&o.Frames) {
			end = "; " + t.auto + ".Frame()"
		}
		switch {
		case c.known.waits:
			before, behind := t.around(t.add(zone{label: c.known.zone, idle: true}))
			e.insert(c.begin, before)
			e.insert(c.end, behind+end+" }")
		case end != "":
			e.insert(c.end, end)
		default:
			continue
		}
		changed = true
	}
	for _, f := range s.list {
		if s.isHandler(f, &o.Frames) {
			e.insert(f.body, s.requested(t, f, &o.Frames))
			changed = true
		} else if s.endsFrame(f, &o.Frames) {
			e.insert(f.body, " defer "+t.auto+".Frame();")
			changed = true
		}
	}
	return changed
}

// ends reports whether a frame ends after the call.
func (c *frameCall) ends(frames *Frames) bool { return c.known.ends && frames.found() }

// endsFrame reports whether a frame ends when the function returns.
func (s *source) endsFrame(f *Function, frames *Frames) bool {
	return slices.Contains(frames.Functions, f.Full()) || frames.found() && s.isDrawMethod(f)
}

// isDrawMethod reports whether a library calls the function once a frame.
func (s *source) isDrawMethod(f *Function) bool {
	for _, d := range drawMethods {
		if f.method == d.name && f.parameter == d.parameter && s.importsLibrary(d.importPath) {
			return true
		}
	}
	return false
}

// Frames chooses the ends of frames. With the zero value frames end at the calls of well-known libraries that show a
// picture.
type Frames struct {
	Functions []string      // full names of functions; each return ends a frame, or is a request of a handler
	Every     time.Duration // interval between ends of frames; 0 is none
	Routes    bool          // each handler of a well-known router is a request of its route
	None      bool          // no frames: the report covers the whole run
}

// found reports whether frames end at the calls of well-known libraries.
func (f *Frames) found() bool { return len(f.Functions) == 0 && f.Every == 0 && !f.None && !f.Routes }

// isCalled reports whether name names the function: with the import path, its last element, or the package's name, as
// in stack traces, or without the package.
func (f *Function) isCalled(name string) bool {
	return name == f.Full() || name == f.short() || name == f.Name || name == f.packageName+"."+f.Name
}

// endsIn reports whether the full name ends in name, and name begins at the start of a part.
func (f *Function) endsIn(name string) bool {
	rest, ok := strings.CutSuffix(f.Full(), name)
	return ok && name != "" && (rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, "/"))
}

// findFrames replaces the names in Frames.Functions by full ones. It returns an error for an unknown or ambiguous name.
func (p *Plan) findFrames(all []*listed) error {
	names := slices.Clone(p.options.Frames.Functions)
	for i, name := range names {
		switch found := p.named(name); len(found) {
		case 0:
			return fmt.Errorf("-frame %s: there is no such function in the packages that are measured; %s", name,
				p.insteadOf(name, all))
		case 1:
			names[i] = found[0]
		default:
			return fmt.Errorf("-frame %s: several functions have that name; name one of them: %s", name,
				strings.Join(found, ", "))
		}
	}
	p.options.Frames.Functions = names
	if p.options.Frames.Routes && !p.hasHandler() {
		return errors.New(errNoHandler)
	}
	return nil
}

// named returns the full names of the functions for a name: the function with that full name, or those for which
// isCalled is true, or those whose names end in it.
func (p *Plan) named(name string) []string {
	full, called, ends := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range p.sources {
		for _, f := range s.list {
			switch {
			case f.Full() == name:
				full[name] = true
			case f.isCalled(name):
				called[f.Full()] = true
			case f.endsIn(name):
				ends[f.Full()] = true
			}
		}
	}
	for _, found := range []map[string]bool{full, called} {
		if len(found) > 0 {
			return sortedKeys(found)
		}
	}
	return sortedKeys(ends)
}

// insteadOf suggests alternatives for the name of no measured function: functions with similar endings, or a function
// of a dependency. all are the packages of the program.
func (p *Plan) insteadOf(name string, all []*listed) string {
	last := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	alike := map[string]bool{}
	for _, s := range p.sources {
		for _, f := range s.list {
			if strings.HasSuffix(strings.ToLower("."+f.Name), "."+last) {
				alike[f.Full()] = true
			}
		}
	}
	if names := sortedKeys(alike); len(names) > 0 {
		return "these end so: " + strings.Join(names[:min(len(names), mostAlike)], ", ")
	}
	pkg, _, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
	for _, l := range all {
		if l.Name == pkg && l.DepOnly && l.Module != nil && !l.Module.Main {
			return "package " + l.ImportPath + " is of a dependency: measure it with -deps " + l.Module.Path
		}
	}
	return "iprof run -n lists their names"
}

// mostAlike is the greatest number of names that an error lists.
const mostAlike = 10

// short returns the full name with only the last element of the import path: "world.(*World).Step".
func (f *Function) short() string {
	return f.Package[strings.LastIndexByte(f.Package, '/')+1:] + "." + f.Name
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
