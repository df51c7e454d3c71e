package debug

import (
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	mostOpen      = 64 // connections at once; each takes a file of the program
	mostStrangers = 16 // of them, those that have not yet asked for anything that they may have
)

// places are a server's connections. Each begins as a stranger's, and is a reader's from its first rightful request on.
// A stranger beyond mostStrangers takes the place of the oldest one, so that those who only connect lock out nobody.
type places struct {
	mu   sync.Mutex
	open map[net.Conn]*place
	last uint64 // number of the latest change
}

type place struct {
	since  uint64 // number of the change that made it what it is
	reader bool
	idle   bool
}

// watch follows a connection. It is an http.Server's ConnState.
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

// admit makes a connection a reader's. It takes the place of the reader that has asked for nothing for the longest
// time, if there are too many. It reports false if all of them are being answered.
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

// oldest takes away the place of the oldest stranger, or of the reader that has been idle for the longest time. It
// returns nil if there is none.
func (p *places) oldest(reader bool) (out net.Conn) {
	for c, at := range p.open {
		if at.reader == reader && (at.idle || !reader) && (out == nil || at.since < p.open[out].since) {
			out = c
		}
	}
	delete(p.open, out)
	return out
}

// refuse says why and closes. The system keeps so short an answer, so it takes no time. Without a connection it does
// nothing.
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
