package debug

import (
	"net/http"
	"strings"
)

// outside returns the address of the program's pages for a client, as a proxy names it: X-Forwarded-Proto,
// X-Forwarded-Host and X-Forwarded-Prefix. These are only shown, never trusted. If a proxy does not name its host,
// outside returns words in place of an address.
func outside(r *http.Request) string {
	scheme, host, prefix := "http", r.Host, ""
	if r.TLS != nil {
		scheme = "https"
	}
	switch forwarded := first(r, "X-Forwarded-Host"); {
	case forwarded != "" && !hasOther(forwarded, ".-_:[]"):
		host = forwarded
	case forwarded != "" || isForwarded(r):
		return "with the address of this page"
	}
	if proto := strings.ToLower(first(r, "X-Forwarded-Proto")); proto == "http" || proto == "https" {
		scheme = proto
	}
	if p := strings.Trim(first(r, "X-Forwarded-Prefix"), "/"); p != "" && !hasOther(p, "/.-_~%") {
		prefix = "/" + p
	}
	return scheme + "://" + host + prefix
}

// isForwarded reports whether a proxy has sent the request on.
func isForwarded(r *http.Request) bool {
	for _, name := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Prefix"} {
		if r.Header.Get(name) != "" {
			return true
		}
	}
	return false
}

// first returns the value of a header that the outermost proxy has set.
func first(r *http.Request, name string) string {
	value, _, _ := strings.Cut(r.Header.Get(name), ",")
	return strings.TrimSpace(value)
}

// hasOther reports whether a text has characters besides ASCII letters, digits and the given ones.
func hasOther(text, more string) bool {
	return strings.ContainsFunc(text, func(c rune) bool {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		return !letter && !strings.ContainsRune(more, c)
	})
}

// toPage redirects to the page. The address is relative, so that it stays below the prefix of a proxy.
// http.Redirect would make it absolute.
func toPage(address string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", address)
		w.WriteHeader(http.StatusSeeOther)
	}
}
