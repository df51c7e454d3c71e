package export_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// pprofFrameSums reads a profile. It fails if a sample has no frame.
func pprofFrameSums(t *testing.T, b []byte) sums {
	t.Helper()
	p := must.Get(profile.ParseData(b))(t)
	got := sums{}
	for _, s := range p.Sample {
		if len(s.NumLabel["frame"]) != 1 || len(s.Label["lane"]) != 1 {
			t.Fatalf("a sample has the labels %v, %v; want a frame and a lane", s.NumLabel, s.Label)
		}
		got.add(s.Label["lane"][0], s.Location[0].Line[0].Function.Name, s.Value[1], s.Value[0])
	}
	return got
}

// The real consumer shows the frames that a label names, and each frame as a root.
func TestGoToolPprofChoosesFrames(t *testing.T) {
	var b bytes.Buffer
	x := export.NewPprof(&b, "game")
	for index := range uint64(5) {
		f := frame()
		f.Index = index
		f.Lanes[0].Nodes[1].Self += ticks(int(index) * 1e6)
		write(t, x, f)
	}
	must.Do(t, x.Close())
	file := filepath.Join(t.TempDir(), "profile")
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o600))
	for _, test := range []struct{ option, want string }{
		{"-tagfocus=frame=2:3", "11ms"}, {"-tagroot=frame", "7ms"}, {"-tagfocus=lane=main", "25ms"},
	} {
		cmd := exec.Command("go", "tool", "pprof", "-top", "-unit=ms", test.option, file)
		cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), test.want) || !strings.Contains(string(out), "physics") {
			t.Errorf("%s: %v\n%s\nwant physics with %s", test.option, err, out, test.want)
		}
	}
}

// A run of 1.5 million stacks is a profile that opens in seconds. Nothing is lost, and the labels say how many frames a
// sample stands for.
func TestSamplesOfLongRunsStandForSeveralFrames(t *testing.T) {
	longtest.Skip(t)
	const zones, frames, mostSamples = 500, 3000, 1_000_000
	f := gather.Frame{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	nodes := []gather.Node{{Parent: -1}}
	for i := range zones {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: fmt.Sprint("zone ", i)})
		nodes = append(nodes, gather.Node{Zone: gather.ZoneID(i + 1), Self: 1000, Count: 2})
	}
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Nodes: nodes}}
	var b bytes.Buffer
	x := export.NewPprof(&b, "game")
	for i := range frames {
		f.Index, f.Begin, f.End = uint64(i), platform.Ticks(i)*1e6, platform.Ticks(i+1)*1e6
		f.Lanes[0].Begin, f.Lanes[0].End = f.Begin, f.End
		write(t, x, &f)
	}
	must.Do(t, x.Close())
	p := must.Get(profile.ParseData(b.Bytes()))(t)
	if len(p.Sample) > mostSamples {
		t.Errorf("got %d samples; want %d at most", len(p.Sample), mostSamples)
	}
	calls, covered, last := map[string]int64{}, map[string]int64{}, int64(-1)
	for _, s := range p.Sample {
		name, n := s.Location[0].Line[0].Function.Name, int64(1)
		if several := s.NumLabel["frames"]; len(several) > 0 {
			n = several[0]
		}
		if name == "zone 7" {
			if first := s.NumLabel["frame"][0]; first != last+1 {
				t.Fatalf("a sample begins at frame %d; want %d", first, last+1)
			}
			last += n
		}
		calls[name] += s.Value[0]
		covered[name] += n
	}
	for i := range zones {
		if name := fmt.Sprint("zone ", i); calls[name] != 2*frames || covered[name] != frames {
			t.Errorf("%s: got %d calls in %d frames; want %d in %d", name, calls[name], covered[name], 2*frames, frames)
		}
	}
}

// A profile for go tool pprof in which each sample has its frame.
func ExampleNewPprof() {
	var b bytes.Buffer
	x := export.NewPprof(&b, "game") // defer session.AddSink(x)() writes each frame of a session
	fmt.Println(x.WriteFrame(frame()), x.Close())
	p, err := profile.Parse(&b)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range p.Sample {
		fmt.Println(s.Location[0].Line[0].Function.Name, s.Value, s.Label["lane"], s.NumLabel["frame"])
	}
	// Output:
	// <nil> <nil>
	// physics [3 3000000] [main] [7]
	// (root) [0 1000000] [main] [7]
}

// pprofFile writes a profile of so many frames of a game.
func pprofFile(t *testing.T, frames int) string {
	t.Helper()
	s := process.NewSession()
	program := world.NewGame(1, s)
	for range frames {
		must.Do(t, program.Step())
	}
	var b bytes.Buffer
	must.Do(t, export.Pprof(&b, s.Dump(report.DumpOptions{NoFrames: true})))
	file := filepath.Join(t.TempDir(), "profile")
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o600))
	return file
}

// With -diff_base, a profile less itself has no time.
func TestGoToolPprofComparesProfiles(t *testing.T) {
	before, after := pprofFile(t, 20), pprofFile(t, 40)
	top := func(file string) string {
		cmd := exec.Command("go", "tool", "pprof", "-top", "-diff_base", before, file)
		cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
		out := must.Run(t, cmd)
		return string(out)
	}
	if got := top(after); !strings.Contains(got, "render_world") {
		t.Errorf("got\n%s\nwant what twenty more frames took", got)
	}
	if got := top(before); strings.Contains(got, "render_world") {
		t.Errorf("got\n%s\nwant no difference to itself", got)
	}
}

// The page that go tool pprof -http serves has the zones as boxes, in a browser.
func TestGoToolPprofDrawsAFlameGraph(t *testing.T) {
	page := browser.Start(t)
	tool, err := exec.Command("go", "tool", "-n", "pprof").Output() // go tool would leave it running
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(strings.TrimSpace(string(tool)), "-no_browser", "-http=localhost:", pprofFile(t, 40))
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	says := must.Get(cmd.StderrPipe())(t)
	must.Do(t, cmd.Start())
	defer func() { _, _ = cmd.Process.Kill(), cmd.Wait() }()
	lines, at := bufio.NewScanner(says), ""
	for at == "" && lines.Scan() {
		_, at, _ = strings.Cut(lines.Text(), "Serving web UI on ")
	}
	page.Size(1200, 800, "light")
	page.Open(at + "/ui/flamegraph")
	got := page.Text(`[...document.querySelectorAll("#stack-chart .boxtext, #stack-chart .boxsrc")].
		map(b => b.textContent).join("\n")`)
	page.Screenshot(filepath.Join("testdata", "out", "pprof.png"))
	for _, zone := range []string{"(root)", "render_world", "physics_solve"} {
		if !strings.Contains(got, zone) {
			t.Errorf("there is no box of %s among\n%s", zone, got)
		}
	}
	for _, line := range page.Console() {
		t.Errorf("it says %.300s", line)
	}
}

// streamed returns a file of 20 frames with events, of a format that has each frame.
func streamed(t *testing.T, format func(io.Writer, string) *export.Frames) []byte {
	t.Helper()
	var b bytes.Buffer
	s, x := process.NewSession(), format(&b, "game")
	defer s.AddSink(waiting{x})()
	program := world.NewGame(1, s)
	for range 20 {
		must.Do(t, program.Step())
	}
	write(t, x, hand(20)) // with hostile names, and no events
	must.Do(t, x.Close())
	return b.Bytes()
}

// waiting is a sink that says of each frame that the loader waited for main in its first half.
type waiting struct{ *export.Frames }

func (w waiting) WriteFrame(f *gather.Frame) error {
	g := *f
	half := f.Begin + (f.End-f.Begin)/2
	g.States = []gather.LaneState{{Kind: gather.StateMarking, Begin: f.Begin + 1, End: half},
		{Lane: f.Lanes[1].ID, Kind: gather.StateWaiting, Begin: f.Begin, End: half, Reason: "</script>",
			Waker: f.Lanes[0].ID, At: "world.go:88"},
		{Lane: f.Lanes[1].ID, Kind: gather.StateRunning, Begin: half, End: f.End}}
	return w.Frames.WriteFrame(&g)
}

