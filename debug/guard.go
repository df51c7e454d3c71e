package debug

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"example.com/iprof/internal/serve"
)

// guard is the guard of Handler. The program's own server knows its names. A link on another site may open the page,
// nothing else: a capture, the live stream or a profile would take a place.
func (s *Server) guard() serve.Guard {
	return serve.Guard{AnyHost: true, Knows: s.knows, Refuse: refuse,
		Link: func(r *http.Request) bool { return r.URL.Path == root || r.URL.Path == "/" }}
}

// knows reports whether a request has the token. It compares digests in constant time, so that the time reveals neither
// the token nor its length.
func (s *Server) knows(r *http.Request) bool {
	if s.Token == "" {
		return true
	}
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") { // the case of a scheme does not matter
		_, given, _ = r.BasicAuth()
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

func refuse(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("WWW-Authenticate", `Basic realm="iprof", charset="UTF-8"`)
	http.Error(w, "a token is required", http.StatusUnauthorized)
}

// bounded gives each request a place of the readers or of the viewers, while there are any.
func (h *handler) bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.compiledOut() {
			http.Error(w, "the profiler is compiled out: the program was built with iprof_off", http.StatusNotFound)
			return
		}
		places, busy := h.readers, "too many readers"
		if r.URL.Path == root+"live" {
			places, busy = h.viewers, "eight viewers watch already: try again when one has left"
		}
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
			next.ServeHTTP(w, r)
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, busy, http.StatusServiceUnavailable)
		}
	})
}
