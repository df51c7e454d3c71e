package debug_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"example.com/iprof/debug"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/prometheustest"
	"example.com/iprof/internal/world"
	"example.com/iprof/iprofhttp"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// In the format that was asked for.
func TestMetricsCountFromTheFirstRequest(t *testing.T) {
	s, program := played(t)
	h := (&debug.Server{Session: s}).Handler()
	for i, want := range []string{"iprof_frame_seconds_count 0\n", "iprof_frame_seconds_count 10\n"} {
		w := get(h, "GET", "/debug/iprof/metrics")
		kind := w.Header().Get("Content-Type")
		if w.Code != 200 || !strings.HasPrefix(kind, "text/plain; version=0.0.4") ||
			!strings.Contains(w.Body.String(), want) {
			t.Errorf("request %d: got %d, %s; want %s in\n%s", i, w.Code, kind, want, w.Body)
		}
		step(t, program, 10)
	}
	w := get(h, "GET", "/debug/iprof/metrics", "Accept: application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1")
	if kind := w.Header().Get("Content-Type"); !strings.HasPrefix(kind, "application/openmetrics-text") ||
		!strings.HasSuffix(w.Body.String(), "# EOF\n") || !strings.Contains(w.Body.String(), `zone="render_world"`) {
		t.Errorf("got %s\n%s", kind, w.Body)
	}
}

// Where samples show what a zone waits, its profile and its metrics say so.
func TestWaitedTimeOfALiveProgram(t *testing.T) {
	s, program := played(t)
	h := (&debug.Server{Session: s}).Handler()
	get(h, "GET", "/debug/iprof/metrics")
	zone := report.ZoneID(0)
	for id := report.ZoneID(1); zone == 0; id++ {
		if s.Zone(id).Name == "render_world" {
			zone = id
		}
	}
	s.SetSources(func(c *process.Sources) { c.Hot = &report.HotZones{Waited: map[report.ZoneID]float64{zone: 0.5}} })
	step(t, program, 10)
	text := get(h, "GET", "/debug/iprof/metrics").Body.String()
	if n := strings.Count(text, `waited="true"`); n != 1 || !regexp.MustCompile(
		`zone="render_world",function="[^"]*",idle="false",waited="true"} 0\.`).MatchString(text) {
		t.Errorf("%d series of waits; want one of render_world in\n%s", n, text)
	}
	p := must.Get(profile.Parse(get(h, "GET", "/debug/iprof/profile").Body))(t)
	sums := map[bool]int64{}
	for _, x := range p.Sample {
		if x.Location[0].Line[0].Function.Name == "render_world" {
			sums[len(x.Label["waited"]) > 0] += x.Value[1]
		} else if len(x.Label["waited"]) > 0 {
			t.Errorf("%v waited", x.Location[0].Line[0].Function.Name)
		}
	}
	if d := sums[true] - sums[false]; sums[true] == 0 || d < -1000 || d > 1000 {
		t.Errorf("render_world waited %d ns and worked %d; want half each", sums[true], sums[false])
	}
}

func step(t *testing.T, program *world.Game, frames int) {
	t.Helper()
	for range frames {
		must.Do(t, program.Step())
	}
}

func TestAProfileOfTheNextSeconds(t *testing.T) {
	s, program := played(t)
	server := httptest.NewServer((&debug.Server{Session: s}).Handler())
	defer server.Close()
	samples := func(query string, meanwhile func()) int {
		done := make(chan *profile.Profile, 1)
		go func() {
			defer close(done)
			answer, err := http.Get(server.URL + "/debug/iprof/profile" + query)
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			p, err := profile.Parse(answer.Body)
			if err == nil {
				err = p.CheckValid()
			}
			if err != nil {
				t.Error(err)
				return
			}
			done <- p
		}()
		for {
			select {
			case p := <-done:
				if p == nil {
					t.FailNow()
				}
				return len(p.Sample)
			default:
				meanwhile()
			}
		}
	}
	if n := samples("", func() { time.Sleep(time.Millisecond) }); n == 0 {
		t.Error("nothing since start")
	}
	if n := samples("?seconds=1", func() { time.Sleep(time.Millisecond) }); n != 0 {
		t.Errorf("got %d samples of a second in which nothing happened", n)
	}
	if n := samples("?seconds=1", func() { step(t, program, 1) }); n == 0 {
		t.Error("nothing of a second in which much happened")
	}
	for _, seconds := range []string{"0", "-1", "61", "x"} {
		if w := get(server.Config.Handler, "GET", "/debug/iprof/profile?seconds="+seconds); w.Code != 400 {
			t.Errorf("%s seconds: got %d", seconds, w.Code)
		}
	}
}

