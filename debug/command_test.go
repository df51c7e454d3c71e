package debug_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/iprof/debug"
)

// post sends a command.
func post(h http.Handler, line string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "/debug/iprof/command", strings.NewReader(line))
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	r.Host = cmp.Or(r.Header.Get("Host"), "localhost:6061")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestCommandsNeedPermission(t *testing.T) {
	s, _ := played(t)
	const token, bearer = "sesame-sesame-sesame", "Authorization: Bearer sesame-sesame-sesame"
	for _, test := range []struct {
		name   string
		server debug.Server
		header string
		want   int
	}{
		{"by default", debug.Server{}, "X: ", 403},
		{"allowed", debug.Server{AllowCommands: true}, "X: ", 200},
		{"with the token", debug.Server{Token: token}, bearer, 200},
		{"with the token, in small letters", debug.Server{Token: token}, "authorization: bearer " + token, 200},
		{"without the token", debug.Server{Token: token, AllowCommands: true}, "X: ", 401},
		{"under a name led here", debug.Server{AllowCommands: true}, "Host: evil.example", 421},
		{"under a name of its own", debug.Server{AllowCommands: true, Hosts: []string{"own"}}, "Host: own:80", 200},
		{"under any name, with the token", debug.Server{Token: token}, bearer + "\nHost: evil.example", 200},
		{"of another site", debug.Server{AllowCommands: true}, "Sec-Fetch-Site: cross-site", 403},
		{"of another origin", debug.Server{AllowCommands: true}, "Origin: http://evil.example", 403},
		{"by a link's form", debug.Server{Token: token}, bearer + "\nSec-Fetch-Site: cross-site", 403},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.server.Session = s
			w := post(test.server.Handler(), "reset", strings.Split(test.header, "\n")...)
			if w.Code != test.want {
				t.Errorf("got %d, %q; want %d", w.Code, w.Body, test.want)
			}
		})
	}
}

func TestCommandsChangeWhatIsMeasured(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s, AllowCommands: true}).Handler()
	w := post(h, "reset\n")
	if w.Code != 200 || !strings.HasPrefix(w.Body.String(), "all measurements forgotten") ||
		s.View().Info().Frames != 0 {
		t.Errorf("reset: got %d, %q, and %d frames", w.Code, w.Body, s.View().Info().Frames)
	}
	if w := post(h, "undo"); w.Code != 200 || s.View().Info().Frames != 100 {
		t.Errorf("undo: got %d, %q, and %d frames; want 100", w.Code, w.Body, s.View().Info().Frames)
	}
	if w := post(h, "limit nonsense"); w.Code != 400 || !strings.Contains(w.Body.String(), "neither per cent") {
		t.Errorf("limit nonsense: got %d, %q", w.Code, w.Body)
	}
	for _, line := range []string{"", "dump-html /tmp/x", "pause", "res", "help", "reset\ndump-html", "report", "RESET",
		"reset " + strings.Repeat("x", 5000)} {
		if w := post(h, line); w.Code != 400 {
			t.Errorf("%.40q: got %d; want 400", line, w.Code)
		}
	}
	if w := get(h, "GET", "/debug/iprof/command"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: got %d; want 405", w.Code)
	}
}
