package debug

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// guard lets through those who may read.
func (h *handler) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		switch {
		case !h.knows(r):
			w.Header().Set("WWW-Authenticate", `Basic realm="iprof", charset="UTF-8"`)
			http.Error(w, "this needs the token", http.StatusUnauthorized)
			return
		case foreign(r):
			http.Error(w, "a page of another site asked for this", http.StatusForbidden)
			return
		case h.compiledOut():
			http.Error(w, "the profiler is compiled out: the program was built with iprof_off", http.StatusNotFound)
			return
		}
		if c, ok := r.Context().Value(connection{}).(net.Conn); ok && h.places != nil && !h.places.admit(c) {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "too many connections", http.StatusServiceUnavailable)
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

// headers are in each answer: it is not stored, and other pages cannot embed it.
var headers = map[string]string{
	"Cache-Control":                "no-store",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
}

// knows reports whether a request has the token. It compares digests in constant time, so that the time says nothing
// about the token, nor about its length.
func (h *handler) knows(r *http.Request) bool {
	if h.Token == "" {
		return true
	}
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") { // schemes are of any case
		_, given, _ = r.BasicAuth()
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(h.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// foreign reports whether a page of another site made its browser send the request. A link that somebody followed does
// not count.
func foreign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Mode") != "navigate"
}

// leaving ends a connection after each answer that refuses a request. Who has no right to ask keeps no place.
func leaving(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(&refuser{w}, r) })
}

// refuser is a ResponseWriter that says that the connection ends where a request is refused.
type refuser struct{ http.ResponseWriter }

// WriteHeader writes the status, and closes behind a refusal.
func (w *refuser) WriteHeader(status int) {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest:
		w.Header().Set("Connection", "close")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap returns the ResponseWriter, for an http.ResponseController.
func (w *refuser) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// limit gives the body of a request a time limit. No request needs one. A limit for all requests would end captures.
func limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(readTimeout))
		}
		next.ServeHTTP(w, r)
	})
}

// checkHost refuses requests under names that are not this machine's. A page of another site can make its own name lead
// here; then the browser would let it read the answers.
func (s *Server) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.isHere(r.Host) {
			http.Error(w, "this server does not have that name: see Server.Hosts", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) isHere(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	return strings.EqualFold(host, "localhost") ||
		slices.ContainsFunc(s.Hosts, func(name string) bool { return strings.EqualFold(host, name) })
}
