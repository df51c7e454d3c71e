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

// guard lets only authorised requests through.
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

// headers are in each answer. They forbid storing it and embedding it in other pages.
var headers = map[string]string{
	"Cache-Control":                "no-store",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
}

// knows reports whether a request has the token. It compares digests in constant time, so that the time reveals neither
// the token nor its length.
func (h *handler) knows(r *http.Request) bool {
	if h.Token == "" {
		return true
	}
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") { // the case of a scheme does not matter
		_, given, _ = r.BasicAuth()
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(h.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// foreign reports whether a page of another site made the browser send the request. A link that the user followed does
// not count.
func foreign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Mode") != "navigate"
}

// leaving closes a connection after each answer that refuses a request. So an unauthorised client keeps no place.
func leaving(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(&refuser{w}, r) })
}

// refuser is a ResponseWriter that closes the connection if the request is refused.
type refuser struct{ http.ResponseWriter }

// WriteHeader writes the status. After a refusal the connection is closed.
func (w *refuser) WriteHeader(status int) {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest:
		w.Header().Set("Connection", "close")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap returns the ResponseWriter, for an http.ResponseController.
func (w *refuser) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// limit sets a time limit for reading the body of a request. Only commands have a body. A limit for whole requests
// would cut captures.
func limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(readTimeout))
		}
		next.ServeHTTP(w, r)
	})
}

// checkHost refuses requests whose host name is not this machine's. A page of another site can make its own name
// resolve to this machine; then the browser would let the page read the answers.
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
