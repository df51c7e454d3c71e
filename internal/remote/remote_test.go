package remote_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/internal/follow"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
)

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
		for r := world.NewGame(1, s); ; time.Sleep(time.Millisecond) {
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

// Whoever is busy for longer than a program may be silent gets what came meanwhile.
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
	must.Until(t, "100 frames", func() bool { return s.View().Info().Frames > 100 })
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
	must.Until(t, "frames of the new run", func() bool {
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

const secret = "sesame-sesame-sesame"

// asked are the requests that a server got.
type asked struct {
	mu  sync.Mutex
	all []string // path and token of each
}

func (a *asked) note(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.all = append(a.all, r.URL.EscapedPath()+" "+r.Header.Get("Authorization"))
		a.mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

func (a *asked) paths() (all []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, each := range a.all {
		path, _, _ := strings.Cut(each, " ")
		all = append(all, path)
	}
	return all
}

// A proxy serves a program below /svc-a/. All addresses of it ask there, and the token goes to no other place of that
// host.
func TestThePathOfAnAddressCounts(t *testing.T) {
	p, inner := start(t, "127.0.0.1:0", debug.Server{Token: secret})
	defer p.kill()
	mux := http.NewServeMux()
	to := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: inner})
	to.FlushInterval = -1
	mux.Handle("/svc-a/", http.StripPrefix("/svc-a", to))
	got := new(asked)
	proxy := httptest.NewServer(got.note(mux))
	defer proxy.Close()
	host := proxy.Listener.Addr().String()
	for _, address := range []string{proxy.URL + "/svc-a", proxy.URL + "/svc-a/", proxy.URL + "/svc-a/debug/iprof",
		proxy.URL + "/svc-a/debug/iprof/", proxy.URL + "/svc-a/debug/iprof/tree", proxy.URL + "/x/../svc-a",
		proxy.URL + "/svc-a/debug/iprof/capture?seconds=5#here", host + "/svc-a/debug/iprof/", host + "/svc-a"} {
		r, err := remote.New(address, secret)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if want := host + "/svc-a"; r.Address != want || r.URL("tree") != "http://"+want+"/debug/iprof/tree" {
			t.Errorf("%s: is %s, and its tree %s; want %s", address, r.Address, r.URL("tree"), want)
		}
		c, err := r.Capture(t.Context(), 1)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if b, err := io.ReadAll(io.LimitReader(c, 7)); err != nil || !strings.HasPrefix(string(b), "\x89IPROF") {
			t.Errorf("%s: got %q, %v; want a capture", address, b, err)
		}
		c.Close()
	}
	for _, path := range got.paths() {
		if path != "/svc-a/debug/iprof/capture" {
			t.Errorf("the token went to %s", path)
		}
	}
}

// The error has the place.
func TestATokenFollowsNoRedirect(t *testing.T) {
	got := new(asked)
	thief := httptest.NewServer(got.note(http.NotFoundHandler()))
	defer thief.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{thief.URL + "/debug/iprof/capture", "/svc-b/debug/iprof/capture", "../../x"} {
			redirects := new(asked)
			s := httptest.NewServer(redirects.note(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			})))
			r := must.Get(remote.New(s.URL+"/svc-a", secret))(t)
			if _, err := r.Capture(t.Context(), 1); err == nil || !strings.Contains(err.Error(), to) {
				t.Errorf("%d to %s: got %v; want an error that names it", status, to, err)
			}
			if _, err := r.Command(t.Context(), "reset"); err == nil {
				t.Errorf("%d to %s: a command got no error", status, to)
			}
			if n := len(redirects.paths()); n != 2 {
				t.Errorf("%d to %s: %d requests; want 2", status, to, n)
			}
			s.Close()
		}
	}
	if len(got.all) > 0 {
		t.Errorf("another host was asked: %q", got.all)
	}
}

