package auto

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A handler without a known route is a wrapper around a router, or answers by the path alone. That is known when it has
// ended: then no handler inside has had a route.

// HTTP is a request to a handler of net/http.
type HTTP struct {
	Method  string
	URL     *url.URL
	Header  map[string][]string // copies of a request usually share it
	Later   *string             // the router's pattern, when the handler has ended
	Route   string              // the router's pattern so far, or ""
	Handler string              // the name of a handler that the user has chosen, else ""
	Place   string              // the handler's full name
}

// served is a request whose outermost handler has no route.
type served struct {
	header uintptr
	routed bool // a handler inside has a route
}

// mostServed limits the requests without a route at a time. Further ones do not count.
const mostServed = 10_000

// withoutRouter holds such requests, and their handlers that have ended. Those of alone have never had a route inside:
// their requests get a zone.
var withoutRouter struct {
	open         []*served
	alone, mixed []string
}

// Served is Request for a handler of net/http. If neither it nor a handler inside has a route, the request counts for
// its method and the class of its path, in which numbers and identifiers are {id}. Any goroutine may call it.
func Served(of any, r HTTP) (end func()) {
	header := reflect.ValueOf(r.Header).Pointer()
	known := r.Route != "" || r.Handler != ""
	routes.Lock()
	at := slices.IndexFunc(withoutRouter.open, func(s *served) bool { return s.header == header })
	if known && at >= 0 {
		withoutRouter.open[at].routed = true
	}
	if known || at >= 0 || header == 0 || r.URL == nil || len(withoutRouter.open) >= mostServed {
		routes.Unlock()
		return Request(of, r.Method, r.Route, r.Handler)
	}
	s := &served{header: header}
	withoutRouter.open = append(withoutRouter.open, s)
	name, start, scope := r.Method+" "+pathClass(r.URL.Path), time.Now(), Scope{}
	if slices.Contains(withoutRouter.alone, r.Place) {
		scope = makeRoute(name).zone.Begin()
	}
	routes.Unlock()
	return func() {
		took := time.Since(start)
		scope.End()
		s.ended(&r, name, took)
	}
}

// ended counts a request that has ended, unless a handler inside has counted it.
func (s *served) ended(r *HTTP, name string, took time.Duration) {
	w := &withoutRouter
	routes.Lock()
	defer routes.Unlock()
	w.open = slices.DeleteFunc(w.open, func(o *served) bool { return o == s })
	switch {
	case !s.routed && *r.Later == "":
		if len(w.alone) < mostRoutes && !slices.Contains(w.alone, r.Place) && !slices.Contains(w.mixed, r.Place) {
			w.alone = append(w.alone, r.Place)
		}
	case len(w.mixed) < mostRoutes && !slices.Contains(w.mixed, r.Place):
		w.mixed = append(w.mixed, r.Place)
		w.alone = slices.DeleteFunc(w.alone, func(place string) bool { return place == r.Place })
	}
	if s.routed {
		return
	}
	if *r.Later != "" {
		if name = *r.Later; !strings.Contains(name, " ") {
			name = r.Method + " " + name
		}
	}
	route := makeRoute(name)
	route.last[route.count%keptRequests] = took
	route.count++
}

// pathClass returns a path with {id} in place of numbers and identifiers, and at most mostParts parts.
func pathClass(path string) string {
	const mostParts = 6
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if isIdentifier(part) {
			parts[i] = "{id}"
		}
	}
	if len(parts) > mostParts+1 {
		parts = append(parts[:mostParts+1], "...")
	}
	return strings.Join(parts, "/")
}

// isIdentifier reports whether a part of a path is a number, or is long and has digits, as a hash or a UUID has.
func isIdentifier(part string) bool {
	const short = 16
	digits := 0
	for _, c := range []byte(part) {
		if c >= '0' && c <= '9' {
			digits++
		}
	}
	return digits > 0 && (digits == len(part) || len(part) >= short)
}
