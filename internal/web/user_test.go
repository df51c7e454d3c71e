package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
	"example.com/iprof/internal/serve"
	"example.com/iprof/internal/web"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
)

const patience = 3 * time.Minute

// viewer builds the program once for all tests.
var viewer = sync.OnceValues(func() (*web.Viewer, error) {
	dir, err := os.MkdirTemp("", "viewer")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := &web.Builder{Module: filepath.Join("..", ".."), Cache: dir, Say: func(string) {}}
	if _, err := b.Viewer(context.Background()); err != nil {
		return nil, err
	}
	b.Say = func(string) { panic("it is built again") }
	return b.Viewer(context.Background())
})

// recorded writes a capture. A zone of each hitch-th frame takes half a second longer.
func recorded(t *testing.T, name string, frames, hitch int) *os.File {
	t.Helper()
	file := must.Get(os.Create(filepath.Join(t.TempDir(), name)))(t)
	t.Cleanup(func() { file.Close() })
	w, p := framefile.NewWriter(file, framefile.Info{Program: "recorded"}), world.NewRandom(1)
	for i := range frames {
		f := p.Frame()
		if hitch > 0 && i%hitch == hitch-1 {
			slow(f)
		}
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, w.Close())
	return file
}

// slow makes the first zone of the goroutine that ends the frames take a frame longer, and the frame too.
func slow(f *gather.Frame) {
	for i := range f.Lanes {
		if l := &f.Lanes[i]; l.Updater {
			l.Nodes[1].Self += f.End - f.Begin
		}
	}
}

// elsewhere is a program that runs until it is killed.
type elsewhere struct {
	*remote.Program
	kill func()
}

func (e elsewhere) Live(ctx context.Context) (io.ReadCloser, error) { return e.Program.Live(ctx) }

func started(t *testing.T) elsewhere {
	t.Helper()
	s := process.NewSession()
	return serving(t, s, world.NewGame(1, s).Step, 50*time.Millisecond)
}

// serving serves a session whose next frame a function makes, with a pause after each.
func serving(t *testing.T, s *process.Session, step func() error, pause time.Duration) elsewhere {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	const token = "sesame-sesame-sesame"
	stop := make(chan struct{})
	server := &http.Server{Handler: (&debug.Server{Session: s, Token: token}).Handler()}
	go server.Serve(l)
	go func() {
		for ; ; time.Sleep(pause) {
			select {
			case <-stop:
				return
			default:
				_ = step()
			}
		}
	}()
	p := must.Get(remote.New(l.Addr().String(), token))(t)
	kill := sync.OnceFunc(func() {
		close(stop)
		server.Close()
	})
	t.Cleanup(kill)
	return elsewhere{p, kill}
}

// user looks at the viewer's page.
type user struct {
	*browser.Page
	t      *testing.T
	server *listed
	end    func() // ends the server
}

// listed is a server that keeps what was asked of it.
type listed struct {
	http.Handler
	mu    sync.Mutex
	asked []string // method and path behind the token
}

func (l *listed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	l.mu.Lock()
	l.asked = append(l.asked, r.Method+" /"+path)
	l.mu.Unlock()
	l.Handler.ServeHTTP(w, r)
}

// all returns what was asked, each once, in order.
func (l *listed) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(l.asked)))
}

// look opens the page of some items. It returns when the viewer has drawn them.
func look(t *testing.T, p *browser.Page, items ...web.Item) user {
	t.Helper()
	v := must.Get(viewer())(t)
	return lookAt(t, p, web.New(items, func(context.Context) (*web.Viewer, error) { return v, nil }))
}

// lookAt opens the page of a server. It returns when the viewer has drawn it.
func lookAt(t *testing.T, p *browser.Page, s *web.Server) user {
	t.Helper()
	s.Events = true
	u := opened(t, p, s)
	u.wait("ready")
	return u
}

// opened opens the page of a server.
func opened(t *testing.T, p *browser.Page, s *web.Server) user {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	u := user{p, t, &listed{Handler: s.Handler()}, nil}
	server := &http.Server{Handler: u.server}
	u.end = func() { server.Close() }
	t.Cleanup(u.end)
	go server.Serve(l)
	p.Open(s.Address(l))
	return u
}

