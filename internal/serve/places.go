package serve

import (
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	mostOpen      = 64 // connections at once; each takes a file descriptor of the program
	mostStrangers = 16 // of these, connections without an authorised request yet
)

// places are a server's connections. Each connection begins as a stranger's, and is a reader's from its first
// authorised request on. A stranger beyond mostStrangers takes the place of the oldest stranger, so that clients that
// only connect lock out no client.
type places struct {
	mu   sync.Mutex
	open map[net.Conn]*place
	last uint64 // number of the latest change
}

type place struct {
	since  uint64 // number of its last change of state
	reader bool
	idle   bool
}

// watch follows a connection's state. It is the ConnState function of the http.Server.
func (p *places) watch(c net.Conn, state http.ConnState) {
	p.mu.Lock()
	p.last++
	var out net.Conn
	switch state {
	case http.StateNew:
		if p.count(false) >= mostStrangers {
			out = p.oldest(false)
		}
		p.open[c] = &place{since: p.last}
	case http.StateActive, http.StateIdle:
		if at := p.open[c]; at != nil {
			if at.idle = state == http.StateIdle; at.reader {
				at.since = p.last
			}
		}
	case http.StateClosed, http.StateHijacked:
		delete(p.open, c)
	}
	p.mu.Unlock()
	refuse(out)
}

// admit makes a connection a reader's. If there are too many readers, it takes the place of the reader that has been
// idle longest. It reports false if all readers are being answered.
func (p *places) admit(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.open[c]
	if at == nil || at.reader {
		return true
	}
	if p.count(true) >= mostOpen-mostStrangers {
		out := p.oldest(true)
		if out == nil {
			return false
		}
		out.Close()
	}
	at.reader = true
	return true
}

func (p *places) count(readers bool) (n int) {
	for _, at := range p.open {
		if at.reader == readers {
			n++
		}
	}
	return n
}

// oldest takes away the place of the oldest stranger, or of the reader that has been idle longest, and returns its
// connection. It returns nil without one.
func (p *places) oldest(reader bool) (out net.Conn) {
	for c, at := range p.open {
		if at.reader == reader && (at.idle || !reader) && (out == nil || at.since < p.open[out].since) {
			out = c
		}
	}
	delete(p.open, out)
	return out
}

// refuse sends the reason and closes the connection. The system buffers so short an answer, so refuse does not wait.
// Without a connection it does nothing.
func refuse(c net.Conn) {
	if c == nil {
		return
	}
	const answer = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\r\n" +
		"too many connections\n"
	_ = c.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = io.WriteString(c, answer)
	c.Close()
}