func TestAddressesAreToldFromFiles(t *testing.T) {
	for argument, want := range map[string]bool{"localhost:6061": true, ":6061": true, "http://x": true,
		"[::1]:80": true, "game.iprof": false, "C:\\game.iprof": false, "a:b": false, "": false, "host:99999": true,
		"host:80/svc": true, "::1:80": true, "::1": true, "127.0.0.1": false, "traces/a:80": false} {
		if got := remote.Is(argument); got != want {
			t.Errorf("%q: got %v", argument, got)
		}
	}
}

// The error says what to write in its place.
func TestARefusedAddressShowsTheRightForm(t *testing.T) {
	for bad, want := range map[string]string{"game": "HOST:PORT", "http://": "HOST:PORT", "http://:80/": "HOST:PORT",
		"http://user@host:1": "IPROF_TOKEN", strings.Repeat("x", 1000) + ":1": "HOST:PORT",
		"localhost:99999": "1 to 65535", "http://localhost:99999/": "1 to 65535", "localhost:0": "1 to 65535",
		"::1:7179": " [::1]:7179", "fe80::1": " [fe80::1]:6061", "http://host/?tenant=a": "from ? on",
		"http://host/svc?x#y": "from ? on", "host:80:90/x": "HOST:PORT"} {
		if _, err := remote.New(bad, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: got %v; want %q", bad, err, want)
		}
	}
	for bad, want := range map[string]string{"7179": " :7179", "::1:7179": " [::1]:7179", "::1": " [::1]:6061",
		"[::1]": " [::1]:6061", "localhost": " localhost:6061", "http://localhost:7179": "without http://",
		":99999": "1 to 65535", "localhost:": "1 to 65535", "localhost:nobody-has-it": "1 to 65535", "": "HOST:PORT"} {
		if _, _, err := remote.HostPort(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: got %v; want %q", bad, err, want)
		}
	}
	for good, want := range map[string][2]string{":7179": {"", "7179"}, "[::1]:0": {"::1", "0"},
		"localhost:http": {"localhost", "http"}, "0.0.0.0:080": {"0.0.0.0", "80"}} {
		if host, port, err := remote.HostPort(good); err != nil || (host != want[0] || port != want[1]) {
			t.Errorf("%q: got %q, %q, %v", good, host, port, err)
		}
	}
}

// A number means the same in a program and in a viewer that follows it, also after the settings have changed.
func TestSettingsReachWhoFollows(t *testing.T) {
	program := process.NewSession()
	server := httptest.NewServer((&debug.Server{Session: program}).Handler())
	t.Cleanup(server.Close)
	s, _ := followed(t, strings.TrimPrefix(server.URL, "http://"), "")
	for _, driven := range []bool{false, true, false} {
		budget := 20 * time.Millisecond
		if driven {
			budget = 7 * time.Millisecond
		}
		program.SetEventDriven(driven)
		program.SetFrameBudget(budget)
		for range 3 {
			program.Update() // a frame that was under way has the settings from before
		}
		last := program.View().Info().Index
		must.Until(t, "the frames with the settings", func() bool {
			program.Update()
			return s.View().Info().Frames > 0 && s.View().Info().Index > last
		})
		if s.EventDriven() != driven || s.View().Info().Budget != budget {
			t.Errorf("got event-driven %t, budget %v; want %t, %v", s.EventDriven(), s.View().Info().Budget, driven,
				budget)
		}
	}
}

// refuses starts a server that asks for a token and accepts none.
func refuses(t *testing.T) (address string, got *asked) {
	got = new(asked)
	s := httptest.NewServer(got.note(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
	})))
	t.Cleanup(s.Close)
	return s.URL, got
}

