package auto

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/quiet"
)

const (
	mostRoutes   = 200  // routes with a separate zone
	keptRequests = 4096 // the newest requests of a route, for its percentiles
	otherRoutes  = "other routes"
)

// routes holds the data on each route, and the current requests, by their addresses. There are few routes, so they are
// a list. A map would be visible to the race detector.
var routes struct {
	quiet.Mutex
	list []*route
	open [256][]*request
}

// request is a request that is being answered.
type request struct {
	of   any
	name string // of its route
	by   int    // the number of counted handlers inside each other that have it
}

// route is one handler with one pattern. The mutex of routes guards all fields but the zone.
type route struct {
	zone  gather.Zone // its name is the route's
	count int
	last  [keptRequests]time.Duration // the newest are at count modulo the length
}

// Request begins the zone of a request's route: the router's pattern, or else the method and the handler's name. A
// handler without a name counts only with a known route. Handlers of one request may call each other: handlers of the
// same route count once, and of different routes only the innermost counts, because it has the most precise route. The
// pointer of identifies the request; it is the same for all its handlers. A handler defers the returned function. The
// report shows the number of requests of each route, and the median and the 99th percentile of their times. A request
// far slower than its route's others is reported while the program runs: see gather.SlowCall. Any goroutine may call
// it.
func Request(of any, method, pattern, handler string) (end func()) {
	name := pattern
	switch {
	case name == "" && handler == "":
		return nothing
	case name == "":
		name = method + " " + handler
	case !strings.Contains(name, " "):
		name = method + " " + name
	}
	r, depth := enter(of, name)
	if r == nil {
		return nothing
	}
	scope, start := r.zone.Begin(), time.Now()
	return func() {
		took := time.Since(start)
		scope.End()
		r.answered(of, depth, took)
	}
}

func nothing() {}

// RouteOf returns the router's name of a route, or else net/http's pattern. Any goroutine may call it.
func RouteOf(router, pattern string) string { return cmp.Or(router, pattern) }

// enter returns the route of a request, and its number of handlers now. It returns nil for a handler whose route an
// enclosing handler has counted.
func enter(of any, name string) (r *route, depth int) {
	routes.Lock()
	defer routes.Unlock()
	q := requestOf(of)
	if q == nil {
		q = &request{of: of}
		list := bucket(of)
		*list = append(*list, q)
	}
	if q.name == name {
		return nil, 0
	}
	q.name = name
	q.by++
	return makeRoute(name), q.by
}

// makeRoute returns the route with a name, or that of others if there are too many. The mutex is held.
func makeRoute(name string) *route {
	r := routeOf(name)
	if r == nil && len(routes.list) >= mostRoutes {
		name = otherRoutes
		r = routeOf(name)
	}
	if r == nil {
		r = &route{zone: gather.Zone{Name: name}}
		r.zone.SetPerCall(true)
		routes.list = append(routes.list, r)
	}
	return r
}

// routeOf returns the route with a name, or nil. The mutex is held.
func routeOf(name string) *route {
	for _, r := range routes.list {
		if r.zone.Name == name {
			return r
		}
	}
	return nil
}

// requestOf returns the request with an address, or nil. The mutex is held.
func requestOf(of any) *request {
	for _, q := range *bucket(of) {
		if q.of == of {
			return q
		}
	}
	return nil
}

// bucket returns the list for a request. The mutex is held.
func bucket(of any) *[]*request {
	const unit = 16 // least distance of addresses, in bytes
	place := uintptr(0)
	if v := reflect.ValueOf(of); v.Kind() == reflect.Pointer {
		place = v.Pointer() / unit
	}
	return &routes.open[place%uintptr(len(routes.open))]
}

// answered ends a request for its depth-th handler, and counts the request if no other handler is inside.
func (r *route) answered(of any, depth int, took time.Duration) {
	routes.Lock()
	defer routes.Unlock()
	if q := requestOf(of); q != nil && q.by == depth {
		r.last[r.count%keptRequests] = took
		r.count++
	}
	if depth == 1 {
		list := bucket(of)
		*list = slices.DeleteFunc(*list, func(q *request) bool { return q.of == of })
	}
}

// Route holds the measurements of one handler with one pattern.
type Route struct {
	Name     string
	Requests int
	P50, P99 time.Duration // of the newest requests
}

// routesSoFar returns the routes with requests, by name.
func routesSoFar() (list []Route) {
	routes.Lock()
	defer routes.Unlock()
	for _, r := range routes.list {
		if r.count == 0 {
			continue
		}
		last := slices.Clone(r.last[:min(r.count, keptRequests)])
		slices.Sort(last)
		rank := func(share int) time.Duration { return last[(len(last)-1)*share/100] }
		list = append(list, Route{r.zone.Name, r.count, rank(50), rank(99)})
	}
	slices.SortFunc(list, func(a, b Route) int { return strings.Compare(a.Name, b.Name) })
	return list
}
