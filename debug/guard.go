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
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		_, given, _ = r.BasicAuth()
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(h.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// foreign reports whether a page of another site made its browser ask, other than by a link.
func foreign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Mode") != "navigate"
}

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
