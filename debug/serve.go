package debug

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"

	"example.com/iprof/internal/serve"
)

const (
	defaultAddress = "127.0.0.1:6061"
	leastToken     = 16 // characters, if other machines can reach the address
)

// ListenAndServe serves the program's own session on an address of this machine. "" is 127.0.0.1:6061, and a port alone
// is a port of 127.0.0.1. It returns only with an error. For other machines see [Server.Token].
//
//	go debug.ListenAndServe("")
func ListenAndServe(addr string) error { return new(Server).ListenAndServe(addr) }

// ListenAndServe listens on an address and serves: see Listen and Serve. It returns only with an error.
func (s *Server) ListenAndServe(addr string) error {
	l, err := s.Listen(addr)
	if err != nil {
		return err
	}
	return s.Serve(l)
}

// Listen listens on an address for Serve. "" is 127.0.0.1:6061, and a port alone is a port of 127.0.0.1. For port 0 the
// system chooses a port: see the listener's Addr. An address that other machines can reach needs a Token.
func (s *Server) Listen(addr string) (net.Listener, error) {
	addr = cmp.Or(addr, defaultAddress)
	if !serve.OnlyHere(addr) {
		if err := s.mayLeave(addr); err != nil {
			return nil, err
		}
	}
	l, err := serve.Listen(addr)
	if err != nil {
		return nil, fmt.Errorf("debug: %w", err)
	}
	return l, nil
}

// Serve serves on a listener and closes it. It returns only with an error. An address that other machines can reach
// needs a Token of 16 characters at least. Requests for an unknown host name are refused: see Hosts. A request may take
// five seconds, its header 16 kB, an answer Timeout. At most 64 connections are open at once, and at most 16 without an
// authorised request yet; a further one takes the place of the oldest.
func (s *Server) Serve(l net.Listener) error {
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		if err := s.mayLeave(l.Addr().String()); err != nil {
			l.Close()
			return err
		}
	}
	guard := s.guard()
	guard.Hosts, guard.AnyHost = s.Hosts, false
	mux := http.NewServeMux()
	mux.Handle(root, s.handler())
	mux.Handle("GET /{$}", toPage(root[1:]))
	mux.Handle("GET "+strings.TrimSuffix(root, "/"), toPage("iprof/"))
	return serve.Serve(context.Background(), l, guard.Handler(mux), cmp.Or(s.Timeout, defaultTimeout))
}

// mayLeave returns an error if the profile may not leave this machine.
func (s *Server) mayLeave(addr string) error {
	if len(s.Token) >= leastToken {
		return nil
	}
	const format = "debug: other machines can reach %s: set a Token of %d characters at least, or listen on 127.0.0.1"
	return fmt.Errorf(format, addr, leastToken)
}
