package iprofhttp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/iprofhttp"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// counts returns the number of requests of each route so far: those that count their durations.
func counts() map[string]int {
	process.Default().Update()
	r := report.Report{Want: report.ColumnsOf(report.ColumnCallsCounted)}
	process.Default().View().AppendReportOf(&r, report.View{Lens: report.Lens{Kind: report.LensAll}})
	n := map[string]int{}
	for i := range r.Records {
		if k := &r.Records[i]; k.Mask.Has(report.ColumnCallsCounted) {
			n[k.Name] = int(k.Values[report.ColumnCallsCounted])
		}
	}
	return n
}

func get(h http.Handler, method, path string) {
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, path, nil))
}

func TestRequestsAreCountedByRoute(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	before := counts()
	answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "yes") })
	mux := http.NewServeMux()
	mux.Handle("GET /items/{id}", answer)
	mux.Handle("/any/", answer)
	mux.Handle("GET /debug/iprof/", answer)
	mux.HandleFunc("GET /panics", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	whole := iprofhttp.Measure(mux)
	for i := range 5 {
		get(whole, "GET", fmt.Sprint("/items/", i))
	}
	get(whole, "POST", "/any/thing")
	get(whole, "BREW", "/any/pot")
	get(whole, "GET", "/missing")
	get(whole, "GET", "/debug/iprof/tree")
	func() {
		defer func() { _ = recover() }()
		get(whole, "GET", "/panics")
	}()
	within := http.NewServeMux()
	within.Handle("GET /within/{id}", iprofhttp.Measure(answer))
	get(within, "GET", "/within/3")
	get(iprofhttp.MeasureBy(answer, func(r *http.Request) string { return "/by" + r.URL.Path[:2] }), "PUT", "/x/y")
	got := counts()
	for route, want := range map[string]int{"GET /items/{id}": 5, "POST /any/": 1, "OTHER /any/": 1,
		"GET (no route)": 1, "GET /panics": 1, "GET /within/{id}": 1, "PUT /by/x": 1, "GET /debug/iprof/": 0} {
		if n := got[route] - before[route]; n != want {
			t.Errorf("%s: got %d requests of %v; want %d", route, n, got, want)
		}
	}
}

// A router that gives paths as routes gets a row for the first, and one for all others.
func TestRoutesAreBounded(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	before := counts()
	for range 2 {
		for i := range 3 * iprofhttp.MaxRoutes {
			iprofhttp.Begin("GET", fmt.Sprint("/many/", i)).End()
		}
	}
	got := counts()
	others := got[iprofhttp.OtherRoutes] - before[iprofhttp.OtherRoutes]
	if n := len(got); n > iprofhttp.MaxRoutes+1 || others < 4*iprofhttp.MaxRoutes {
		t.Errorf("got %d rows, %d requests of other routes", n, others)
	}
	all := 0
	for name, n := range got {
		if strings.Contains(name, "/many/") || name == iprofhttp.OtherRoutes {
			all += n - before[name]
		}
	}
	if want := 6 * iprofhttp.MaxRoutes; all != want {
		t.Errorf("got %d requests; want %d", all, want)
	}
}

// A server's handler is wrapped in one call.
func Example() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items/{id}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.PathValue("id")) })
	server := httptest.NewServer(iprofhttp.Measure(mux))
	defer server.Close()
	answer, err := http.Get(server.URL + "/items/7")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	fmt.Println(answer.Status)
	// Output: 200 OK
}
