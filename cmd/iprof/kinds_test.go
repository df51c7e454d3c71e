package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// ticking writes a capture of frames of one length, in ms. Their work is a zone of a name.
func ticking(t *testing.T, zone string, ms int, budget time.Duration, driven bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.iprof")
	out := must.Get(os.Create(path))(t)
	w := framefile.NewWriter(out, framefile.Info{Program: "program"})
	length := platform.Ticks(ms) * 1e6
	for i := range platform.Ticks(40) {
		f := &gather.Frame{Index: uint64(i), Begin: i * length, End: (i + 1) * length, TicksPerSecond: 1e9,
			EventDriven: driven, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: zone}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: i * length, End: (i + 1) * length,
				Nodes: []gather.Node{{Parent: -1, Self: length / 10}, {ID: 1, Zone: 1, Self: length - length/10,
					Count: 3}}}}}
		must.Do(t, w.WriteJudged(f, &process.Judged{Budget: budget}))
	}
	must.Do(t, w.Close())
	must.Do(t, out.Close())
	return path
}

// jsonKind returns the kind that iprof top -json writes of a file.
func jsonKind(t *testing.T, path string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "top.json")
	must.Do(t, command("top -json -o "+out, path))
	var file asjson.File
	must.Do(t, json.Unmarshal(readFile(t, out), &file))
	return file.Kind
}

// A file is shown as what it is: only a game has a rate of frames and a budget, in the report and on the page.
func TestEachKindOfFileHasItsOwnWords(t *testing.T) {
	written := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	const usual, hour = 0, report.NoBudget
	const begin = `[{"ph":"X","name":"load","ts":0,"dur":90000}`
	const frame = `,{"ph":"X","name":"frame","ts":%d,"dur":20000}`
	for name, test := range map[string]struct {
		path string
		kind report.Kind
	}{
		"game":            {ticking(t, "step", 20, usual, false), report.KindGame},
		"game, slow":      {ticking(t, "step", 700, time.Second/30, false), report.KindGame},
		"form":            {ticking(t, "click", 3000, usual, true), report.KindGame},
		"game with pages": {ticking(t, "GET /stats", 16, usual, false), report.KindGame},
		"server":          {ticking(t, "GET /orders/{id}", 1000, usual, true), report.KindServer},
		"server, run":     {ticking(t, "POST /", 100, hour, false), report.KindServer},
		"command, run":    {ticking(t, "main", 100, hour, false), report.KindCommand},
		"command":         {ticking(t, "main", 2000, usual, false), report.KindCommand},
		"folded":          {written("cpu.folded", "main;frame 3000000000\nmain;rank 2000000000\n"), report.KindProfile},
		"trace":           {written("trace.json", begin+"]"), report.KindTrace},
		"trace, frames":   {written("trace.json", begin+fmt.Sprintf(frame+frame+"]", 0, 40000)), report.KindGame},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := open(test.path)
			if err != nil {
				t.Fatal(err)
			}
			defer c.close()
			info := c.Session.View().Info()
			frames := test.kind == report.KindGame
			if info.Kind != test.kind || (info.FPS > 0) != frames || (info.Budget > 0) != frames ||
				info.Over && !frames {
				t.Errorf("got %v, %.1f fps, budget %v, over %v; want %v", info.Kind, info.FPS, info.Budget, info.Over,
					test.kind)
			}
			if got := jsonKind(t, test.path); got != test.kind.String() {
				t.Errorf("top -json: got kind %q; want %v", got, test.kind)
			}
			words := map[string]string{"top": `\bframes\b|\bframe \d|\bfps|average of|, over `,
				"html": `\bfps\b[^-]|>frames<`}
			for verb, odd := range words {
				out := filepath.Join(t.TempDir(), "out")
				if err := command(verb+" -o "+out, test.path); err != nil {
					t.Fatal(err)
				}
				text := string(readFile(t, out))
				if at := regexp.MustCompile(odd).FindString(text); (at == "") == frames {
					t.Errorf("%s: got words on frames %q; want %v", verb, at, frames)
				}
				if !frames && !strings.Contains(text, fmt.Sprint(test.kind)) {
					t.Errorf("%s: want the word %v", verb, test.kind)
				}
			}
		})
	}
}

// iprof top names the command that shows the slow call behind a p99.
func TestTopLeadsToASlowCall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "orders.iprof")
	out := must.Get(os.Create(path))(t)
	w := framefile.NewWriter(out, framefile.Info{Program: "orders"})
	for i := range platform.Ticks(10) {
		f := &gather.Frame{Index: uint64(i), Begin: i * 1e9, End: (i + 1) * 1e9, TicksPerSecond: 1e9, EventDriven: true,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "GET /orders"}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Begin: i * 1e9, End: (i + 1) * 1e9,
				Nodes: []gather.Node{{Parent: -1, Self: 9e8}, {ID: 1, Zone: 1, Self: 1e8, Count: 3}}}}}
		if i == 4 || i == 7 {
			f.SlowCalls = []gather.SlowCall{{Zone: 1, Lane: 1, Begin: f.Begin, End: f.Begin + i*1e7, Usual: 1e6}}
		}
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, w.Close())
	must.Do(t, out.Close())
	text, code := shows(t, "top", path)
	if want := "orders.iprof#frame=7&zone=GET%20/orders'"; code != 0 || strings.Count(text, want) != 1 {
		t.Errorf("status %d: got no %q in\n%s", code, want, text)
	}
}
