package debug_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"example.com/iprof/debug"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/prometheustest"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process/report"
)

// TestMetricsCountFromTheFirstRequest: in the format that was asked for.
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

// TestWaitedTimeOfALiveProgram: where samples show what a zone waits, its profile and its metrics say so.
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
	s.SetHotZones(&report.HotZones{Waited: map[report.ZoneID]float64{zone: 0.5}})
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

func step(t *testing.T, program *replay.Replay, frames int) {
	t.Helper()
	for range frames {
		must.Do(t, program.Step())
	}
}

// TestAProfileOfTheNextSeconds: it has what happens meanwhile and nothing else.
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

// TestGoToolPprofFetchesTheProfile: as a user would.
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

// TestPrometheusScrapesTheMetrics: a real one answers histogram_quantile, and each query of the dashboard. It answers
// those of calls in TestRulesAreSilentOnAServerThatIsWell.
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

// TestPromtoolTakesTheDocumentedConfiguration: the first block of YAML in docs/export.md.
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
