package instrument_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// shopOfRouters has handlers of each router, literals and middlewares among them. The routers are stubs.
const shopOfRouters = `package main

import (
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/labstack/echo/v4"
)

func item(c *gin.Context) { _ = c.Request }

func list(c echo.Context) error { return nil }

func logged(c echo.Context) error { return list(c) }

func served(w http.ResponseWriter, r *http.Request) { _ = chi.NewRouter }

func around(w http.ResponseWriter, r *http.Request) {
	r.Pattern = "GET /plain/{id}"
	served(w, r)
}

func group(w http.ResponseWriter, r *http.Request) {
	chi.Known = "/api/users/{id}"
	served(w, r)
}

func main() {
	w := httptest.NewRecorder()
	literal := func(c *gin.Context) { item(c) }
	for range 3 {
		literal(&gin.Context{Request: httptest.NewRequest("POST", "/", nil), Path: "/gin/:id"})
		_ = logged(echo.Of(httptest.NewRequest("GET", "/", nil), "/echo/:id"))
		around(w, httptest.NewRequest("GET", "/", nil))
		chi.Known = "/api/*"
		group(w, httptest.NewRequest("PUT", "/", nil))
		chi.Known = ""
	}
}
`

// stubOfRouters has the parts of routers that the program uses.
var stubOfRouters = map[string]string{
	"gin/gin.go": `package gin

import "net/http"

type Context struct {
	Request *http.Request
	Path    string
}

func (c *Context) FullPath() string { return c.Path }
`,
	"echo/echo.go": `package echo

import "net/http"

type Context interface {
	Request() *http.Request
	Path() string
}

type context struct {
	r *http.Request
	p string
}

func (c *context) Request() *http.Request { return c.r }

func (c *context) Path() string { return c.p }

func Of(r *http.Request, p string) Context { return &context{r, p} }
`,
	"chi/chi.go": `package chi

import "context"

var Known string

type Context struct{}

func (*Context) RoutePattern() string { return Known }

func NewRouter() {}

func RouteContext(context.Context) *Context { return nil }
`,
}

// With -frame routes each request of net/http, gin, echo and chi has the row of its route, once.
func TestRoutesOfRouters(t *testing.T) {
	offline(t)
	text := map[string]string{"user/main.go": shopOfRouters, "user/go.mod": "module example.org/user\n\ngo 1.25\n"}
	for folder, path := range map[string]string{"gin": "github.com/gin-gonic/gin", "chi": "github.com/go-chi/chi/v5",
		"echo": "github.com/labstack/echo/v4"} {
		version := "v1.0.0"
		if at := strings.LastIndex(path, "/v"); at > 0 {
			version = path[at+1:] + ".0.0"
		}
		text["user/go.mod"] += "\nrequire " + path + " " + version + "\n\nreplace " + path + " => ../" + folder + "\n"
		text[folder+"/go.mod"] = "module " + path + "\n\ngo 1.25\n"
	}
	for name, stub := range stubOfRouters {
		text[name] = stub
	}
	user := filepath.Join(files(t, text), "user")
	plan := planned(t, user, instrument.Options{Frames: instrument.Frames{Routes: true}})
	if len(plan.Requests) != 7 || len(plan.Frames) != 0 {
		t.Errorf("requests %q, frames %q; want 7 and none", plan.Requests, plan.Frames)
	}
	if testing.Short() {
		texts := readBy(t, user, plan)
		for call, want := range map[string]int{"iprofAuto.Served": 3, "iprofAuto.Request": 4, "chi.RouteContext": 3} {
			if got := strings.Count(texts, call+"("); got != want {
				t.Errorf("got %d calls of %s; want %d", got, call, want)
			}
		}
		return
	}
	report := reported(t, filepath.Join(built(t, user, plan), "user"))
	for _, route := range []string{"POST /gin/:id", "GET /echo/:id", "GET /plain/{id}", "PUT /api/users/{id}"} {
		want := `(?m)^ *3 +\d+\.\d+ +\d+\.\d+ +"` + regexp.QuoteMeta(route) + `"$`
		if !regexp.MustCompile(want).MatchString(report) {
			t.Errorf("the report has no 3 requests of %s:\n%s", route, report)
		}
	}
	if strings.Contains(report, `"PUT /api/*"`) {
		t.Errorf("the report has the part of a route that a router around knows:\n%s", report)
	}
}

func TestRoutesOfAProgramWithoutHandlers(t *testing.T) {
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n",
		"main.go": "package main\n\nimport \"context\"\n\nfunc of(c context.Context) {}\n\nfunc main() { of(nil) }\n"})
	o := instrument.Options{Dir: dir, Packages: []string{"."}, Cache: t.TempDir(),
		Frames: instrument.Frames{Routes: true}}
	if _, err := o.Plan(); err == nil || !strings.Contains(err.Error(), "no handler of net/http, gin, chi or echo") {
		t.Errorf("got %v; want an error that says what is missing", err)
	}
}

