package debug_test

import (
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/prometheustest"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// quickRules are the shipped rules with seconds in place of minutes, hours and days.
func quickRules(t *testing.T) string {
	t.Helper()
	text := must.Get(os.ReadFile(packaging + "alerts.yml"))(t)
	return strings.NewReplacer("[5m]", "[5s]", "[1h] offset 1d", "[4s] offset 8s", "[1h]", "[4s]",
		"for: 10m", "for: 2s", "for: 30m", "for: 1s").Replace(string(text))
}

const firing = `ALERTS{alertstate="firing"}`

// TestRulesAreSilentOnAServerThatIsWell: the server among the examples, whose frame is a second, under requests.
func TestRulesAreSilentOnAServerThatIsWell(t *testing.T) {
	t.Parallel() // it waits
	if _, err := exec.LookPath("prometheus"); err != nil || testing.Short() {
		t.Skip("no Prometheus here, or a short run")
	}
	program := filepath.Join(t.TempDir(), "server.exe")
	if out, err := exec.Command("go", "build", "-o", program, "../examples/httpserver").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
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

// TestRulesFireWhenAFaultIsSwitchedOn: a game that is within its budget, and then is not.
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
