package debug

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/draw/text"
	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/goroutines"
	"example.com/iprof/internal/leaks"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The limits of a server.
const (
	root           = "/debug/iprof/"
	defaultTimeout = 30 * time.Second
	mostReaders    = 8 // readers at once; others get status 503 and Retry-After
	mostViewers    = 8 // viewers of the live stream at once
	defaultSeconds = 5
	mostSeconds    = 60
)

// Server serves the profile of a session. The zero value serves the program's own session. Set its fields before you
// call its methods. Any goroutine may call the methods.
type Server struct {
	Session *process.Session // nil is process.Default
	Token   string           // if set, each request needs this token: see Handler
	Hosts   []string         // names of this machine that Serve answers to, besides localhost and IP addresses
	Timeout time.Duration    // the longest time that a reader may take for an answer; 30 s

	// AllowCommands lets readers change what is measured: see the package's documentation. With a Token they always
	// may. Without a Token, every user of this machine may then run commands.
	AllowCommands bool
}

// Handler returns the handler for /debug/iprof/ and the addresses below it, without a token: see [Server.Handler].
//
//	http.Handle("/debug/iprof/", debug.Handler())
func Handler() http.Handler { return new(Server).Handler() }

// Register adds Handler to a mux. Every client of the mux may then read the profile. The address without the last
// slash redirects to the page, also behind a proxy that serves the program below a prefix.
//
//	debug.Register(http.DefaultServeMux)
func Register(mux *http.ServeMux) {
	mux.Handle(root, Handler())
	mux.HandleFunc("GET "+strings.TrimSuffix(root, "/"), toPage("iprof/"))
}

// Handler returns the handler for /debug/iprof/ and the addresses below it. With a Token, a request needs the header
// "Authorization: Bearer TOKEN", or the token as the password that a browser asks for. Only GET and HEAD are allowed,
// and POST for a command. At most eight answers and eight live streams are served at once. An answer is complete before
// its first byte is sent, so a slow reader delays nothing. The addresses capture and live drop frames instead, and
// count them.
func (s *Server) Handler() http.Handler { return s.guard().Handler(s.handler()) }

// handler is Handler without its guard.
func (s *Server) handler() http.Handler {
	h := &handler{Server: *s, readers: make(chan struct{}, mostReaders), viewers: make(chan struct{}, mostViewers),
		traces: new(traces)}
	if h.Session == nil {
		h.Session = process.Default()
	}
	if h.Session == process.Default() && gather.Enabled {
		goroutines.Offer(leaks.Search)
	}
	h.Timeout = cmp.Or(h.Timeout, defaultTimeout)
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+root+"{$}", h.page)
	h.register(mux)
	mux.HandleFunc("POST "+root+"command", h.command)
	mux.HandleFunc("GET "+root+"metrics", h.serveMetrics)
	mux.HandleFunc("GET "+root+"profile", h.profile)
	return h.bounded(h.ofSets(mux))
}

// register adds the addresses that each set of frames has.
func (h *handler) register(mux *http.ServeMux) {
	mux.HandleFunc("GET "+root+"report", h.report)
	mux.HandleFunc("GET "+root+"tree", h.answer("text/plain; charset=utf-8", h.tree))
	mux.HandleFunc("GET "+root+"json", func(w http.ResponseWriter, r *http.Request) {
		h.survey(r)
		h.trace(r)
		h.answer("application/json", h.json)(w, r)
	})
	mux.HandleFunc("GET "+root+"capture", h.capture)
	mux.HandleFunc("GET "+root+"live", h.live)
}

// handler is a Server whose defaults are filled in.
type handler struct {
	Server
	readers  chan struct{} // a place for each answer in progress
	viewers  chan struct{} // a place for each live stream
	counting sync.Once     // adds metrics to the session
	metrics  export.Metrics
	traces   *traces
}

func (h *handler) tree(w io.Writer) error {
	d := h.Session.Dump(report.DumpOptions{NoFrames: true, Nodes: report.DumpNodes})
	return text.WriteTree(w, d, text.Options{})
}

func (h *handler) json(w io.Writer) error {
	return text.WriteJSON(w, h.Session.Dump(report.DumpOptions{Nodes: report.DumpNodes}))
}

// answer returns a handler that writes the whole answer to memory first. So neither the session nor its program waits
// for a reader.
func (h *handler) answer(kind string, write func(io.Writer) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
		h.patience(w, 0)
		_, _ = w.Write(b.Bytes()) // net/http drops it for HEAD
	}
}

// patience gives the reader Timeout to take the answer, plus the time that making the answer takes. Not every
// ResponseWriter has deadlines.
func (h *handler) patience(w http.ResponseWriter, takes time.Duration) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(takes + h.Timeout))
}

// capture sends each frame of the next seconds.
func (h *handler) capture(w http.ResponseWriter, r *http.Request) {
	takes, ok := wantedSeconds(w, r, defaultSeconds)
	if !ok {
		return
	}
	name := time.Now().UTC().Format("iprof-20060102T150405Z.iprof")
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	if r.Method == http.MethodHead {
		return
	}
	h.patience(w, takes)
	recorder, err := capture.Record(h.Session, capture.RecordOptions{To: flushed{w}})
	if err != nil {
		return
	}
	timer := time.NewTimer(takes)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
	_ = recorder.Close() // waits for the reader, up to the deadline
}

// compiledOut reports whether there is nothing to serve because the program was built with the tag iprof_off.
func (h *handler) compiledOut() bool { return !gather.Enabled && h.Session == process.Default() }
