package main

import (
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// TestZonesAreFoundByTheNamesThatPeopleType: of the package or the receiver as in the source, where only one ends so.
func TestZonesAreFoundByTheNamesThatPeopleType(t *testing.T) {
	s := process.NewSession()
	zones := []gather.ZoneInfo{{Name: "(root)"},
		{Name: "(*Mux).ServeHTTP", Function: "github.com/go-chi/chi/v5.(*Mux).ServeHTTP"},
		{Name: "(*Echo).ServeHTTP", Function: "github.com/labstack/echo/v4.(*Echo).ServeHTTP"},
		{Name: "listItems", Function: "main.listItems"},
		{Name: "step", Function: "example.org/a.step"}, {Name: "step", Function: "example.org/b.step"}}
	f := &gather.Frame{End: 1000, TicksPerSecond: 1e9, Zones: zones,
		Lanes: []gather.LaneFrame{{ID: 1, Nodes: []gather.Node{{Parent: -1, Self: 1000}}}}}
	must.Do(t, s.WriteFrame(f))
	for name, want := range map[string]string{
		"chi.(*Mux).ServeHTTP": "(*Mux).ServeHTTP", "v5.(*Mux).ServeHTTP": "(*Mux).ServeHTTP",
		"(*Mux).ServeHTTP": "(*Mux).ServeHTTP", "echo.(*Echo).ServeHTTP": "(*Echo).ServeHTTP",
		"main.listItems": "listItems", "listItems": "listItems", "b.step": "step",
		"github.com/labstack/echo/v4.(*Echo).ServeHTTP": "(*Echo).ServeHTTP",
	} {
		id, err := findZone(s, name)
		if err != nil || s.Zone(id).Name != want {
			t.Errorf("%s: got %q, %v; want %q", name, s.Zone(id).Name, err, want)
		}
	}
	for name, want := range map[string]string{
		"ServeHTTP":      "name one of them: (*Mux).ServeHTTP, (*Echo).ServeHTTP",
		"main.listitems": "these have such a name: listItems", "nobody": "iprof top lists them",
		"istItems": "these have such a name: listItems",
	} {
		if _, err := findZone(s, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v; want an error with %q", name, err, want)
		}
	}
}

// TestOneCaptureIsNamedWhereTwoWereGiven: the second is no output, as it might be the capture to compare with.
func TestOneCaptureIsNamedWhereTwoWereGiven(t *testing.T) {
	errors := complained(t, func() {
		if got := named("html")([]string{"a.iprof", "b.iprof"}); got != 2 {
			t.Errorf("got status %d; want 2", got)
		}
	})
	for _, want := range []string{"html -o b.iprof a.iprof", "iprof diff a.iprof b.iprof"} {
		if !strings.Contains(errors, want) {
			t.Errorf("got %q; want %q in it", errors, want)
		}
	}
}