// until waits until an expression is a text that a function accepts, and returns the text.
func (u user) until(expression string, good func(text string) bool) string {
	u.t.Helper()
	return u.within(patience, expression, good)
}

// within is until, with patience of its own.
func (u user) within(patience time.Duration, expression string, good func(text string) bool) string {
	u.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		text := u.Text(expression)
		if good(text) {
			return text
		}
		if time.Now().After(end) {
			u.t.Fatalf("%s: got %.2000s", expression, text)
		}
	}
}

// keepsDownloads has a page keep the text of what it gives to the user, by name, and save nothing.
const keepsDownloads = `globalThis.saved = {}; const blobs = new Map();
	URL.createObjectURL = blob => { const at = 'blob:' + blobs.size; blobs.set(at, blob); return at };
	HTMLAnchorElement.prototype.click = async function() {
		saved[this.download] = await blobs.get(this.getAttribute('href')).text() }`

// download waits for a file that ends in some way, and returns its name and text.
func (u user) download(end string) (name, text string) {
	u.t.Helper()
	of := fmt.Sprintf("Object.keys(saved).find(n => n.endsWith(%q)) || ''", end)
	name = u.until(of, func(name string) bool { return name != "" })
	text = u.Text(fmt.Sprintf("saved[%q]", name))
	u.Eval("saved = {}")
	return name, text
}

// choose takes a line of the menu of all commands.
func (u user) choose(words string) {
	u.t.Helper()
	u.Key("Tab")
	u.wait("menu open")
	for _, c := range words {
		u.strike(codeOf(c), string(c))
	}
	u.strike("Enter", "Enter")
	u.wait("menu closed")
}

// codeOf is the browser's name for the key of a letter.
func codeOf(c rune) string {
	if c == ' ' {
		return "Space"
	}
	return "Key" + strings.ToUpper(string(c))
}

// wait waits for a line of the viewer's, from the last one waited for on.
func (u user) wait(line string) {
	u.t.Helper()
	seen := fmt.Sprintf(`(() => {
		const all = globalThis.iprofLines || [], at = all.indexOf(%q);
		if (at >= 0) all.splice(0, at + 1);
		return at >= 0;
	})()`, line)
	for end := time.Now().Add(patience); u.Text(seen) != "true"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) || strings.Contains(u.Text("document.body.innerText"), "does not start") {
			u.t.Fatalf("never %q; the page says %q, its console %q, lines %s", line,
				u.Text("document.getElementById('status').textContent"), u.Console(),
				u.Text("(globalThis.iprofLines || []).join('; ')"))
		}
	}
}

// strike presses a key with modifiers, which the browser would take for itself.
func (u user) strike(code, key string, held ...string) {
	u.t.Helper()
	more := ""
	for _, h := range held {
		more += ", " + h + "Key: true"
	}
	u.Eval(fmt.Sprintf("dispatchEvent(new KeyboardEvent('keydown', {code: %q, key: %q%s})), "+
		"dispatchEvent(new KeyboardEvent('keyup', {code: %[1]q, key: %[2]q}))", code, key, more))
}

// quiet wants no word on the console, and no request to another host.
func (u user) quiet() {
	u.t.Helper()
	for _, line := range u.Console() { // the driver has its own words, and refused commands are on the console, too
		if !strings.Contains(line, `"source":"rendering"`) && !strings.Contains(line, "/command/") {
			u.t.Errorf("the console has %s; want nothing", line)
		}
	}
	if got := u.Text("performance.getEntriesByType('resource').map(e => e.name)" +
		".filter(n => !n.startsWith(location.origin + '/')).join()"); got != "" {
		u.t.Errorf("the page asked %s; want its own server only", got)
	}
}

// logsEvents has the viewer of a page without a server keep its lines.
const logsEvents = `let session; Object.defineProperty(globalThis, 'iprofSession',
	{get: () => session, set: s => { session = {...s, events: true} }})`

