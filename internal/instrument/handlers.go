package instrument

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// handler describes the last parameter of the functions that answer requests of a router.
type handler struct {
	importPath string // of the router, or a prefix
	parameter  string // the type's name
	method     string // expression for the request's method, behind the parameter's name
	route      string // the same for the router's pattern
}

var handlers = []handler{
	{"net/http", "Request", ".Method", ".Pattern"}, // chi sets Pattern, too
	{"github.com/gin-gonic/gin", "Context", ".Request.Method", ".FullPath()"},
	{"github.com/labstack/echo", "Context", ".Request().Method", ".Path()"},
}

// readHandler finds the parameters of a handler: (w http.ResponseWriter, r *http.Request), (c *gin.Context) or
// (c echo.Context).
func (f *Function) readHandler(t *ast.FuncType) {
	list := t.Params.List
	if len(list) == 0 || len(list[len(list)-1].Names) != 1 {
		return
	}
	last := list[len(list)-1]
	pkg, name := qualified(last.Type)
	at := slices.IndexFunc(handlers, func(h handler) bool {
		if h.importPath != "net/http" {
			return h.parameter == name && len(list) == 1
		}
		return h.parameter == name && len(list) == 2 && len(list[0].Names) == 1 && isWriter(list[0].Type)
	})
	if at >= 0 && last.Names[0].Name != "_" {
		f.handles, f.request, f.imported = &handlers[at], last.Names[0].Name, pkg
	}
}

func isWriter(t ast.Expr) bool {
	_, name := qualified(t)
	return name == "ResponseWriter"
}

// qualified returns the parts of a type of another package, or of a pointer to one.
func qualified(t ast.Expr) (pkg, name string) {
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if selector, ok := t.(*ast.SelectorExpr); ok {
		if id, ok := selector.X.(*ast.Ident); ok {
			return id.Name, selector.Sel.Name
		}
	}
	return "", ""
}

// routerOf returns the handler description of a function of the file, or nil.
func (s *source) routerOf(f *Function) *handler {
	if f.handles == nil {
		return nil
	}
	for i := range handlers { // gin and echo both have a Context
		h := &handlers[i]
		if h.parameter == f.handles.parameter && strings.HasPrefix(s.imports[f.imported], h.importPath) {
			return h
		}
	}
	return nil
}

// isHandler reports whether each call of the function is a request, with a zone of its route.
func (s *source) isHandler(f *Function, frames *Frames) bool {
	return s.routerOf(f) != nil && (frames.Routes || slices.Contains(frames.Functions, f.Full()))
}

// hasHandler reports whether a measured function is a handler.
func (p *Plan) hasHandler() bool {
	return slices.ContainsFunc(p.sources, func(s *source) bool {
		return !s.std && slices.ContainsFunc(s.list, func(f *Function) bool { return s.routerOf(f) != nil })
	})
}

// requested returns the statement that begins and ends a request. With all handlers measured, handlers without a known
// route are usually wrappers around routers: see auto.Served.
func (s *source) requested(t *table, f *Function, frames *Frames) string {
	h, named := s.routerOf(f), ""
	if slices.Contains(frames.Functions, f.Full()) {
		named = f.short()
	}
	route := f.request + h.route
	if chi := s.nameOf("github.com/go-chi/chi"); chi != "" && h.importPath == "net/http" {
		// Pattern contains only the part of chi's innermost router.
		known := fmt.Sprintf("%s.RouteContext(%s.Context()).RoutePattern()", chi, f.request)
		route = fmt.Sprintf("%s.RouteOf(%s, %s)", t.auto, known, route)
	}
	if h.importPath == "net/http" {
		return fmt.Sprintf(" defer %[1]s.Served(%[2]s, %[1]s.HTTP{Method: %[2]s.Method, URL: %[2]s.URL, "+
			"Header: %[2]s.Header, Later: &%[2]s.Pattern, Route: %[3]s, Handler: %[4]q, Place: %[5]q})();", t.auto,
			f.request, route, named, f.Full())
	}
	return fmt.Sprintf(" defer %s.Request(%s, %s, %s, %q)();", t.auto, f.request, f.request+h.method, route, named)
}

// nameOf returns the file's local name of a library's main package, or "". The import path may end in a version.
func (s *source) nameOf(library string) string {
	for name, path := range s.imports {
		if path == library || strings.HasPrefix(path, library+"/") && isMajor(path[len(library)+1:]) {
			return name
		}
	}
	return ""
}

// errNoHandler is the error of -frame routes in a program without handlers.
const errNoHandler = "-frame routes: the packages that are measured have no handler of net/http, gin, chi or echo; " +
	"iprof run -n lists their functions, and -frame FUNC takes one of them"