func TestGoToolPprofFetchesTheProfile(t *testing.T) {
	s, program := played(t)
	server := httptest.NewServer((&debug.Server{Session: s}).Handler())
	defer server.Close()
	cmd := exec.Command("go", "tool", "pprof", "-top", "-seconds=1", server.URL+"/debug/iprof/profile")
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	done := make(chan error, 1)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	go func() { done <- cmd.Run() }()
	for {
		select {
		case err := <-done:
			text := out.String()
			if err != nil || !strings.Contains(text, "decompress") || !strings.Contains(text, "Type: wall") {
				t.Errorf("%v\n%s", err, &out)
			}
			return
		default:
			step(t, program, 1)
		}
	}
}

// A real one answers histogram_quantile, and each query of the dashboard. It answers those of calls in
// TestRulesAreSilentOnAServerThatIsWell.
func TestPrometheusScrapesTheMetrics(t *testing.T) {
	t.Parallel() // it waits
	s, program := played(t)
	server := httptest.NewServer((&debug.Server{Session: s}).Handler())
	defer server.Close()
	prometheus := prometheustest.Start(t, server.Listener.Addr().String())
	queries := []string{
		"histogram_quantile(0.99, sum by (le) (rate(iprof_frame_seconds_bucket[1h]))) > 0",
		`rate(iprof_zone_self_seconds_total{zone="render_world"}[1h]) > 0`, "rate(iprof_zone_calls_total[1h]) > 0",
		"iprof_frame_budget_seconds > 0",
	}
	for _, query := range append(queries, slices.DeleteFunc(dashboardQueries(t), isOfCalls)...) {
		prometheus.Wait(query, func() { step(t, program, 1) })
	}
}

// The first block of YAML in docs/export.md.
func TestPromtoolTakesTheDocumentedConfiguration(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool here; tools/packages check installs it")
	}
	page := must.Get(os.ReadFile("../docs/export.md"))(t)
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	block, _, found := strings.Cut(rest, "```")
	file := filepath.Join(t.TempDir(), "prometheus.yml")
	if err := os.WriteFile(file, []byte(block), 0o600); err != nil || !found {
		t.Fatal(err, found)
	}
	if out, err := exec.Command(promtool, "check", "config", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

const packaging = "../tools/packaging/prometheus/"

// dashboardQueries are the queries of the Grafana dashboard, as Grafana would send them.
func dashboardQueries(t *testing.T) (queries []string) {
	t.Helper()
	text := must.Get(os.ReadFile(packaging + "grafana.json"))(t)
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	must.Do(t, json.Unmarshal(text, &dashboard))
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			queries = append(queries, strings.NewReplacer("$job", ".*", "$__rate_interval", "1h").Replace(target.Expr))
		}
	}
	return queries
}

// isOfCalls reports whether a query is of zones that count their calls. Only the running program has these.
func isOfCalls(query string) bool { return strings.Contains(query, "_call") }

// callMetrics are the metrics of a server that has had some requests.
func callMetrics() string {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders", func(http.ResponseWriter, *http.Request) {})
	server, h, metrics := iprofhttp.Measure(mux), debug.Handler(), ""
	for range 2 { // they count from the first request on
		server.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/orders", nil))
		process.Default().Update()
		metrics = get(h, "GET", "/debug/iprof/metrics").Body.String()
	}
	return metrics
}

// Each name is one that the server exports.
func TestDashboardAndAlertsUseMetricsThatAreThere(t *testing.T) {
	s, program := played(t)
	h := (&debug.Server{Session: s}).Handler()
	get(h, "GET", "/debug/iprof/metrics") // they count from the first request on
	step(t, program, 2)
	metrics := get(h, "GET", "/debug/iprof/metrics").Body.String() + callMetrics()
	rules := must.Get(os.ReadFile(packaging + "alerts.yml"))(t)
	used := regexp.MustCompile(`iprof_\w+`).FindAllString(strings.Join(dashboardQueries(t), "\n")+string(rules), -1)
	if len(used) < 15 {
		t.Errorf("got names %q; want more", used)
	}
	for _, name := range used {
		if !strings.Contains(metrics, "\n"+name+" ") && !strings.Contains(metrics, "\n"+name+"{") {
			t.Errorf("there is no metric %s", name)
		}
	}
}

