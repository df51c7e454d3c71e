package auto

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/iprof/gather"
)

const (
	mostRoutes   = 200  // routes with a zone of their own
	keptRequests = 4096 // the newest requests of a route, for its percentiles
	otherRoutes  = "other routes"
)

// routes has what is known of each route, by name.
var routes struct {
	sync.Mutex
	byName map[string]*route
}

// route is one handler with one pattern. The mutex of routes guards it but for the zone.
type route struct {
	zone  gather.Zone
	count int
	last  [keptRequests]time.Duration // the newest are at count modulo the length
}

// Request begins the zone of a request's route: the pattern of net/http's ServeMux, or the method and the handler's
// name. A handler defers the function that it returns. The report has the number of requests of each route, and the
// median and the 99th percentile of their times. Any goroutine may call it.
func Request(method, pattern, handler string) (end func()) {
	name := pattern
	switch {
	case name == "":
		name = method + " " + handler
	case !strings.Contains(name, " "):
		name = method + " " + name
	}
	r := routeOf(name)
	scope, start := r.zone.Begin(), time.Now()
	return func() {
		took := time.Since(start)
		scope.End()
		routes.Lock()
		defer routes.Unlock()
		r.last[r.count%keptRequests] = took
		r.count++
	}
}

func routeOf(name string) *route {
	routes.Lock()
	defer routes.Unlock()
	if routes.byName == nil {
		routes.byName = map[string]*route{}
	}
	if routes.byName[name] == nil && len(routes.byName) >= mostRoutes {
		name = otherRoutes
	}
	r := routes.byName[name]
	if r == nil {
		r = &route{zone: gather.Zone{Name: name}}
		routes.byName[name] = r
	}
	return r
}

// Route is what is known of one handler with one pattern.
type Route struct {
	Name     string
	Requests int
	P50, P99 time.Duration // of the newest requests
}

// routesSoFar returns the routes that had requests, by name.
func routesSoFar() (list []Route) {
	routes.Lock()
	defer routes.Unlock()
	for _, name := range slices.Sorted(maps.Keys(routes.byName)) {
		r := routes.byName[name]
		if r.count == 0 {
			continue
		}
		last := slices.Clone(r.last[:min(r.count, keptRequests)])
		slices.Sort(last)
		rank := func(share int) time.Duration { return last[(len(last)-1)*share/100] }
		list = append(list, Route{name, r.count, rank(50), rank(99)})
	}
	return list
}
