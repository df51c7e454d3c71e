//go:build !iprof_off

package integration_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/prometheustest"
	"example.com/iprof/internal/xvfbtest"
)

// watched is an example that Prometheus watches. A fault is planted into it: from a signal on a function takes long.
// Examples that serve no metrics do so here, as their user's program would.
type watched struct {
	name     string
	module   string // its folder, "" for the repository's own
	of       string // the package with the file that is changed
	file     string
	old      string // is replaced in the file
	new      string
	run      string // the package that is built, if it is another one
	args     []string
	frame    time.Duration // what a frame may take here; 0 leaves the example's own budget
	requests string        // of a server: is asked again and again. It serves metrics by itself
}

// windowed is the frame budget of a window when several are drawn in software.
const windowed = time.Second / 2

// examples are those that go on until they are ended. cli and wasm are not among them: they end, and have no
// server.
var examples = []watched{
	{name: "hello", of: "examples/hello", file: "main.go", old: "for range 10 {\n\t\tframe()",
		new: "for {\n\t\trest()\n\t\tplanted()\n\t\tframe()", frame: windowed},
	{name: "tickserver", of: "examples/tickserver", file: "main.go", old: "\tw.move()\n\tif",
		new: "\tw.move()\n\tplanted()\n\tif", args: []string{"-ticks", "1000000", "-every", "1s"}},
	{name: "httpserver", of: "examples/httpserver", file: "main.go", old: "defer iprof.Func().End()\n",
		new: "defer iprof.Func().End()\n\tplanted()\n", requests: "/search?q=iprof"},
	{name: "game", of: "examples/game", file: "main.go", old: "\t\tif err := game.Step(",
		new: "\t\tplanted()\n\t\tif err := game.Step(", frame: windowed},
	{name: "why", module: "examples/why", of: ".", file: "main.go", old: "\t\tif err := program.Step(",
		new: "\t\tplanted()\n\t\tif err := program.Step(", frame: windowed},
	{name: "gl21", run: "./gl21"}, {name: "gl33", run: "./gl33"}, {name: "gl41", run: "./gl41"},
	{name: "ebitengine", run: "./ebitengine"},
}

func init() {
	for i := range examples {
		if e := &examples[i]; e.run != "" { // they share their world
			e.module = "examples/hosts"
			e.of = "."
			e.file = "world.go"
			e.frame = windowed
			e.old, e.new = "\tw.orbit()\n", "\tw.orbit()\n\tplanted()\n"
		}
	}
}

// plantedFile serves metrics, and has the function that takes long.
const plantedFile = `package %s

import (
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"example.com/iprof"
	"example.com/iprof/debug"
)

var faulty atomic.Bool

func planted() {
	defer iprof.Begin("planted").End()
	if faulty.Load() {
		time.Sleep(1500 * time.Millisecond)
	}
}

// rest is for programs that would end.
func rest() { time.Sleep(10 * time.Millisecond) }

func init() {
	if frame := time.Duration(%d); frame > 0 {
		iprof.SetFrameBudget(frame)
	}
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGUSR1)
	go func() {
		<-told
		faulty.Store(true)
	}()
	if address := %q; address != "" {
		go func() { fmt.Fprintln(os.Stderr, debug.ListenAndServe(address)) }()
	}
}
`

// broken returns the file with the fault, and the one that has it and serves metrics, by their names.
func (e *watched) broken(t *testing.T, folder, address string) map[string]string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(folder, e.file)))(t)
	good := string(text)
	bad := strings.Replace(good, e.old, e.new, 1)
	if bad == good {
		t.Fatalf("%s has no %q: where is the fault to be?", e.name, e.old)
	}
	_, rest, _ := strings.Cut("\n"+good, "\npackage ")
	name, _, _ := strings.Cut(rest, "\n")
	if e.requests != "" {
		address = "" // it has a server
	}
	return map[string]string{e.file: bad, "planted.go": fmt.Sprintf(plantedFile, name, e.frame, address)}
}

