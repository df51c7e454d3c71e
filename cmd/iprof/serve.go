package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"

	"example.com/iprof/debug"
	"example.com/iprof/internal/remote"
	"example.com/iprof/process"
)

// serve is the command serve. It shows a capture, or a program elsewhere, in a browser of this machine.
func serve(args []string) int {
	f := flag.NewFlagSet("serve", flag.ContinueOnError)
	address := f.String("addr", "127.0.0.1:0", "listen on this address of this machine; port 0 is any free one")
	if err := f.Parse(args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: iprof serve [-addr 127.0.0.1:8080] CAPTURE|HOST:PORT")
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return status(serveTo(ctx, os.Stdout, *address, f.Arg(0)))
}

// serveTo serves until the context is done, and prints the page's address.
func serveTo(ctx context.Context, out io.Writer, address, name string) error {
	s, err := served(ctx, name)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "http://%s/debug/iprof/\n", l.Addr())
	defer context.AfterFunc(ctx, func() { l.Close() })()
	err = (&debug.Server{Session: s}).Serve(l)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// served returns the session of a capture, or one that follows a program elsewhere.
func served(ctx context.Context, name string) (*process.Session, error) {
	if !remote.Is(name) {
		s, contents, err := open(name)
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
	go p.Follow(ctx, s, func(state remote.State) {
		if !state.Connected {
			fmt.Fprintf(os.Stderr, "iprof: not connected: %v; next try in %v\n", state.Err, state.Retry)
		}
	})
	return s, nil
}
