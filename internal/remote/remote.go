// Package remote reads the profile of a remote program, served by its package debug.
//
//	p, err := remote.New("localhost:6061", token)
//	p.Follow(ctx, session, func(s follow.State) { … }) // until ctx is done
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/follow"
	"example.com/iprof/process"
)

const (
	root         = "/debug/iprof/"
	dialTimeout  = 5 * time.Second
	silence      = 5 * time.Second // the longest time without a byte: a stream has one a second
	readBuffer   = 32 << 10        // bytes that the system keeps; more would make the display fall behind
	mostAnswer   = 4 << 10
	mostHeader   = 64 << 10
	mostAddress  = 300
	extraCapture = 10 * time.Second
)

// Program is a remote program. Any goroutine may call its methods.
type Program struct {
	Address string        // host:port, for people
	Limits  budget.Budget // of what it may send
	base    string
	token   string
	client  *http.Client
}

// Is reports whether an argument is an address and not a file: http://…, or host:port where no file has that name.
func Is(argument string) bool {
	if strings.HasPrefix(argument, "http://") || strings.HasPrefix(argument, "https://") {
		return true
	}
	if _, err := os.Lstat(argument); err == nil {
		return false
	}
	_, port, err := net.SplitHostPort(argument)
	if err != nil {
		return false
	}
	n, err := strconv.Atoi(port)
	return err == nil && n > 0 && n < 1<<16
}

// New returns the program at an address: http://host:port, host:port, or :port of this machine.
func New(address, token string) (*Program, error) {
	if len(address) > mostAddress || !Is(address) {
		return nil, fmt.Errorf("%.80q is no address: want host:port or http://host:port", address)
	}
	if !strings.Contains(address, "://") {
		if strings.HasPrefix(address, ":") {
			address = "localhost" + address
		}
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return nil, fmt.Errorf("%.80q is no address: want host:port or http://host:port", address)
	}
	dialer := net.Dialer{Timeout: dialTimeout}
	transport := &http.Transport{DisableCompression: true, MaxResponseHeaderBytes: mostHeader,
		TLSHandshakeTimeout: dialTimeout, ResponseHeaderTimeout: 2 * dialTimeout, DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, address)
			if tcp, ok := c.(*net.TCPConn); ok {
				_ = tcp.SetReadBuffer(readBuffer)
			}
			return c, err
		}}
	return &Program{Address: u.Host, Limits: budget.Usual, base: u.Scheme + "://" + u.Host + root, token: token,
		client: &http.Client{Transport: transport, CheckRedirect: noRedirect}}, nil
}

// URL returns the address of one of the program's pages, such as "tree".
func (p *Program) URL(page string) string { return p.base + page }

// noRedirect keeps the token from other hosts.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Capture returns a capture of the next seconds, 1 to 60. It ends when they are over, also if the program goes on to
// send. Close it.
func (p *Program) Capture(ctx context.Context, seconds int) (io.ReadCloser, error) {
	patience := min(time.Duration(seconds)*time.Second+extraCapture, p.Limits.Time)
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errSlow)
	b, err := p.open(ctx, http.MethodGet, "capture?seconds="+strconv.Itoa(seconds), "", patience)
	if err != nil {
		cancel()
		return nil, err
	}
	b.leave = cancel
	return b, nil
}

// Live returns the live stream. It ends when the program does, when a Read has got nothing for five seconds, or when it
// sends faster than Limits allow. Close it.
func (p *Program) Live(ctx context.Context) (io.ReadCloser, error) {
	b, err := p.open(ctx, http.MethodGet, "live", "", silence)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Follow writes the frames of the program into the session, until ctx is done. It calls say at each change.
func (p *Program) Follow(ctx context.Context, s *process.Session, say func(follow.State)) {
	live := func(ctx context.Context) (io.ReadCloser, error) { return p.Live(ctx) }
	follow.Program(ctx, s, live, func(state follow.State) {
		state.Err = cause(state.Err)
		say(state)
	})
}

// Command runs a command that changes what the program measures, and returns its answer.
func (p *Program) Command(ctx context.Context, line string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, min(2*dialTimeout, p.Limits.Time), errSlow)
	defer cancel()
	body, err := p.open(ctx, http.MethodPost, "command", line, 2*dialTimeout)
	if err != nil {
		return "", err
	}
	defer body.Close()
	return words(body), nil
}

// open sends the request, and returns the answer's body. A status other than OK is an error.
func (p *Program) open(ctx context.Context, method, what, body string, patience time.Duration) (*watched, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	r, err := http.NewRequestWithContext(ctx, method, p.base+what, strings.NewReader(body))
	if err != nil {
		cancel(err)
		return nil, err
	}
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	answer, err := p.client.Do(r)
	if err != nil {
		cancel(err)
		return nil, fmt.Errorf("%s: %w", p.Address, cause(err))
	}
	endless := p.Limits
	endless.Time = math.MaxInt64 // the caller ends it
	b := &watched{ReadCloser: answer.Body, patience: patience, cancel: cancel, ctx: ctx, account: endless.Peer()}
	b.timer = time.AfterFunc(patience, func() { cancel(errSilent) })
	b.timer.Stop()
	if answer.StatusCode != http.StatusOK { // an error is short, or none
		timer := time.AfterFunc(min(2*dialTimeout, p.Limits.Time), func() { cancel(errSlow) })
		defer timer.Stop()
	}
	if answer.StatusCode == http.StatusOK {
		return b, nil
	}
	defer b.Close()
	why := words(b)
	switch {
	case answer.StatusCode == http.StatusNotFound && !strings.Contains(why, "iprof"):
		why = "the server there has no /debug/iprof/: see package debug"
	case answer.StatusCode == http.StatusUnauthorized:
		why = "it needs the right token: -token"
	case why == "":
		why = words(strings.NewReader(answer.Status))
	}
	return nil, fmt.Errorf("%s: %s", p.Address, why)
}

var (
	errSilent = errors.New("nothing came for too long")
	errSlow   = errors.New("the answer took too long")
)

// watched is a response body with a timeout for silence during a read.
type watched struct {
	io.ReadCloser
	patience time.Duration
	timer    *time.Timer
	cancel   context.CancelCauseFunc
	ctx      context.Context
	account  *budget.Account
	leave    context.CancelFunc // of a longer context, or nil
}

// Read reads, and says why it cannot.
func (w *watched) Read(p []byte) (int, error) {
	w.timer.Reset(w.patience)
	n, err := w.ReadCloser.Read(p)
	w.timer.Stop() // silence without a reader does not count
	if over := w.account.Read(n); over != nil {
		return n, over
	}
	if why := context.Cause(w.ctx); err != nil && err != io.EOF && (why == errSilent || why == errSlow) {
		err = why
	}
	return n, err
}

// Close closes the connection.
func (w *watched) Close() error {
	w.timer.Stop()
	w.cancel(nil)
	if w.leave != nil {
		w.leave()
	}
	return w.ReadCloser.Close()
}

// words returns the beginning of a remote text on one line, without control characters for terminals.
func words(from io.Reader) string {
	text, _ := io.ReadAll(io.LimitReader(from, mostAnswer))
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, string(text)))
}

// cause is an error without the address in it.
func cause(err error) error {
	var u *url.Error
	var op *net.OpError
	if errors.As(err, &u) {
		err = u.Err
	}
	if errors.As(err, &op) {
		err = op.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		err = call.Err
	}
	return err
}