// A server misses its budget, its frames are slow, and a zone has grown since yesterday.
func TestAlertsFire(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool here; tools/packages check installs it")
	}
	dir := t.TempDir()
	for _, path := range []string{packaging + "alerts.yml", "testdata/alerts_test.yml"} {
		text := must.Get(os.ReadFile(path))(t)
		must.Do(t, os.WriteFile(filepath.Join(dir, filepath.Base(path)), text, 0o600))
	}
	cmd := exec.Command(promtool, "test", "rules", "alerts_test.yml")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// quickRules are the shipped rules with seconds in place of minutes, hours and days.
func quickRules(t *testing.T) string {
	t.Helper()
	text := must.Get(os.ReadFile(packaging + "alerts.yml"))(t)
	return strings.NewReplacer("[5m]", "[5s]", "[1h] offset 1d", "[4s] offset 8s", "[1h]", "[4s]",
		"for: 10m", "for: 2s", "for: 30m", "for: 1s").Replace(string(text))
}

const firing = `ALERTS{alertstate="firing"}`

// The server among the examples, whose frame is a second, under requests.
func TestRulesAreSilentOnAServerThatIsWell(t *testing.T) {
	t.Parallel() // it waits
	if _, err := exec.LookPath("prometheus"); err != nil || testing.Short() {
		t.Skip("no Prometheus here, or a short run")
	}
	program := filepath.Join(t.TempDir(), "server.exe")
	must.Run(t, exec.Command("go", "build", "-o", program, "../examples/httpserver"))
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := l.Addr().String()
	l.Close()
	cmd := exec.Command(program, "-addr", address)
	must.Do(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Kill()
	prometheus := prometheustest.StartWithRules(t, address, quickRules(t))
	request := func() {
		if answer, err := http.Get("http://" + address + "/search?q=iprof"); err == nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
	}
	prometheus.Wait(`iprof_frame_seconds_count > 12`, request)
	for _, state := range []string{"pending", "firing"} {
		if prometheus.Has(`ALERTS{alertname!~"ZoneGrew|CallsSlow",alertstate="` + state + `"}`) {
			t.Errorf("an alert is %s", state)
		}
	}
	for _, query := range dashboardQueries(t) {
		if isOfCalls(query) {
			prometheus.Wait(query, request)
		}
	}
	const first = `topk(1, sum by (zone) (rate(iprof_zone_self_seconds_total{idle="false", zone!="(root)"}[5s])))`
	if !prometheus.Has(first) || prometheus.Has(first+` and on (zone) iprof_zone_self_seconds_total{zone="database"}`) {
		t.Error("the panel of zones has nothing, or is led by what waits")
	}
}

// A game that is within its budget, and then is not.
func TestRulesFireWhenAFaultIsSwitchedOn(t *testing.T) {
	t.Parallel() // it waits
	s := process.NewSession()
	s.SetFrameBudget(16 * time.Millisecond)
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	go func() { _ = (&debug.Server{Session: s}).Serve(l) }()
	var slow, done atomic.Bool
	defer done.Store(true)
	go func() {
		at := platform.Ticks(0)
		for i := uint64(0); !done.Load(); i++ {
			length := platform.Ticks(10e6)
			if slow.Load() {
				length = 60e6
			}
			_ = s.WriteFrame(&gather.Frame{Index: i, Begin: at, End: at + length, TicksPerSecond: 1e9,
				Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "physics"}},
				Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: at, End: at + length,
					Nodes: []gather.Node{{Parent: -1, Self: 1e6}, {ID: 1, Zone: 1, Self: length - 1e6, Count: 1}}}}})
			at += length
			time.Sleep(time.Duration(length))
		}
	}()
	prometheus := prometheustest.StartWithRules(t, l.Addr().String(), quickRules(t))
	began := time.Now()
	prometheus.Wait(`iprof_frame_seconds_count > 0`, func() {})
	for time.Since(began) < 14*time.Second { // until there is a yesterday
		time.Sleep(100 * time.Millisecond)
		if prometheus.Has(firing) {
			t.Fatal("an alert fires before there is a fault")
		}
	}
	slow.Store(true)
	for _, name := range []string{"FramesOverBudget", "FramesSlow", "ZoneGrew"} {
		prometheus.Wait(`ALERTS{alertstate="firing",alertname="`+name+`"}`, func() {})
	}
}