// Of two programs on one command line, none gets the token that may be the other's.
func TestATokenIsForOneAddress(t *testing.T) {
	a, gotA := refuses(t)
	b, gotB := refuses(t)
	for _, test := range []struct {
		value      string
		named      []string
		forA, forB string
		because    string
	}{
		{value: "A", named: []string{a}, forA: "A", because: "another token"},
		{value: "A", named: []string{a, a + "/debug/iprof/", "game.iprof"}, forA: "A", because: "another token"},
		{value: "A", named: []string{a, b}, because: "TOKEN@http://HOST:PORT TOKEN@http://…"},
		{value: "A", named: []string{a, a + "/svc-a"}, because: "for several addresses"},
		{value: "A", forA: "A", forB: "A", because: "another token"},
		{value: "A", named: []string{"game.iprof"}, forA: "A", forB: "A", because: "another token"},
		{value: "A@" + a, named: []string{a, b}, forA: "A", because: "another token"},
		{value: "A@" + a + "  B@x@" + b + "/", named: []string{a, b}, forA: "A", forB: "B@x", because: "another token"},
		{value: "A@" + a + "/svc-a", named: []string{a}, because: "needs a token"},
		{named: []string{a, b}, because: "needs a token"},
	} {
		tokens, err := remote.ParseTokens(test.value, test.named)
		if err != nil {
			t.Fatalf("%+v: %v", test, err)
		}
		for _, to := range []struct {
			address, want string
			got           *asked
		}{{a, test.forA, gotA}, {b, test.forB, gotB}} {
			p, err := tokens.Program(to.address)
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Command(t.Context(), "reset")
			if to.address == a && (err == nil || !strings.Contains(err.Error(), test.because)) {
				t.Errorf("%+v: got %v", test, err)
			}
			want := ""
			if to.want != "" {
				want = "Bearer " + to.want
			}
			if _, token, _ := strings.Cut(to.got.all[len(to.got.all)-1], " "); token != want {
				t.Errorf("%+v: %s got %q; want %q", test, to.address, token, want)
			}
		}
	}
}

// The error has the right form, and no token.
func TestTokensOfNoAddress(t *testing.T) {
	for _, bad := range []string{"secret@http://a:1 secret", "secret@http://", "secret@http://a:99999",
		"secret@https://u@b", "@http://a"} {
		got := ""
		if _, err := remote.ParseTokens(bad, nil); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, "IPROF_TOKEN, part ") || strings.Contains(got, "secret") {
			t.Errorf("%q: got %q", bad, got)
		}
	}
}

// Whatever a program at the address sends, the viewer says in a line why it is not connected, and keeps the frames that
// it got before.
func TestAHostileProgram(t *testing.T) {
	good, bad := answers(t)
	for i := range 2 * len(bad) {
		answer, frames := bad[i/2], uint64(0)
		if i%2 == 1 { // behind a good frame
			answer, frames = append(bytes.Clone(good), bad[i/2]...), 1
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(answer) }))
		s, states := followed(t, server.Listener.Addr().String(), "")
		state := <-states
		if frames > 0 && state.Connected {
			state = <-states
		}
		if state.Connected || state.Err == nil || strings.Contains(state.Err.Error(), "\n") {
			t.Errorf("answer %d: got %+v; want an error of one line", i, state)
		}
		if got := s.View().Info().Frames; uint64(got) != frames {
			t.Errorf("answer %d: %d frames are left of %d", i, got, frames)
		}
		server.Close()
	}
}

// answers are a good stream, and answers of no good program: other things, nothing, lying lengths, and damaged streams.
func answers(t *testing.T) (stream []byte, bad [][]byte) {
	t.Helper()
	var good bytes.Buffer
	w := framefile.NewWriter(&good, framefile.Info{Program: "bad"})
	must.Do(t, w.WriteFrame(world.NewRandom(1).Frame()))
	head := good.Bytes()[:10]
	random := make([]byte, 4096)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	return good.Bytes(), [][]byte{
		{}, []byte("<html>not this</html>"), random, append(bytes.Clone(head), random...),
		append(bytes.Clone(head), "F\xff\xff\xff\xff\x0f"...), // a chunk of 4 GB
		append(bytes.Clone(head[:8]), 99, 0),                  // a newer version
		good.Bytes()[10 : good.Len()-5],
	}
}
