package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/must"
)

// TestTheTokenIsForTheNamedPrograms: -connect names the program that gets the token. A program that the user adds in
// the window gets none. Where -connect names none, it is for the first added one.
func TestTheTokenIsForTheNamedPrograms(t *testing.T) {
	got := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		http.NotFound(w, r)
	}))
	defer server.Close()
	for _, variable := range []string{"", "of the variable"} {
		t.Setenv("IPROF_TOKEN", variable)
		for _, test := range []struct {
			named []string
			want  string
		}{{nil, "Bearer T"}, {[]string{server.URL}, "Bearer T"}, {[]string{server.URL + "/svc-a"}, ""}} {
			v := &application{options: options{programs: test.named, token: "T", limits: budget.Usual}}
			for _, path := range []string{"", "/svc-b"} { // only the first that is added gets it
				p, _ := must.Two(v.dial(server.URL + path))(t)
				_, _ = p.Command(t.Context(), "reset")
				if got != test.want {
					t.Errorf("-connect %v: %s got %q; want %q", test.named, path, got, test.want)
				}
				test.want = ""
			}
		}
	}
}
