package serve

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Guard decides who may ask a handler. It refuses requests under unknown host names, requests of other sites' pages,
// and requests without the token, in this order. Its fields are set before Handler.
type Guard struct {
	// Hosts are the names of this machine, besides localhost and IP addresses. A page of another site can make its own
	// name resolve to this machine; then the browser would let the page read the answers. AnyHost leaves the check to
	// the program's own server.
	Hosts   []string
	AnyHost bool

	// Knows reports whether a request has the token, and Refuse answers one that has not. Without Knows there is no
	// token.
	Knows  func(*http.Request) bool
	Refuse http.HandlerFunc

	// Link reports whether a link on another site may open the address of a request. Nil allows none.
	Link func(*http.Request) bool
}

// headers are in each answer. They forbid storing it and embedding it in other pages.
var headers = map[string]string{
	"Cache-Control":                "no-store",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
}

// Handler passes on the requests that are allowed. In a server of Serve, the first of them makes its connection a
// reader's.
func (g Guard) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		switch {
		case !g.AnyHost && !IsHere(r.Host, g.Hosts):
			http.Error(w, "unknown host name: use localhost or an IP address of this machine",
				http.StatusMisdirectedRequest)
		case foreign(r) && !g.linked(r):
			http.Error(w, "requests from other sites are refused", http.StatusForbidden)
		case g.Knows != nil && !g.Knows(r):
			g.Refuse(w, r)
		case !admit(w, r):
			w.Header().Set("Retry-After", "1")
			http.Error(w, "too many connections", http.StatusServiceUnavailable)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// foreign reports whether a page of another site made the browser send the request. Browsers without Sec-Fetch-Site say
// so by Origin in all requests that scripts and forms send.
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return false
	case "":
		origin := r.Header.Get("Origin")
		from, err := url.Parse(origin)
		return origin != "" && (err != nil || from.Host != r.Host)
	}
	return true
}

// linked reports whether the user followed a link to a page that a link may open, in a tab of its own. Frames, images,
// scripts and forms are no links.
func (g Guard) linked(r *http.Request) bool {
	return g.Link != nil && g.Link(r) && r.Method == http.MethodGet &&
		r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// IsHere reports whether a host, with or without a port, is localhost, an IP address, or one of the names.
func IsHere(host string, names []string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	return strings.EqualFold(host, "localhost") ||
		slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(host, name) })
}
