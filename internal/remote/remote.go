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
	Address string        // host:port, and the path before /debug/iprof/, for people
	Limits  budget.Budget // of what it may send
	base    string        // with a slash at the end
	path    string        // of base
	set     string        // a query with a set of frames, or ""
	token   string
	many    bool // a token is there, and it is for one of several programs
	client  *http.Client
}

// New returns the program at an address: http://HOST:PORT, HOST:PORT, or :PORT of this machine. A path counts: behind a
// proxy the pages of a program are below http://HOST/PREFIX/debug/iprof/. It returns an error for a port above 65535, a
// user, or a query other than ?set=NAME, which chooses a set of frames. The token goes only to requests below this path
// of this host.
func New(address, token string) (*Program, error) {
	u, set, err := baseOf(address)
	if err != nil {
		return nil, err
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
	name := u.Host + strings.TrimSuffix(u.EscapedPath(), root)
	if set != "" {
		set = url.Values{"set": {set}}.Encode()
	}
	return &Program{Address: name, set: set, Limits: budget.Usual, base: u.String(), path: u.EscapedPath(),
		token: token, client: &http.Client{Transport: transport, CheckRedirect: noRedirect}}, nil
}

// URL returns the address of one of the program's pages, such as "tree".
func (p *Program) URL(page string) string { return p.base + p.ofSet(page) }

// noRedirect keeps the token from other hosts and paths.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// refusal says why an answer has no profile.
func (p *Program) refusal(answer *http.Response, why string) string {
	switch location := words(strings.NewReader(answer.Header.Get("Location"))); {
	case answer.StatusCode == http.StatusNotFound && !strings.Contains(why, "iprof"):
		return "the server there has no " + p.path + ": see package debug"
	case answer.StatusCode == http.StatusUnauthorized && p.many:
		return "it needs a token, and IPROF_TOKEN has one for several addresses: set it to \"" +
			"TOKEN@http://HOST:PORT TOKEN@http://…\""
	case answer.StatusCode == http.StatusUnauthorized && p.token == "":
		return "it needs a token: set the variable IPROF_TOKEN to it"
	case answer.StatusCode == http.StatusUnauthorized:
		return "it has another token: set the variable IPROF_TOKEN to the right one"
	case answer.StatusCode/100 == 3 && location != "":
		return fmt.Sprintf("it redirects to %.200s: name that address if it is the right one", location)
	case why == "":
		return words(strings.NewReader(answer.Status))
	}
	return why
}

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

// ofSet adds the set of frames to a page with its query.
func (p *Program) ofSet(page string) string {
	switch {
	case p.set == "":
		return page
	case strings.Contains(page, "?"):
		return page + "&" + p.set
	}
	return page + "?" + p.set
}

// open sends the request, and returns the answer's body. A status other than OK is an error.
func (p *Program) open(ctx context.Context, method, what, body string, patience time.Duration) (*watched, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	r, err := http.NewRequestWithContext(ctx, method, p.base+p.ofSet(what), strings.NewReader(body))
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
	return nil, fmt.Errorf("%s: %s", p.Address, p.refusal(answer, words(b)))
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