// build returns the program with the fault in it, "" if its libraries are not to be had.
func (e *watched) build(t *testing.T, address string) (program string) {
	t.Helper()
	module := must.Get(filepath.Abs(filepath.Join(root, e.module)))(t)
	download := exec.Command("go", "mod", "download")
	if download.Dir = module; download.Run() != nil {
		t.Logf("SKIPPED: the libraries of %s are not to be had here", e.name)
		return ""
	}
	folder, dir, replaced := filepath.Join(module, e.of), t.TempDir(), map[string]string{}
	write := func(file, text string) string {
		at := filepath.Join(dir, file)
		must.Do(t, os.WriteFile(at, []byte(text), 0o600))
		return at
	}
	for file, text := range e.broken(t, folder, address) {
		replaced[filepath.Join(folder, file)] = write(file, text)
	}
	overlay := must.Get(json.Marshal(map[string]any{"Replace": replaced}))(t)
	program = filepath.Join(dir, "program")
	cmd := exec.Command("go", "build", "-overlay="+write("overlay.json", string(overlay)), "-o", program,
		cmp.Or(e.run, "./"+e.of))
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", e.name, err, out)
	}
	return program
}

// start runs the program until the test ends.
func (e *watched) start(t *testing.T, program, display, address string) *os.Process {
	t.Helper()
	args := e.args
	if e.requests != "" {
		args = []string{"-addr", address}
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+display, "LIBGL_ALWAYS_SOFTWARE=1")
	cmd.Stderr = os.Stderr
	must.Do(t, cmd.Start())
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	return cmd.Process
}

// watchedRules are the shipped rules with ten seconds for five minutes, and 20 for an hour.
func watchedRules(t *testing.T) string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(root, packaged, "alerts.yml")))(t)
	return strings.NewReplacer("[5m]", "[10s]", "[1h] offset 1d", "[20s] offset 40s", "[1h]", "[20s]",
		"for: 10m", "for: 20s", "for: 30m", "for: 10s").Replace(string(text))
}

const packaged = "tools/packaging/prometheus"

// panels are the queries of the dashboard by the titles of their panels, for any job.
func panels(t *testing.T, job string) map[string][]string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(root, packaged, "grafana.json")))(t)
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	must.Do(t, json.Unmarshal(text, &dashboard))
	all := map[string][]string{}
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			query := strings.NewReplacer("$job", job, "$__rate_interval", "20s").Replace(target.Expr)
			all[p.Title] = append(all[p.Title], query)
		}
	}
	return all
}

// watch is the Prometheus of TestSoakWatched.
type watch struct {
	*prometheustest.Server
	addresses map[string]string // by job
}

// rules are those that fire when the fault is on. The frame of a program whose work is on other goroutines is not slow.
func (e *watched) rules() []string {
	switch {
	case e.requests != "":
		return []string{"ZoneGrew", "CallsSlow"}
	}
	return []string{"FramesOverBudget", "FramesSlow", "ZoneGrew"}
}

// isFiring reports whether a rule fires for a job.
func (w *watch) isFiring(job, rule string) bool {
	return w.Has(fmt.Sprintf(`ALERTS{alertstate="firing", job=%q, alertname=%q}`, job, rule))
}

// firing are the alerts that fire, with their jobs. Where the processors draw windows, all zones take longer when the
// machine has other work, which is no fault of the program: of such a program it is the zone of the fault that must not
// have grown.
func (w *watch) firing() (all []string) {
	for _, e := range examples {
		for _, rule := range []string{"FramesOverBudget", "FramesSlow", "ZoneGrew", "CallsSlow"} {
			query := fmt.Sprintf(`ALERTS{alertstate="firing", job=%q, alertname=%q`, e.name, rule)
			if rule == "ZoneGrew" && (e.module != "" || e.name == "game") {
				query += `, zone="planted"`
			}
			if w.addresses[e.name] != "" && w.Has(query+"}") {
				all = append(all, e.name+" "+rule)
			}
		}
	}
	return all
}

// ask has the server of the example work for a second.
func (w *watch) ask() {
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		for _, e := range examples {
			if e.requests == "" || w.addresses[e.name] == "" {
				continue
			}
			if answer, err := http.Get("http://" + w.addresses[e.name] + e.requests); err == nil {
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		}
	}
}

