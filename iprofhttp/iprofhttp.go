// Package iprofhttp measures the requests of an HTTP server by route. Each route is a zone that counts each request by
// its duration. Reports, the page and the metrics show the median, the 99th percentile and the distribution. A request
// that takes far longer than others of its route is reported, with the zones that took the time: see report.SlowCall.
//
//	http.ListenAndServe(":8080", iprofhttp.Measure(mux))
//
// For the router of another package, one line of middleware names the route. Use the method FullPath of gin, Path of
// echo, and for chi the function that [MeasureBy] shows:
//
//	engine.Use(func(c *gin.Context) {
//		defer iprofhttp.Begin(c.Request.Method, c.FullPath()).End()
//		c.Next()
//	})
//
// The program decides what a frame of the server is, such as a second: see process.Session.SetEventDriven.
package iprofhttp

import (
	"net/http"
	"strings"
	"sync"

	"example.com/iprof/gather"
)

// MaxRoutes is the number of routes with a zone of their own. All others are in the zone OtherRoutes.
const MaxRoutes = 200

// OtherRoutes is the zone of the routes beyond MaxRoutes. A router that gives whole paths as routes has many routes.
const OtherRoutes = "other routes"

// NoRoute is the route of requests that match no route.
const NoRoute = "(no route)"

// Measure returns a handler that measures each request under its route: the pattern of net/http's ServeMux. The handler
// is a ServeMux, or one that a ServeMux calls. With the tag iprof_off it returns the handler itself.
func Measure(next http.Handler) http.Handler {
	mux, _ := next.(*http.ServeMux)
	return MeasureBy(next, func(r *http.Request) string {
		if mux == nil {
			return r.Pattern
		}
		_, pattern := mux.Handler(r)
		return pattern
	})
}

// MeasureBy is Measure with a function that returns the route of a request, or "" for no route. The function is called
// before the handler, on any goroutine. The profiler's own pages, /debug/iprof/, are not measured. For chi, whose route
// is known only after a request:
//
//	http.ListenAndServe(":8080", iprofhttp.MeasureBy(router, func(r *http.Request) string {
//		return router.Find(chi.NewRouteContext(), r.Method, r.URL.Path)
//	}))
func MeasureBy(next http.Handler, route func(*http.Request) string) http.Handler {
	if !gather.Enabled {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if of := route(r); !strings.Contains(of, "/debug/iprof/") {
			defer Begin(r.Method, of).End()
		}
		next.ServeHTTP(w, r)
	})
}

// Begin enters the zone of a route on the calling goroutine. End it there when the request is answered. The zone is
// named METHOD ROUTE. A route may have a method already, as the patterns of net/http have; "" is NoRoute. Methods that
// HTTP does not define count as the method OTHER. Any goroutine may call it.
func Begin(method, route string) gather.Scope {
	if !gather.Enabled {
		return gather.Scope{}
	}
	return zoneOf(key{method, route}).Begin()
}

// key has a request's method and route.
type key struct{ method, route string }

// name returns the name of the route's zone.
func (k key) name() string {
	switch {
	case k.route == "":
		k.route = NoRoute
	case strings.Contains(k.route, " "):
		return k.route
	}
	switch k.method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace:
	case "":
		k.method = http.MethodGet // as in a client's request
	default:
		k.method = "OTHER"
	}
	return k.method + " " + k.route
}

// routes has the zones. Only the first request of a route adds one.
var routes struct {
	sync.RWMutex
	byName map[string]*gather.Zone
	byKey  map[key]*gather.Zone // several keys may have one name
}

func zoneOf(k key) *gather.Zone {
	routes.RLock()
	z := routes.byKey[k]
	routes.RUnlock()
	if z != nil {
		return z
	}
	name := k.name()
	routes.Lock()
	defer routes.Unlock()
	if routes.byName == nil {
		routes.byName, routes.byKey = map[string]*gather.Zone{}, map[key]*gather.Zone{}
	}
	if routes.byName[name] == nil && len(routes.byName) >= MaxRoutes {
		name = OtherRoutes
	}
	if z = routes.byName[name]; z == nil {
		z = &gather.Zone{Name: name}
		z.SetPerCall(true)
		routes.byName[name] = z
	}
	if len(routes.byKey) < 2*MaxRoutes {
		routes.byKey[key{strings.Clone(k.method), strings.Clone(k.route)}] = z
	}
	return z
}
