package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"

	"example.com/iprof/debug"
	"example.com/iprof/internal/follow"
	"example.com/iprof/internal/remote"
	server "example.com/iprof/internal/serve"
	"example.com/iprof/process"
)

// serve is the command serve. It shows captures and remote programs in a browser of this machine.
func serve(args []string) int {
	f := newFlags("serve")
	address := f.String("addr", "127.0.0.1:0", "listen on this address of this machine; port 0 is any free one")
	asJSON := f.Bool("json", false, "say the page's address in one JSON object")
	pages := f.Bool("pages", false, "serve static pages of the first one, without the viewer")
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

// serveTo serves until the context is done. It prints the page's address once the server listens.
func serveTo(ctx context.Context, out io.Writer, address, name string, asJSON bool) error {
	s, err := served(ctx, name)
	if err != nil {
		return err
	}
	l, err := server.Listen(address)
	if err != nil {
		return err
	}
	where := shownAt{fmt.Sprintf("http://%s/debug/iprof/", l.Addr()), name}
	if asJSON {
		err = json.NewEncoder(out).Encode(where)
	} else {
		_, err = fmt.Fprintln(out, where.URL)
	}
	if err != nil {
		l.Close()
		return err
	}
	defer context.AfterFunc(ctx, func() { l.Close() })()
	err = (&debug.Server{Session: s}).Serve(l)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// served returns the session of a capture, or a session that follows a remote program.
func served(ctx context.Context, name string) (*process.Session, error) {
	if !remote.Is(name) {
		s, contents, err := openAll(name)
		if err == nil && contents.HasFrame {
			s.ShowFrame(contents.Frame)
		}
		return s, err
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
