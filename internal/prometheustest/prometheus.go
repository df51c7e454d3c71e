// Package prometheustest runs a real Prometheus for tests.
package prometheustest

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// Server is a Prometheus that runs until the end of the test. It is for one goroutine at a time.
type Server struct {
	t       testing.TB
	address string
}

// Start starts a Prometheus that scrapes /debug/iprof/metrics of a program four times a second. Without Prometheus, and
// in short runs, it skips the test.
func Start(t testing.TB, program string) *Server {
	t.Helper()
	return StartWithRules(t, program, "groups: []\n")
}

// StartWithRules is Start with alert rules, which are evaluated twice a second.
func StartWithRules(t testing.TB, program, rules string) *Server {
	t.Helper()
	return StartJobs(t, map[string]string{"game": program}, rules)
}

// StartJobs is StartWithRules for several programs: the address of each, by its job.
func StartJobs(t testing.TB, programs map[string]string, rules string) *Server {
	t.Helper()
	path, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("SKIPPED: no Prometheus here; tools/packages check installs it")
	}
	if testing.Short() {
		t.Skip("takes seconds")
	}
	s := &Server{t: t, address: freeAddress(t)}
	dir := t.TempDir()
	alerts := filepath.Join(dir, "rules.yml")
	if err := os.WriteFile(alerts, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	config := "global: {evaluation_interval: 500ms}\nrule_files: [rules.yml]\nscrape_configs:\n"
	for job, program := range programs {
		config += fmt.Sprintf("  - {job_name: %q, metrics_path: /debug/iprof/metrics, scrape_interval: 250ms, "+
			"scrape_timeout: 250ms, static_configs: [{targets: [%q]}]}\n", job, program)
	}
	file := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--config.file="+file, "--storage.tsdb.path="+dir, "--web.listen-address="+s.address)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	return s
}

// Wait waits until a query has a result, and calls meanwhile again and again. The test's own limit ends the wait. It
// returns the value of the first series.
func (s *Server) Wait(query string, meanwhile func()) float64 {
	for {
		if v, has := s.ask(query); has {
			return v
		}
		meanwhile()
		time.Sleep(10 * time.Millisecond)
	}
}

// Has reports whether a query has a result now.
func (s *Server) Has(query string) bool {
	_, has := s.ask(query)
	return has
}

// ask returns the value of a query's first series. has is false while Prometheus does not answer.
func (s *Server) ask(query string) (value float64, has bool) {
	answer, err := http.Get("http://" + s.address + "/api/v1/query?query=" + url.QueryEscape(query))
	if err != nil {
		return 0, false
	}
	defer answer.Body.Close()
	var result struct {
		Data struct{ Result []struct{ Value [2]any } }
	}
	if json.NewDecoder(answer.Body).Decode(&result) != nil || len(result.Data.Result) == 0 {
		return 0, false
	}
	text, _ := result.Data.Result[0].Value[1].(string)
	value, err = strconv.ParseFloat(text, 64)
	return value, err == nil
}

func freeAddress(t testing.TB) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
