package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/internal/follow"
	"example.com/iprof/internal/remote"
	server "example.com/iprof/internal/serve"
	"example.com/iprof/process"
)

// serve is the command serve. It shows captures and remote programs in a browser of this machine.
func serve(args []string) int {
	f := newFlags("serve")
	address := f.String("addr", "127.0.0.1:0", "listen on this address; :8080 is a port of this machine\n"+
		"alone, and port 0 is any free one")
	asJSON := f.Bool("json", false, "write the address of the page in a JSON object")
	pages := f.Bool("pages", false, "serve static pages of the first capture, without the viewer")
	var roots []string
	f.Func("source", "show and open the sources below `DIR`; may be given several times", func(folder string) error {
		roots = append(roots, folder)
		return nil
	})
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() == 0 {
		stderr.Println("usage: iprof serve [-json] [-addr 127.0.0.1:8080] CAPTURE|HOST:PORT ...")
		return 2
	}
	if _, _, err := remote.HostPort(*address); err != nil {
		stderr.Println("iprof serve: -addr:", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	w := inBrowser{names: f.Args(), roots: roots, address: *address, asJSON: *asJSON}
	if *pages {
		return status(serveTo(ctx, stdout, *address, f.Arg(0), *asJSON))
	}
	return status(w.show(ctx, stdout))
}

// shownAt is the output of serve -json.
type shownAt struct {
	URL    string `json:"url"`
	Source string `json:"source"` // the capture, or the program's address
}

// serveTo serves static pages until the context is done. Their address has a token, and requests without it
// are refused. It prints the address once the server listens.
func serveTo(ctx context.Context, out io.Writer, address, name string, asJSON bool) error {
	s, err := served(ctx, name)
	if err != nil {
		return err
	}
	l, err := server.Listen(address)
	if err != nil {
		return err
	}
	prefix := "/" + rand.Text()
	if err := sayPage(out, l, server.URL(l, prefix+"/debug/iprof/"), name, asJSON); err != nil {
		l.Close()
		return err
	}
	return server.Serve(ctx, l, pagesBelow(prefix, s), pagesTimeout)
}

// pagesTimeout is the longest time that a reader may take for a page.
const pagesTimeout = 30 * time.Second

// pagesBelow serves the pages of a session below a secret prefix.
func pagesBelow(prefix string, s *process.Session) http.Handler {
	pages := http.StripPrefix(prefix, (&debug.Server{Session: s}).Handler())
	guard := server.Guard{
		Knows: func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, prefix+"/") },
		Refuse: func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "the address needs its token: iprof prints it", http.StatusNotFound)
		},
	}
	return guard.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("X-Forwarded-Host", r.Host) // the page names its address
		r.Header.Set("X-Forwarded-Prefix", prefix)
		pages.ServeHTTP(w, r)
	}))
}

// sayPage prints the address of a page. If other machines can reach it, it says so.
func sayPage(out io.Writer, l net.Listener, page, name string, asJSON bool) (err error) {
	where := shownAt{page, name}
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		stderr.Println("iprof: other machines can reach this page, too, at the IP addresses of this one; " +
			"they need the token in its address")
	}
	if asJSON {
		return json.NewEncoder(out).Encode(where)
	}
	_, err = fmt.Fprintln(out, where.URL)
	return err
}

// served returns the session of a capture, or a session that follows a remote program.
func served(ctx context.Context, name string) (*process.Session, error) {
	if !remote.Is(name) {
		c, err := openAll(name)
		if err != nil {
			return nil, err
		}
		c.showsTrigger()
		return c.Session, nil
	}
	p, err := elsewhere(name)
	if err != nil {
		return nil, err
	}
	s := process.NewSession()
	go p.Follow(ctx, s, func(state follow.State) {
		if !state.Connected {
			stderr.Printf("iprof: not connected: %v; next try in %v\n", state.Err, state.Retry)
		}
	})
	return s, nil
}
