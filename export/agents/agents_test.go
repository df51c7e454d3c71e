package agents

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/grafana/alloy/syntax/ast"
	"github.com/grafana/alloy/syntax/parser"
	"github.com/grafana/alloy/syntax/vm"
	"gopkg.in/yaml.v3"

	"example.com/iprof"
	"example.com/iprof/debug"
	"example.com/iprof/internal/must"
)

// snippet returns the block of docs/export.md that has a word.
func snippet(t *testing.T, word string) string {
	t.Helper()
	text := must.Get(os.ReadFile("../../docs/export.md"))(t)
	for _, m := range regexp.MustCompile("(?s)```[a-z]*\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(m[1], word) {
			return m[1]
		}
	}
	t.Fatalf("docs/export.md has no block with %q", word)
	return ""
}

// fetched asks a program for the profile at a path, as agents do, and returns it.
func fetched(t *testing.T, path string) *profile.Profile {
	t.Helper()
	mux := http.NewServeMux()
	debug.Register(mux)
	server := httptest.NewServer(mux)
	defer server.Close()
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case <-done:
				return
			default:
				iprof.Begin("work").End()
				iprof.Update()
			}
		}
	}()
	answer := must.Get(http.Get(server.URL + path + "?seconds=1"))(t)
	defer answer.Body.Close()
	p, err := profile.Parse(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", path, answer.StatusCode, err)
	}
	return p
}

func hasWork(t *testing.T, p *profile.Profile) {
	t.Helper()
	for _, f := range p.Function {
		if f.Name == "work" {
			return
		}
	}
	t.Errorf("zone work is not in the profile:\n%v", p)
}

// target is a profile to fetch, in the words of Alloy and Parca. In Alloy the label is its name.
type target struct {
	Name    string `alloy:",label" yaml:"-"`
	Enabled bool   `alloy:"enabled,attr" yaml:"enabled"`
	Path    string `alloy:"path,attr,optional" yaml:"path"`
	Delta   bool   `alloy:"delta,attr,optional" yaml:"delta"`
}

// scrape has the settings of pyroscope.scrape that the snippet uses, after Alloy's reference.
type scrape struct {
	Targets   []map[string]string `alloy:"targets,attr"`
	ForwardTo []string            `alloy:"forward_to,attr"`
	Profiles  struct {
		Memory    off      `alloy:"profile.memory,block,optional"`
		Block     off      `alloy:"profile.block,block,optional"`
		Goroutine off      `alloy:"profile.goroutine,block,optional"`
		Mutex     off      `alloy:"profile.mutex,block,optional"`
		CPU       off      `alloy:"profile.process_cpu,block,optional"`
		Custom    []target `alloy:"profile.custom,block,optional"`
	} `alloy:"profiling_config,block,optional"`
}

type off struct {
	Enabled bool `alloy:"enabled,attr"`
}

// Alloy's own parser and evaluator take the snippet, and the profile that it asks for is there.
func TestAlloyTakesTheSnippet(t *testing.T) {
	file := must.Get(parser.ParseFile("export.md", []byte(snippet(t, "pyroscope.scrape"))))(t)
	block := file.Body[0].(*ast.BlockStmt)
	receiver := map[string]any{"write": map[string]any{"default": map[string]any{"receiver": "a receiver"}}}
	var got scrape
	known := &vm.Scope{Variables: map[string]any{"pyroscope": receiver}}
	must.Do(t, vm.New(block.Body).Evaluate(known, &got))
	if strings.Join(block.Name, ".") != "pyroscope.scrape" || block.Label == "" || len(got.Targets) != 1 ||
		got.Targets[0]["__address__"] == "" || got.Targets[0]["service_name"] == "" {
		t.Errorf("got %v %q: %+v", block.Name, block.Label, got)
	}
	if p := got.Profiles.Custom; len(p) != 1 || !p[0].Enabled || !p[0].Delta || p[0].Name == "" {
		t.Fatalf("got profiles %+v", p)
	}
	hasWork(t, fetched(t, got.Profiles.Custom[0].Path))
}

// The snippet has no setting but those of Parca's configuration, and the profile that it asks for is there.
// Parca itself is not to be had as a module, so its settings are written here once more, after its source.
func TestParcaKnowsTheSettings(t *testing.T) {
	var got struct {
		ScrapeConfigs []struct {
			JobName       string `yaml:"job_name"`
			StaticConfigs []struct {
				Targets []string          `yaml:"targets"`
				Labels  map[string]string `yaml:"labels"`
			} `yaml:"static_configs"`
			Profiling struct {
				Pprof map[string]target `yaml:"pprof_config"`
			} `yaml:"profiling_config"`
		} `yaml:"scrape_configs"`
	}
	d := yaml.NewDecoder(bytes.NewReader([]byte(snippet(t, "profiling_config:"))))
	d.KnownFields(true)
	must.Do(t, d.Decode(&got))
	if len(got.ScrapeConfigs) != 1 {
		t.Fatalf("got %+v", got)
	}
	job := got.ScrapeConfigs[0]
	if job.JobName == "" || len(job.StaticConfigs) != 1 || strings.Contains(job.StaticConfigs[0].Targets[0], "/") {
		t.Fatalf("got %+v", job)
	}
	p := job.Profiling.Pprof["iprof"]
	if !p.Enabled || !p.Delta {
		t.Fatalf("got %+v", p)
	}
	hasWork(t, fetched(t, p.Path))
}
