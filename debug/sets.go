package debug

import (
	"net/http"
	"strconv"
	"strings"

	"example.com/iprof/process"
)

// ofSets answers requests with ?set=NAME from that set of frames of the program, and others from the session of the
// server. All share the places for readers. The page has links, so it shows one session only.
func (h *handler) ofSets(own *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, asked := r.URL.Query().Get("set"), r.URL.Query().Has("set")
		if !asked {
			own.ServeHTTP(w, r)
			return
		}
		var names []string
		for _, s := range h.Session.Sources().Sets {
			set := s.Sources().Set
			if names = append(names, strconv.Quote(set)); set == name && s != h.Session {
				h.serveSet(w, r, s)
				return
			}
		}
		if name == h.Session.Sources().Set {
			own.ServeHTTP(w, r)
			return
		}
		http.Error(w, "set="+strconv.Quote(name)+": there is no such set of frames; there are "+
			strings.Join(names, ", "), http.StatusNotFound)
	})
}

// serveSet answers a request from a set of frames.
func (h *handler) serveSet(w http.ResponseWriter, r *http.Request, s *process.Session) {
	of := &handler{Server: h.Server, readers: h.readers, viewers: h.viewers, traces: h.traces}
	of.Session = s
	mux := http.NewServeMux()
	of.register(mux)
	if _, pattern := mux.Handler(r); pattern == "" {
		http.Error(w, "set= is for report, tree, json, capture and live", http.StatusBadRequest)
		return
	}
	mux.ServeHTTP(w, r)
}
