package remote_test

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/internal/follow"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
)

const patience = 5 * time.Minute

// program is a program that runs and serves its profile.
type program struct {
	server *http.Server
	stop   chan struct{}
	done   sync.WaitGroup
}

func start(t *testing.T, addr string, settings debug.Server) (p *program, address string) {
	t.Helper()
	l := must.Get(net.Listen("tcp", addr))(t)
	s := process.NewSession()
	settings.Session = s
	p = &program{server: &http.Server{Handler: settings.Handler()}, stop: make(chan struct{})}
	p.done.Go(func() { _ = p.server.Serve(l) })
	p.done.Go(func() {
		for r := replay.New(1, s); ; time.Sleep(time.Millisecond) {
			select {
			case <-p.stop:
				return
			default:
				_ = r.Step()
			}
		}
	})
	return p, l.Addr().String()
}

// kill ends the program and cuts its connections.
func (p *program) kill() {
	close(p.stop)
	p.server.Close()
	p.done.Wait()
}

// until waits for something that takes a moment.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still not: %s", what)
		}
	}
}

// TestAStreamThatNobodyReadsStays: whoever is busy for longer than a program may be silent gets what came meanwhile.
func TestAStreamThatNobodyReadsStays(t *testing.T) {
	p, address := start(t, "127.0.0.1:0", debug.Server{})
	defer p.kill()
	program := must.Get(remote.New(address, ""))(t)
	stream := must.Get(program.Live(t.Context()))(t)
	defer stream.Close()
	time.Sleep(6 * time.Second)
	if _, err := io.CopyN(io.Discard, stream, 1<<20); err != nil {
		t.Errorf("got %v; want a megabyte", err)
	}
}

// followed follows a program and returns its session and its states.
func followed(t *testing.T, address, token string) (*process.Session, chan follow.State) {
	t.Helper()
	p := must.Get(remote.New(address, token))(t)
	s, states := process.NewSession(), make(chan follow.State, 1000)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); p.Follow(ctx, s, func(state follow.State) { states <- state }) }()
	t.Cleanup(func() { cancel(); <-done })
	return s, states
}

func TestAKilledProgramIsFoundAgain(t *testing.T) {
	p, address := start(t, "127.0.0.1:0", debug.Server{})
	s, states := followed(t, address, "")
	if state := <-states; !state.Connected || state.Info.Program == "" {
		t.Fatalf("got %+v; want it connected", state)
	}
	until(t, "100 frames", func() bool { return s.View().Info().Frames > 100 })
	p.kill()
	if state := <-states; state.Connected || state.Err == nil || state.Retry <= 0 || state.Info.Program == "" {
		t.Fatalf("got %+v; want it lost", state)
	}
	if n := s.View().Info().Frames; n < 100 {
		t.Errorf("got %d frames after the loss; want those from before", n)
	}
	last := s.View().Info().Index
	p, _ = start(t, address, debug.Server{})
	defer p.kill()
	for state := range states {
		if state.Connected {
			break
		}
	}
	until(t, "frames of the new run", func() bool {
		i := s.View().Info()
		return i.Index < last && i.Frames > 0 || i.Index > last
	})
}

func TestWhyAProgramIsNotFollowed(t *testing.T) {
	p, address := start(t, "127.0.0.1:0", debug.Server{Token: "sesame-sesame-sesame"})
	defer p.kill()
	closed := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	closed.Close()
	answering := func(h http.HandlerFunc) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	for name, test := range map[string]struct{ address, want string }{
		"no token":  {address, "token"},
		"nobody":    {closed.Addr().String(), "refused"},
		"other":     {answering(http.NotFound), "no /debug/iprof/"},
		"newer":     {answering(say("\x89IPROF\r\n\x63\x00")), "newer"},
		"no stream": {answering(say("hello, this is something else")), "not a capture"},
		"hostile words": {answering(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "\x1b[2Jfull\r\n\x00", http.StatusServiceUnavailable)
		}), "[2Jfull"},
		"random": {answering(func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "\x89IPROF\r\n\x01\x01")
			for range 10_000 {
				w.Write([]byte{byte(rand.Uint32())})
			}
		}), "lost"},
		"redirect": {answering(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+address, http.StatusFound)
		}), "redirects to http://" + address},
	} {
		t.Run(name, func(t *testing.T) {
			_, states := followed(t, test.address, "")
			state := <-states
			if state.Connected || !strings.Contains(state.Err.Error(), test.want) ||
				strings.Contains(state.Err.Error(), "\x1b") {
				t.Errorf("got %+v; want %q", state, test.want)
			}
		})
	}
}

func say(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
}

func TestCommandsAndCaptures(t *testing.T) {
	p, address := start(t, "127.0.0.1:0", debug.Server{Token: "sesame-sesame-sesame"})
	defer p.kill()
	r := must.Get(remote.New("http://"+address, "sesame-sesame-sesame"))(t)
	ctx := context.Background()
	if got, err := r.Command(ctx, "reset"); err != nil || !strings.HasPrefix(got, "all measurements forgotten") {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := r.Command(ctx, "quit"); err == nil || !strings.Contains(err.Error(), "the commands are") {
		t.Errorf("got %v", err)
	}
	c := must.Get(r.Capture(ctx, 1))(t)
	defer c.Close()
	if b, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(b), "\x89IPROF") {
		t.Errorf("got %d bytes, %v", len(b), err)
	}
}
