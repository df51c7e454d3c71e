// Package serve is the only server of this module: package debug and the commands of iprof serve with it, so all have
// the same limits and the same guard. It listens when it is called, not when it is imported.
//
//	l, err := serve.Listen("127.0.0.1:0")
//	err = serve.Serve(ctx, l, serve.Guard{}.Handler(mux), time.Minute)
package serve

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// ReadTimeout is the longest time that a client may take for a request, with its body.
const ReadTimeout = 5 * time.Second

const (
	idleTimeout = time.Minute
	mostHeader  = 12 << 10 // bytes, and net/http reads 4 kB more; cookies of all servers of this machine are in it
)

// Listen listens on a TCP address, such as "localhost:6061". A port alone, as ":6061", is a port of 127.0.0.1. For port
// 0 the system chooses a port: see the listener's Addr.
func Listen(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.Listen("tcp", net.JoinHostPort(host, port))
}

// OnlyHere reports whether only this machine can reach an address that Listen takes.
func OnlyHere(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return err == nil && (host == "" || host == "localhost" || ip != nil && ip.IsLoopback())
}

// FreeAddress returns an unused address of this machine.
func FreeAddress() (string, error) {
	l, err := Listen(":0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// Serve serves on a listener, which it closes, until the context is done, which is no error. The handler needs a Guard.
//
// At most 64 connections are open at once, and at most 16 on which no request has passed the guard yet; a further one
// takes the place of the oldest. A request that the guard does not pass ends its connection. A request may take
// five seconds, its header 16 kB, a connection without a request one minute. A client may take the given time for an
// answer; a handler may set another deadline, or use Steady.
func Serve(ctx context.Context, l net.Listener, h http.Handler, timeout time.Duration) error {
	open := &places{open: map[net.Conn]*place{}}
	server := &http.Server{
		Handler: closing(h), ReadTimeout: ReadTimeout, IdleTimeout: idleTimeout, WriteTimeout: timeout,
		MaxHeaderBytes: mostHeader, ErrorLog: log.New(io.Discard, "", 0), ConnState: open.watch,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, client{}, &connection{c, open})
		},
	}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}

// client is the key of a request's connection in its context.
type client struct{}

type connection struct {
	net.Conn
	places *places
}

// Connection returns the connection of a request, nil outside of Serve.
func Connection(r *http.Request) net.Conn {
	if c, ok := r.Context().Value(client{}).(*connection); ok {
		return c.Conn
	}
	return nil
}

// admit makes the connection of a request a reader's. It reports false if there are too many readers. Other servers
// have their own limits.
func admit(w http.ResponseWriter, r *http.Request) bool {
	c, ok := r.Context().Value(client{}).(*connection)
	if !ok {
		return true
	}
	if !c.places.admit(c.Conn) {
		return false
	}
	w.Header().Del("Connection")
	return true
}

// closing ends a connection after each answer, unless the guard passes the request: see admit. So a client that is
// refused keeps no place.
func closing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		next.ServeHTTP(w, r)
	})
}

// Steady returns a ResponseWriter that gives the client the time for each Write, in place of a limit for the whole
// answer. So a long answer may take its time, and a client that reads nothing is sent away.
func Steady(w http.ResponseWriter, timeout time.Duration) http.ResponseWriter {
	return &steady{w, timeout}
}

type steady struct {
	http.ResponseWriter
	timeout time.Duration
}

// Write writes p. The time limit holds for a Flush after it, too. Not every ResponseWriter has deadlines.
func (s *steady) Write(p []byte) (int, error) {
	_ = http.NewResponseController(s.ResponseWriter).SetWriteDeadline(time.Now().Add(s.timeout))
	return s.ResponseWriter.Write(p)
}

// Unwrap returns the ResponseWriter, for an http.ResponseController.
func (s *steady) Unwrap() http.ResponseWriter { return s.ResponseWriter }
