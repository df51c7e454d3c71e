//go:build !iprof_off

package debug_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/iprof/debug"
	"example.com/iprof/internal/must"
)

// A request with ?goroutines=1 surveys the goroutines of the program; others do not. The page links to it.
func TestGoroutinesOnRequest(t *testing.T) {
	block := make(chan int)
	for range 5 {
		go func() { <-block }()
	}
	defer close(block)
	get := func(path string) string {
		answer := httptest.NewRecorder()
		debug.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/debug/iprof/"+path, nil))
		return answer.Body.String()
	}
	if body := get(""); !strings.Contains(body, `<a href="?goroutines=1#goroutines">`) ||
		strings.Contains(body, `id="alive"`) {
		t.Error("got no link to a survey, or a survey that nobody asked for")
	}
	var got struct {
		Goroutines *struct {
			Alive      int
			Statements []struct {
				Place string
				Alive int
			} `json:"go_statements"`
		}
	}
	must.Do(t, json.Unmarshal([]byte(get("json?goroutines=1")), &got))
	if got.Goroutines == nil {
		t.Fatal("got no survey; want one")
	}
	found := 0
	for _, s := range got.Goroutines.Statements {
		if strings.Contains(s.Place, "TestGoroutinesOnRequest goroutines_test.go:") {
			found = s.Alive
		}
	}
	if found != 5 || got.Goroutines.Alive < 6 {
		t.Errorf("got %d of %d goroutines; want the five of the test", found, got.Goroutines.Alive)
	}
	if body := get("?goroutines=1"); !strings.Contains(body, "TestGoroutinesOnRequest goroutines_test.go:") {
		t.Error("got a page without the go statement of the test")
	}
}
