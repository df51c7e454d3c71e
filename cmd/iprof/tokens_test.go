package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestATokenOfOneProgramGoesToNoOther: of two programs that diff compares, neither gets a token that may be the
// other's. With an address the token goes there.
func TestATokenOfOneProgramGoesToNoOther(t *testing.T) {
	var got [2]string
	var at [2]string
	for i := range at {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got[i] += r.Header.Get("Authorization") + ";"
			http.NotFound(w, r)
		}))
		defer s.Close()
		at[i] = s.URL
	}
	for _, test := range []struct {
		token string
		line  []string
		want  [2]string
	}{
		{"A", []string{"top", at[0]}, [2]string{"Bearer A;", ""}},
		{"A", []string{"diff", at[0], at[1]}, [2]string{";", ""}},
		{"A@" + at[0], []string{"diff", at[0], at[1]}, [2]string{"Bearer A;", ""}},
		{"A@" + at[0], []string{"top", at[1]}, [2]string{"", ";"}},
		{"A", []string{"view", "-browser", at[0], at[1]}, [2]string{";", ";"}},
	} {
		got = [2]string{}
		t.Setenv("IPROF_TOKEN", test.token)
		if test.line[0] == "view" {
			onLine = test.line[2:]
			sayUnreachable(t.Context(), onLine)
		} else {
			dispatch(test.line)
		}
		if got != test.want {
			t.Errorf("%q %q: the servers got %q; want %q", test.token, test.line, got, test.want)
		}
	}
}
