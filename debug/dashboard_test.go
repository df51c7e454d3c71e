package debug_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/debug"
	"example.com/iprof/internal/must"
	"example.com/iprof/iprofhttp"
	"example.com/iprof/process"
)

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

// TestDashboardAndAlertsUseMetricsThatAreThere: each name is one that the server exports.
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

// TestAlertsFire: a server misses its budget, its frames are slow, and a zone has grown since yesterday.
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
