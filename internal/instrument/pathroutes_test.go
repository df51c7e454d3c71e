package instrument_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
)

const serverWithoutRouter = `package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
)

type shop struct{}

func (shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/a":
		fmt.Fprintln(w, "a")
	default:
		http.NotFound(w, r)
	}
}

func logged(h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), "k", 1)))
	}
}

func known(w http.ResponseWriter, r *http.Request) {}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /known/{name}", known)
	mux.Handle("GET /elsewhere", http.NotFoundHandler())
	send := func(h http.Handler, path string) {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	for i := range 3 {
		send(logged(logged(shop{})), "/a")
		send(shop{}, fmt.Sprint("/items/", i, "/of/0123456789abcdef01"))
		send(logged(mux), "/known/a")
		send(logged(mux), "/elsewhere")
	}
}
`

// TestRequestsWithoutARouter: -frame routes has a row by method and path of what a handler answers by itself, once for
// each request. Where a router is inside, its route counts.
func TestRequestsWithoutARouter(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": serverWithoutRouter})
	plan := planned(t, dir, instrument.Options{Frames: instrument.Frames{Routes: true}})
	report := reported(t, filepath.Join(built(t, dir, plan), "user"))
	var got []string
	row := regexp.MustCompile(`(?m)^ *(\d+) +\d+\.\d+ +\d+\.\d+ +(".*")$`)
	for _, m := range row.FindAllStringSubmatch(report, -1) {
		got = append(got, m[1]+" "+m[2])
	}
	want := `3 "GET /a", 3 "GET /elsewhere", 3 "GET /items/{id}/of/{id}", 3 "GET /known/{name}"`
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("got %s; want %s:\n%s", all, want, report)
	}
}
