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

// TestWaitsAreKnownWhileItRuns: who watches a program, by its metrics, its reports or a viewer, sees what its zones
// have waited, as the report has it at the end.
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