// healthy wants panels that show something, and no frame over budget.
func (w *watch) healthy(t *testing.T, e *watched) {
	all := panels(t, e.name)
	for title, queries := range all {
		for _, query := range queries {
			if !w.Has(query) && (e.requests != "" || !strings.Contains(query, "_call_seconds") &&
				!strings.Contains(query, "iprof_slow_calls")) {
				t.Errorf("the panel %q shows nothing for %s", title, query)
			}
		}
	}
	if over := all[overBudget][0]; w.Has(over + " > 0.01") {
		t.Errorf("%v of the frames are over budget", w.Wait(over, w.ask))
	}
}

// faulty wants each rule to fire, and the panels to show the fault.
func (w *watch) faulty(t *testing.T, e *watched, end time.Time) {
	rules, all := e.rules(), panels(t, e.name)
	for _, rule := range rules {
		for !w.isFiring(e.name, rule) && time.Now().Before(end) {
			w.ask()
		}
		if !w.isFiring(e.name, rule) {
			t.Errorf("%s does not fire", rule)
		}
	}
	const planted = ` and on (zone) iprof_zone_self_seconds_total{zone="planted"}`
	if !w.Has(`topk(1, ` + all[selfTimes][0] + `)` + planted) {
		t.Error("the panel of zones is not led by the fault")
	}
	if rules[0] == "FramesOverBudget" && !w.Has(all[overBudget][0]+" > 0.01") {
		t.Error("the panel of frames over budget has none")
	}
}

// Panels of the dashboard.
const overBudget, selfTimes = "Frames over budget", "Zones, self time in a second"

// TestSoakWatched has a real Prometheus watch each example with the shipped rules and panels, which have seconds for
// their minutes. As long as IPROF_WATCHED says the rules are silent; then each panel shows something. A fault is
// switched on: each rule fires.
func TestSoakWatched(t *testing.T) {
	long, err := time.ParseDuration(os.Getenv("IPROF_WATCHED"))
	if err != nil {
		t.Skip("IPROF_WATCHED=2m runs it: make soak does")
	}
	w, built, programs := watch{addresses: map[string]string{}}, map[string]string{}, []*os.Process{}
	only := os.Getenv("IPROF_EXAMPLES") // some names, or none for all
	for _, e := range examples {
		if only == "" || strings.Contains(only, e.name) {
			address := anAddress(t)
			if built[e.name] = e.build(t, address); built[e.name] != "" {
				w.addresses[e.name] = address
			}
		}
	}
	display := xvfbtest.Start(t)
	for _, e := range examples {
		if built[e.name] != "" {
			programs = append(programs, e.start(t, built[e.name], display, w.addresses[e.name]))
		}
	}
	w.Server = prometheustest.StartJobs(t, w.addresses, watchedRules(t))
	for job := range w.addresses {
		w.Wait(fmt.Sprintf(`iprof_frame_seconds_count{job=%q} > 0`, job), func() { time.Sleep(time.Second / 4) })
	}
	fired := map[string]bool{}
	grown := time.Now().Add(70 * time.Second) // when there is a whole yesterday
	for end := time.Now().Add(long); time.Now().Before(end); w.ask() {
		for _, alert := range w.firing() {
			compares := strings.HasSuffix(alert, " ZoneGrew") || strings.HasSuffix(alert, " CallsSlow")
			if !fired[alert] && (!compares || time.Now().After(grown)) {
				t.Errorf("%s fires before there is a fault", alert)
				fired[alert] = true
			}
		}
	}
	each := func(state string, do func(t *testing.T, e *watched)) {
		for i := range examples {
			if e := &examples[i]; w.addresses[e.name] != "" {
				t.Run(e.name+", "+state, func(t *testing.T) { do(t, e) })
			}
		}
	}
	each("healthy", w.healthy)
	for _, program := range programs {
		must.Do(t, program.Signal(syscall.SIGUSR1))
	}
	end := time.Now().Add(5 * time.Minute)
	each("faulty", func(t *testing.T, e *watched) { w.faulty(t, e, end) })
}

// anAddress is an address of this machine without a listener.
func anAddress(t *testing.T) string {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().String()
}
