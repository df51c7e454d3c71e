// Package web shows captures and remote programs in the viewer, in a browser of this machine.
//
//	s := web.New(items, builder.Viewer)
//	l, err := serve.Listen("127.0.0.1:0")
//	fmt.Println(s.Address(l))
//	s.Serve(ctx, l)
//
// All its URLs begin with a random token, and it answers only requests to a name or address of this machine. It refuses
// pages of other sites. The page makes no requests to other hosts, and the policy forbids them: see policy.
package web

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/serve"
	"example.com/iprof/process/report"
)

// Item is the content of a tab of the viewer: a file, or a remote program.
type Item struct {
	Name    string   // for people
	File    *os.File // a capture, nil for a program
	Address string   // as the user gave it, "" for a file
	Program Program  // nil for a file
	Lasting string   // the name for links by iprof view; "" if the page's address is a link that lasts
}

// Program is a remote program. Any goroutine may call its methods.
type Program interface {
	Live(ctx context.Context) (io.ReadCloser, error)
	Command(ctx context.Context, line string) (string, error)
}

// Server serves the viewer. New makes one.
type Server struct {
	// Code returns the function that enters a zone, and Edit opens a file in the user's editor. The server refuses
	// requests for a nil one.
	Code func(gather.ZoneInfo) *report.Code
	Edit func(file string, line int) error

	// Events makes the page keep a line for each change of its state, for tests.
	Events bool

	items    []Item
	build    func(context.Context) (*Viewer, error)
	once     sync.Once
	built    chan struct{} // closed when viewer or failed is set
	viewer   *Viewer
	failed   error
	token    string
	pages    pages
	progress buildProgress
}

// New returns a server of some items. It calls build once, when the first page asks, which may take a minute.
func New(items []Item, build func(context.Context) (*Viewer, error)) *Server {
	return &Server{items: items, build: build, built: make(chan struct{}), token: rand.Text()}
}

// Say shows a line in waiting pages, as Builder.Say prints it: the first line stays, and the last one follows it. Any
// goroutine may call it.
func (s *Server) Say(line string) {
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	if s.progress.first == "" {
		s.progress.first = line
		return
	}
	s.progress.last = " " + line
}

// buildProgress has the output of a build.
type buildProgress struct {
	mu          sync.Mutex
	first, last string
}

// building sends what the build says, and nothing before and after it.
func (s *Server) building(w http.ResponseWriter, _ *http.Request) {
	s.progress.mu.Lock()
	line := s.progress.first + s.progress.last
	s.progress.mu.Unlock()
	select {
	case <-s.built:
		line = ""
	default:
	}
	send(w, "text/plain; charset=utf-8", []byte(line))
}

// wait waits for the viewer. On failure it sends the error and returns nil.
func (s *Server) wait(w http.ResponseWriter, r *http.Request) (v *Viewer) {
	s.once.Do(func() {
		go func() {
			s.viewer, s.failed = s.build(context.WithoutCancel(r.Context()))
			close(s.built)
		}()
	})
	select {
	case <-s.built:
	case <-r.Context().Done():
		return nil
	}
	if s.failed != nil {
		http.Error(w, s.failed.Error(), http.StatusServiceUnavailable)
	}
	return s.viewer
}

// Address returns the address of the page.
func (s *Server) Address(l net.Listener) string {
	return serve.URL(l, "/"+s.token+"/")
}

// Serve serves until the context is done, or an error.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	return serve.Serve(ctx, l, s.Handler(), patience)
}

// patience is the longest time that a browser may take for a piece of an answer.
const patience = 30 * time.Second

//go:embed assets
var assets embed.FS

// policy is the content security policy of the page: only its own scripts and its own server.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler returns the server's handler.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for name, kind := range map[string]string{"page.html": "text/html", "page.css": "text/css",
		"files.js": "text/javascript", "start.js": "text/javascript"} {
		text, _ := assets.ReadFile("assets/" + name)
		at := "/" + name
		if name == "page.html" {
			at = "/{$}"
		}
		mux.HandleFunc("GET "+at, func(w http.ResponseWriter, _ *http.Request) {
			send(w, kind+"; charset=utf-8", text)
		})
	}
	mux.HandleFunc("GET /wasm_exec.js", func(w http.ResponseWriter, r *http.Request) {
		if v := s.wait(w, r); v != nil {
			send(w, "text/javascript; charset=utf-8", v.Script)
		}
	})
	mux.HandleFunc("GET /viewer.wasm", func(w http.ResponseWriter, r *http.Request) {
		if v := s.wait(w, r); v != nil {
			w.Header().Set("Content-Encoding", "gzip")
			send(w, "application/wasm", v.Program)
		}
	})
	mux.HandleFunc("GET /building", s.building)
	mux.HandleFunc("GET /session", s.session)
	mux.HandleFunc("GET /alive", s.pages.stay)
	mux.HandleFunc("GET /file/{number}", s.file)
	mux.HandleFunc("GET /live/{number}", s.live)
	mux.HandleFunc("POST /command/{number}", s.command)
	mux.HandleFunc("POST /code", s.code)
	mux.HandleFunc("POST /edit", s.edit)
	return s.guard(http.StripPrefix("/"+s.token, mux))
}

func send(w http.ResponseWriter, kind string, text []byte) {
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(text)
}

// guard refuses requests without the token, and requests of other sites' pages.
func (s *Server) guard(next http.Handler) http.Handler {
	guarded := serve.Guard{
		Knows: func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/"+s.token+"/") },
		Refuse: func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "the address needs its token: iprof prints it", http.StatusNotFound)
		},
	}.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		guarded.ServeHTTP(serve.Steady(w, patience), r)
	})
}

// session sends the list of items for the page.
func (s *Server) session(w http.ResponseWriter, _ *http.Request) {
	type item struct {
		Name    string `json:"name"`
		Address string `json:"address,omitempty"`
		Lasting string `json:"lasting,omitempty"`
	}
	all := struct {
		Items   []item `json:"items"`
		Sources bool   `json:"sources"`
		Events  bool   `json:"events"`
	}{Sources: s.Code != nil, Events: s.Events}
	for _, i := range s.items {
		all.Items = append(all.Items, item{i.Name, i.Address, i.Lasting})
	}
	text, _ := json.Marshal(all)
	send(w, "application/json", text)
}

// pages counts the open pages.
type pages struct {
	mu   sync.Mutex
	open int
	seen bool
}

// stay returns when the page goes away.
func (p *pages) stay(w http.ResponseWriter, r *http.Request) {
	p.change(1)
	defer p.change(-1)
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func (p *pages) change(by int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open, p.seen = p.open+by, true
}

// reloads is the longest time of a reload of the page.
const reloads = 3 * time.Second

// Left returns when all pages have been closed for the time reloads, or the context is done.
func (s *Server) Left(ctx context.Context) {
	gone := time.Time{}
	for tick := time.NewTicker(reloads / 10); ; {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			s.pages.mu.Lock()
			here := s.pages.open > 0 || !s.pages.seen
			s.pages.mu.Unlock()
			switch {
			case here:
				gone = time.Time{}
			case gone.IsZero():
				gone = now
			case now.Sub(gone) > reloads:
				return
			}
		}
	}
}