const serverWithoutRouter = `package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
)

type shop struct{}

func (shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/a":
		fmt.Fprintln(w, "a")
	default:
		http.NotFound(w, r)
	}
}

func logged(h http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), "k", 1)))
	}
}

func known(w http.ResponseWriter, r *http.Request) {}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /known/{name}", known)
	mux.Handle("GET /elsewhere", http.NotFoundHandler())
	send := func(h http.Handler, path string) {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	for i := range 3 {
		send(logged(logged(shop{})), "/a")
		send(shop{}, fmt.Sprint("/items/", i, "/of/0123456789abcdef01"))
		send(logged(mux), "/known/a")
		send(logged(mux), "/elsewhere")
	}
}
`

// -frame routes has a row by method and path of what a handler answers by itself, once for each request. Where a router
// is inside, its route counts.
func TestRequestsWithoutARouter(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": serverWithoutRouter})
	plan := planned(t, dir, instrument.Options{Frames: instrument.Frames{Routes: true}})
	report := reported(t, filepath.Join(built(t, dir, plan), "user"))
	var got []string
	row := regexp.MustCompile(`(?m)^ *(\d+) +\d+\.\d+ +\d+\.\d+ +(".*")$`)
	for _, m := range row.FindAllStringSubmatch(report, -1) {
		got = append(got, m[1]+" "+m[2])
	}
	want := `3 "GET /a", 3 "GET /elsewhere", 3 "GET /items/{id}/of/{id}", 3 "GET /known/{name}"`
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("got %s; want %s:\n%s", all, want, report)
	}
}

// waitingProgram waits for its input in a function that is no idle zone, and works now and then beside it.
const waitingProgram = `package main

import (
	"os"
	"time"
)

func work(x int) int {
	for i := range 1_000_000 {
		x = x*31 + i
	}
	for x%7 == 1 {
		x++
	}
	return x
}

func hold(in *os.File) error {
	var text [1]byte
	n, err := in.Read(text[:])
	if n > 0 {
		os.Exit(2)
	}
	if err != nil {
		os.Exit(0)
	}
	return err
}

func main() {
	go func() {
		for x := 1; ; {
			x = work(x)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	if err := hold(os.Stdin); err != nil {
		os.Exit(1)
	}
}
`

// Who watches a program, by its metrics, its reports or a viewer, sees what its zones have waited, as the report has it
// at the end.
func TestWaitsAreKnownWhileItRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": waitingProgram})
	options := instrument.Options{Imports: []string{"example.com/iprof/auto/serve"}, Selection: everything}
	program := filepath.Join(built(t, dir, planned(t, dir, options)), "user")
	url := serving(t, program)
	metrics := regexp.MustCompile(`iprof_zone_self_seconds_total{zone="hold",.*idle="false",waited="true"} `)
	top := regexp.MustCompile(`waited[^\n]*\n(?:.*\n)*.*\bhold\b`)
	for path, want := range map[string]*regexp.Regexp{"metrics": metrics, "report": top} {
		text, deadline := "", time.Now().Add(5*time.Minute)
		for !want.MatchString(text) {
			if time.Now().After(deadline) {
				t.Fatalf("%s has no waits of hold:\n%s", path, text)
			}
			time.Sleep(50 * time.Millisecond)
			text = answer(t, url+path)
		}
	}
	if share := streamed(t, url+"live"); share < 0.5 || share > 1 {
		t.Errorf("a viewer sees that hold waited for %v of its time; want nearly all of it", share)
	}
}

// serving runs a program that serves what is measured of it until the test ends. It returns the address of its page.
func serving(t *testing.T, program string) (url string) {
	t.Helper()
	cmd := exec.Command(program)
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd.Env = append(os.Environ(), `IPROF_RUN={"Mute":true,"Lines":true,"Listen":"127.0.0.1:0","Record":`+
		strconv.Quote(record)+`}`)
	in := must.Get(cmd.StdinPipe())(t)
	log := must.Get(cmd.StderrPipe())(t)
	must.Do(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the program ended with %v", err)
		}
	})
	line, err := bufio.NewReader(log).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "iprof: ")
	if err != nil || !ok {
		t.Fatalf("got %q, %v; want the page's address", line, err)
	}
	return url
}

func answer(t *testing.T, url string) string {
	t.Helper()
	got := must.Get(http.Get(url))(t)
	defer got.Body.Close()
	text := must.Get(io.ReadAll(got.Body))(t)
	return string(text)
}

// streamed returns the share of its time that hold waited, as a viewer of the live stream learns it.
func streamed(t *testing.T, url string) float64 {
	t.Helper()
	got := must.Get(http.Get(url))(t)
	defer got.Body.Close()
	r := must.Get(framefile.NewReader(got.Body))(t)
	s := process.NewSession()
	for {
		var f gather.Frame
		must.Do(t, r.Next(&f))
		must.Do(t, s.WriteFrame(&f))
		h := r.Hot()
		for id := report.ZoneID(1); h != nil && s.Zone(id).Name != ""; id++ {
			if s.Zone(id).Name == "hold" && h.Waited[id] > 0 {
				return h.Waited[id]
			}
		}
	}
}