// TestThePageThatNeedsNoServer opens by a double click, shows the capture, and sends no request. Its policy
// lets no other script run.
func TestThePageThatNeedsNoServer(t *testing.T) {
	v := must.Get(viewer())(t)
	other, visits := visited(t)
	path := filepath.Join(t.TempDir(), "full.html")
	out := must.Get(os.Create(path))(t)
	const name = "</script><script>globalThis.owned = 1</script>.iprof"
	must.Do(t, v.Write(out, name, io.NewSectionReader(hostile(t, other), 0, math.MaxInt64)))
	must.Do(t, out.Close())
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	p.Before(logsEvents)
	p.Before(keepsDownloads)
	p.Load(path)
	u := user{Page: p, t: t}
	u.wait("history 60")
	u.wait("ready")
	u.Screenshot("testdata/out/onefile.png")
	u.strike("KeyE", "e", "ctrl")
	if _, text := u.download(".html"); !strings.Contains(text, "Content-Security-Policy") {
		t.Errorf("got %.300q; want the page", text)
	}
	u.harmless(visits)
	for _, line := range u.Console() {
		if !strings.Contains(line, `"source":"rendering"`) {
			t.Errorf("the console has %s; want nothing", line)
		}
	}
	p.Eval("document.body.append(Object.assign(document.createElement('script'), {textContent: 'owned = 1'}))")
	if got := p.Text("globalThis.owned + '' + performance.getEntriesByType('resource').length"); got != "undefined0" {
		t.Errorf("got %s; want no script run and nothing asked for", got)
	}
}

// mostProgram is how many bytes of the viewer's program a browser loads at most, gzipped.
const mostProgram = 4_000_000

// TestTheProgramIsSmall builds it as iprof does.
func TestTheProgramIsSmall(t *testing.T) {
	v := must.Get(viewer())(t)
	if n := len(v.Program); n > mostProgram {
		t.Errorf("got %d bytes gzipped; want at most %d", n, mostProgram)
	}
}

// served serves no items until the end of the test, and returns the page's address.
func served(t *testing.T) (page, host string) { return servedBy(t, web.New(nil, nil)) }

func servedBy(t *testing.T, s *web.Server) (page, host string) {
	l := must.Get(serve.Listen(":0"))(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s.Address(l), l.Addr().String()
}

// opens wants the page to open.
func opens(t *testing.T, page string) {
	t.Helper()
	answer := must.Get(http.Get(page))(t)
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("the page: got %d, %v; want 200", answer.StatusCode, err)
	}
}

// Clients without the token, who keep their connections, take no place of the owner's. Each refusal ends its
// connection, and those that say nothing are the oldest of too many.
func TestStrangersLockOutNobody(t *testing.T) {
	page, host := served(t)
	for _, request := range []string{"GET /nope HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"POST /command/0 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n",
		"HEAD /file/0 HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n"} {
		c := dial(t, host)
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(c); err != nil { // ReadAll waits for the end
			t.Errorf("%.20q: got %v; want an answer and the end", request, err)
		}
	}
	var silent []net.Conn
	for range 100 {
		silent = append(silent, dial(t, host))
	}
	for _, c := range silent[:100-16] {
		if answer, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || answer.StatusCode != 503 {
			t.Fatalf("got %v, %v; want 503", answer, err)
		}
	}
	opens(t, page)
}

func dial(t *testing.T, host string) net.Conn {
	t.Helper()
	c := must.Get(net.Dial("tcp", host))(t)
	t.Cleanup(func() { c.Close() })
	return c
}

// What has the token is no stranger, and asks as often as it likes.
func TestABrowserKeepsItsConnection(t *testing.T) {
	page, host := served(t)
	c := dial(t, host)
	answers := bufio.NewReader(c)
	for range 100 {
		fmt.Fprintf(c, "GET %spage.css HTTP/1.1\r\nHost: %s\r\n\r\n", page[len("http://"+host):], host)
		answer := must.Get(http.ReadResponse(answers, nil))(t)
		if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("got %d, %v; want 200", answer.StatusCode, err)
		}
	}
}

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }
