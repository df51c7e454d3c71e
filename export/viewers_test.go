package export_test

import (
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

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// streamed returns a file of 20 frames with events, of a format that has each frame.
func streamed(t *testing.T, format func(io.Writer, string) *export.Frames) []byte {
	t.Helper()
	var b bytes.Buffer
	s, x := process.NewSession(), format(&b, "game")
	defer s.AddSink(waiting{x})()
	program := replay.New(1, s)
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

// TestTraceViewerOpensChrome: the viewer of chrome://tracing, which Go has, opens the file without a warning.
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

// TestSpeedscopeOpensAll: speedscope opens files of Chrome's format, of pprof, and folded stacks.
func TestSpeedscopeOpensAll(t *testing.T) {
	folder := os.Getenv("IPROF_SPEEDSCOPE")
	if folder == "" {
		t.Skip("SKIPPED: IPROF_SPEEDSCOPE is not the folder dist/release of the npm package speedscope")
	}
	s := process.NewSession()
	program := replay.New(1, s)
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