// serve serves a folder and some files on a loopback address.
func serve(t *testing.T, folder string, files map[string][]byte) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(folder)))
	for name, data := range files {
		mux.HandleFunc("/made/"+name, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) })
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// tracePage loads the trace viewer as go tool trace does, and imports a file.
const tracePage = `<!doctype html><script src="/webcomponents.min.js"></script>
<link rel="import" href="/trace_viewer_full.html"><script>
const ready = new Promise(done => document.addEventListener("WebComponentsReady", done));
const said = ready.then(() => fetch("/made/trace.json")).then(r => r.text()).then(text => {
	const model = new tr.Model();
	return new tr.importer.Import(model).importTracesWithProgressDialog([text]).then(() => {
		let slices = 0, counters = 0;
		const threads = model.getAllThreads();
		for (const t of threads) slices += t.sliceGroup.length;
		for (const p of model.getAllProcesses()) counters += Object.keys(p.counters).length;
		return ["warnings=" + model.importWarnings.map(w => w.message), "processes=" + model.getAllProcesses().length,
			"threads=" + threads.map(t => t.name).sort(), "counters=" + counters, "slices=" + slices,
			"arrows=" + model.flowEvents.filter(f => f.startSlice && f.endSlice).length].join("\n");
	});
});
</script>`

// The viewer of chrome://tracing, which Go has, opens the file without a warning.
func TestTraceViewerOpensChrome(t *testing.T) {
	longtest.Skip(t)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	folder := filepath.Join(strings.TrimSpace(string(root)), "src/internal/trace/traceviewer/static")
	if _, there := os.Stat(filepath.Join(folder, "trace_viewer_full.html")); err != nil || there != nil {
		t.Skipf("SKIPPED: this Go has no trace viewer: %v, %v", err, there)
	}
	page, file := browser.Start(t), streamed(t, export.NewChrome)
	files := map[string][]byte{"page.html": []byte(tracePage), "trace.json": file}
	page.Open(serve(t, folder, files) + "/made/page.html")
	slices := strings.Count(string(file), `"ph":"X"`)
	want := fmt.Sprintf("warnings=\nprocesses=1\nthreads=+two,collector marking,frames,"+
		"loader,main,states of loader\ncounters=2\nslices=%d\narrows=20", slices)
	if got := page.Text("said"); got != want || slices < 1000 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Speedscope opens files of Chrome's format, of pprof, and folded stacks.
func TestSpeedscopeOpensAll(t *testing.T) {
	folder := os.Getenv("IPROF_SPEEDSCOPE")
	if folder == "" {
		t.Skip("SKIPPED: IPROF_SPEEDSCOPE is not the folder dist/release of the npm package speedscope")
	}
	s := process.NewSession()
	program := world.NewGame(1, s)
	for range 20 {
		must.Do(t, program.Step())
	}
	d := s.Dump(report.DumpOptions{NoFrames: true})
	sums := func(write func(io.Writer, *report.Dump) error) []byte {
		var b bytes.Buffer
		must.Do(t, write(&b, d))
		return b.Bytes()
	}
	files := map[string][]byte{
		"chrome.json": streamed(t, export.NewChrome), "stacks.txt": sums(export.Folded),
		"game.pb.gz": sums(export.Pprof),
	}
	home := serve(t, folder, files)
	for name := range files {
		t.Run(name, func(t *testing.T) {
			page := browser.Start(t)
			page.Size(1200, 800, "light")
			page.Open(home + "/#profileURL=" + url.QueryEscape(home+"/made/"+name) + "&title=" + name)
			got := page.Text(`new Promise(done => { const look = () => {
				const text = document.body.innerText;
				const opened = /Left Heavy/.test(text) && document.querySelector("canvas");
				if (opened || /wrong|Unrecognized|error/i.test(text)) done(text);
				else setTimeout(look, 20);
			}; look(); })`)
			page.Screenshot(filepath.Join("testdata", "out", name+".png"))
			if !strings.Contains(got, "Left Heavy") || !strings.Contains(got, name) {
				t.Errorf("got %q", got)
			}
			for _, line := range page.Console() {
				// Of Chrome's format it adds begin and length in floating point, and then warns of slices that touch.
				if strings.HasPrefix(line, "Runtime.exceptionThrown") || name != "chrome.json" &&
					strings.HasPrefix(line, `Runtime.consoleAPICalled {"type":"warning"`) {
					t.Errorf("it says %.300s", line)
				}
			}
		})
	}
}
