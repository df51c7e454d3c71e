package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// captured writes a capture of a program with zones of so many ticks each, a microsecond a tick. The times sway from
// frame to frame by a tenth, in an order that the seed decides.
func captured(t *testing.T, seed uint32, frames int, zones ...zoneTime) string {
	t.Helper()
	return capturedAs(t, seed, frames, func(*gather.ZoneInfo) {}, zones...)
}

// capturedAs is captured with a function that changes the zones.
func capturedAs(t *testing.T, seed uint32, frames int, as func(*gather.ZoneInfo), zones ...zoneTime) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), fmt.Sprint(seed, ".iprof"))
	var file bytes.Buffer
	w := framefile.NewWriter(&file, framefile.Info{})
	f := gather.Frame{TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	nodes := []gather.Node{{Parent: -1, Open: true}}
	for i, z := range zones {
		info := gather.ZoneInfo{Name: z.name, Function: "f", Line: i + int(seed), Idle: z.name == "wait"}
		as(&info)
		f.Zones = append(f.Zones, info)
		nodes = append(nodes, gather.Node{ID: gather.NodeID(i + 1), Zone: gather.ZoneID(i + 1), Count: 1})
	}
	for range frames {
		f.Index, f.Begin = f.Index+1, f.End
		for i, z := range zones {
			seed = seed*1664525 + 1013904223
			nodes[i+1].Self = platform.Ticks(z.ticks*0.95 + z.ticks*0.1*float64(seed>>16)/65536)
			f.End += nodes[i+1].Self
		}
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: f.Begin, End: f.End, Nodes: nodes}}
		must.Do(t, w.WriteFrame(&f))
	}
	must.Do(t, os.WriteFile(path, file.Bytes(), 0o600))
	return path
}

type zoneTime struct {
	name  string
	ticks float64
}

func TestDiffFindsWhatBecameSlower(t *testing.T) {
	before := captured(t, 1, 500, zoneTime{"walls", 3000}, zoneTime{"sprites", 5000}, zoneTime{"pose", 1000},
		zoneTime{"wait", 7000}, zoneTime{"fog", 20})
	after := captured(t, 2, 300, zoneTime{"wait", 20_000}, zoneTime{"pose", 500}, zoneTime{"walls", 3900},
		zoneTime{"sky", 200}, zoneTime{"sprites", 5100})
	d := must.Get(compare(before, after, 5))(t)
	got := map[string]string{}
	for _, c := range d.Changes {
		got[c.Name] = fmt.Sprintf("%s %.1f %.1f", c.Verdict, c.Before, c.After)
	}
	for name, want := range map[string]string{"(frame, busy)": "slower 9.0 9.7", "walls": "slower 3.0 3.9",
		"pose": "faster 1.0 0.5", "sprites": "same 5.0 5.1", "sky": "new 0.0 0.2", "fog": "gone 0.0 0.0",
		"wait": ""} {
		if got[name] != want {
			t.Errorf("%s: got %q; want %q", name, got[name], want)
		}
	}
	if d.Slower != 2 || d.Changes[1].Name != "walls" {
		t.Errorf("got %d slower, the largest is %s", d.Slower, d.Changes[1].Name)
	}
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		if err := (&form{json: asJSON}).write(&out, d); err != nil || !strings.Contains(out.String(), "walls") ||
			asJSON != json.Valid(out.Bytes()) {
			t.Errorf("got %v\n%s", err, &out)
		}
	}
}

// In one function they are compared in the order of their lines.
func TestDiffTellsZonesOfOneNameApart(t *testing.T) {
	d := must.Get(compare(captured(t, 1, 100, zoneTime{"walls", 1000}, zoneTime{"walls", 2000}),
		captured(t, 2, 100, zoneTime{"walls", 1000}, zoneTime{"walls", 3000}), 5))(t)
	got := ""
	for _, c := range d.Changes {
		got += fmt.Sprintf("%s %.1f %.1f, ", c.Name, c.Before, c.After)
	}
	if want := "(frame, busy) 3.0 4.0, walls 2.0 3.0, walls 1.0 1.0, (root) 0.0 0.0, "; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// publicIn makes zones public, entered first by a function.
func publicIn(function string) func(*gather.ZoneInfo) {
	return func(z *gather.ZoneInfo) { z.Public, z.Function = true, function }
}

func TestDiffKnowsPublicZonesByTheirVariables(t *testing.T) {
	before := capturedAs(t, 1, 100, publicIn("main.a"), zoneTime{"query", 2000}, zoneTime{"load", 500})
	for _, first := range []string{"main.b", "main.(*db).c", "example.com/db.Query"} {
		after := capturedAs(t, 2, 100, publicIn(first), zoneTime{"load", 500}, zoneTime{"query", 7000})
		d := must.Get(compare(before, after, 5))(t)
		if c := d.Changes[1]; d.Slower != 2 || c.Name != "query" || c.Verdict != "slower" || len(d.Changes) != 4 {
			t.Errorf("first in %s: got %+v; want query slower", first, d.Changes)
		}
	}
	// Two variables of one name are told apart by their packages.
	inTwo := func(z *gather.ZoneInfo) {
		if publicIn("main.a")(z); z.Line%2 == 0 {
			z.Function = "example.com/db.Query"
		}
	}
	d := must.Get(compare(capturedAs(t, 1, 100, inTwo, zoneTime{"query", 2000}, zoneTime{"query", 1000}),
		capturedAs(t, 1, 100, inTwo, zoneTime{"query", 2000}, zoneTime{"query", 3000}), 5))(t)
	if len(d.Changes) != 4 || d.Changes[1].Before > 1.1 || d.Changes[2].Verdict != "same" {
		t.Errorf("two variables: got %+v", d.Changes)
	}
}

// 0 for the same program, 1 for a slower one, 2 for trouble.
func TestDiffStatuses(t *testing.T) {
	a := captured(t, 1, 500, zoneTime{"walls", 3000})
	for name, test := range map[string]struct {
		args []string
		want int
	}{
		"same":       {[]string{a, captured(t, 9, 400, zoneTime{"walls", 3000})}, 0},
		"slower":     {[]string{a, captured(t, 9, 400, zoneTime{"walls", 4000})}, 1},
		"percent":    {[]string{"-percent", "50", a, captured(t, 9, 400, zoneTime{"walls", 4000})}, 0},
		"faster":     {[]string{a, captured(t, 9, 400, zoneTime{"walls", 2000})}, 0},
		"few":        {[]string{a, captured(t, 9, 9, zoneTime{"walls", 4000})}, 2},
		"one":        {[]string{a}, 2},
		"no file":    {[]string{a, a + "x"}, 2},
		"no capture": {[]string{"diff.go", a}, 2},
	} {
		if got := diff(test.args); got != test.want {
			t.Errorf("%s: got status %d; want %d", name, got, test.want)
		}
	}
}

// profiled writes a profile of two zones that took so many ms in the given time.
func profiled(t *testing.T, name string, took time.Duration, physics, draw float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	d := &report.Dump{Program: "test", RunTime: took,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "physics\x1b[2J", File: "/a/b.go"}, {Name: "draw"}},
		Lanes: []report.LaneTree{{ID: 1, Name: "main", Nodes: []report.TreeNode{{Parent: -1, Self: 1},
			{Zone: 1, Self: physics, Count: 3}, {Zone: 2, Parent: 1, Self: draw, Count: 1}}}}}
	must.Do(t, export.Pprof(file, d))
	return path
}

// Times are for a second, so a profile that took twice as long is the same with twice the times.
func TestDiffOfProfiles(t *testing.T) {
	before, after := profiled(t, "before", time.Second, 100, 50), profiled(t, "after", 2*time.Second, 240, 100)
	var b strings.Builder
	slower, err := writeDiff(&b, before, after, 5, new(form))
	if err != nil || slower != 2 {
		t.Fatalf("got %d slower, %v in\n%s", slower, err, &b)
	}
	lines := strings.Split(b.String(), "\n")
	if !strings.Contains(lines[0], "self ms a second") || !strings.HasPrefix(strings.TrimSpace(lines[1]), "151.000") ||
		!strings.Contains(lines[2], "100.000    120.000    +20.000") || !strings.Contains(lines[2], "physics") ||
		strings.Contains(b.String(), "draw") || strings.Contains(b.String(), "\x1b") {
		t.Errorf("got\n%s", &b)
	}
	if slower, err := writeDiff(&b, before, before, 5, &form{json: true}); err != nil || slower != 0 {
		t.Errorf("with itself: got %d slower, %v", slower, err)
	}
	if _, err := writeDiff(&b, before, recorded(t), 5, new(form)); err == nil {
		t.Error("a profile with a capture: no error")
	}
}

// Of those without times it says so, and damaged ones are errors.
func TestDiffOfGosProfiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "heap")
	file := must.Get(os.Create(path))(t)
	must.Do(t, pprof.WriteHeapProfile(file))
	file.Close()
	if _, err := compare(path, path, 5); err == nil || !strings.Contains(err.Error(), "no times") {
		t.Errorf("a heap profile: got %v", err)
	}
	whole := readFile(t, profiled(t, "whole", time.Second, 100, 50))
	for cut := 2; cut < len(whole); cut += 7 {
		must.Do(t, os.WriteFile(path, whole[:cut], 0o600))
		if _, err := compare(path, path, 5); err == nil {
			t.Fatalf("%d of %d bytes: no error", cut, len(whole))
		}
	}
}

// mostLive returns the most bytes of live objects that the collector saw while a function ran, beyond those before it.
func mostLive(do func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // it looks often
	live := func() uint64 {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	runtime.GC()
	before, most, done := live(), uint64(0), make(chan bool)
	go func() {
		defer close(done)
		do()
	}()
	for {
		most = max(most, live())
		select {
		case <-done:
			return most - min(before, most)
		case <-time.After(time.Millisecond):
		}
	}
}

// TestDiffOfFleets compares a thousand captures, and holds no more than a few of them at once.
func TestDiffOfFleets(t *testing.T) {
	longtest.Skip(t)
	dir := servers(t, 1000)
	var out bytes.Buffer
	slower, err := 0, error(nil)
	bytesHeld := mostLive(func() {
		slower, err = writeDiff(&out, filepath.Join(dir, "v1"), filepath.Join(dir, "v2"), 5, new(form))
	})
	if err != nil {
		t.Fatal(err)
	}
	if t.Log(bytesHeld>>10, "kB held"); bytesHeld > 64<<20 {
		t.Errorf("it holds %d MB; want 64 at most", bytesHeld>>20)
	}
	line := func(name string) string {
		for l := range strings.Lines(out.String()) {
			if strings.HasSuffix(l, " "+name+"\n") {
				return l
			}
		}
		return ""
	}
	if slower < 1 || !strings.Contains(line("physics"), "slower") || line("path finding")+line("receive") != "" {
		t.Errorf("got %d slower:\n%s\nwant physics, and not what is the same", slower, &out)
	}
	out.Reset()
	second := filepath.Join(dir, "v2")
	if slower, err = writeDiff(&out, second, second, 5, &form{json: true}); err != nil || slower != 0 {
		t.Errorf("a set and itself: got %d slower, %v", slower, err)
	}
	f, err := asjson.Read(&out)
	if err != nil || *f.Comparison.Machines != [2]int{500, 500} || len(f.Comparison.Changes) != 3 {
		t.Fatalf("got %+v, %v; want 500 machines and 3 rows", f, err)
	}
	for _, c := range f.Comparison.Changes {
		if *c.Chance < 0.9 || c.Verdict != "same" {
			t.Errorf("a set and itself: got %+v", c)
		}
	}
}

// Each machine's profile took another time, and one machine in five is slow.
func TestDiffOfFleetsOfProfiles(t *testing.T) {
	before, after := t.TempDir(), t.TempDir()
	for i := range 30 {
		load := float64(1 + i%5/4)
		took := time.Duration(1+i%3) * time.Second
		for dir, grown := range map[string]float64{before: 1, after: 1.3} {
			path := profiled(t, "profile", took, load*grown*took.Seconds()*(100+float64(i)), load*took.Seconds()*50)
			must.Do(t, os.Rename(path, filepath.Join(dir, fmt.Sprint("server", i, ".pb.gz"))))
		}
	}
	var out bytes.Buffer
	slower, err := writeDiff(&out, before, after, 5, new(form))
	if text := out.String(); err != nil || slower != 2 || !strings.Contains(text, "30 profiles before, 30 after") ||
		!strings.Contains(text, "function, self ms a second") || !strings.Contains(text, "physics") ||
		strings.Contains(text, "draw") || strings.Contains(text, "\x1b") {
		t.Errorf("got %d slower, %v:\n%s\nwant physics and all", slower, err, text)
	}
	out.Reset()
	if slower, err = writeDiff(&out, before, before, 5, &form{json: true}); err != nil || slower != 0 {
		t.Errorf("a set and itself: got %d slower, %v", slower, err)
	} else if f, err := asjson.Read(&out); err != nil || f.Comparison.Unit != "ms a second" ||
		f.Comparison.Machines[1] != 30 {
		t.Errorf("got %+v, %v", f, err)
	}
	mixed := servers(t, 12)
	if _, err := writeDiff(&out, before, mixed, 5, new(form)); err == nil || !strings.Contains(err.Error(), "compare") {
		t.Errorf("profiles with captures: got %v", err)
	}
}

// Of six machines a side one zone of 14, a public one, is slower by 15 %.
func TestDiffOfSmallFleets(t *testing.T) {
	dirs := [2]string{t.TempDir(), t.TempDir()}
	for i := range 12 {
		speed := 0.8 + 0.1*float64(i*5%6)
		zones := []zoneTime{{"wait", 5000}}
		for k := range 14 {
			zones = append(zones, zoneTime{fmt.Sprint("zone ", k), speed * float64(300+100*k)})
		}
		if i >= 6 {
			zones[8].ticks *= 1.15
		}
		path := capturedAs(t, uint32(i+1), 100, publicIn(fmt.Sprint("main.", i%3)), zones...)
		must.Do(t, os.Rename(path, filepath.Join(dirs[i/6], fmt.Sprint(i, ".iprof"))))
	}
	var out bytes.Buffer
	slower, err := writeDiff(&out, dirs[0], dirs[1], 5, new(form))
	if text := out.String(); err != nil || slower != 1 || !strings.Contains(text, "slower  zone 7 (*)\n") ||
		!strings.Contains(text, "6 captures before, 6 after") || strings.Contains(text, "new") {
		t.Errorf("got %d slower, %v:\n%s\nwant zone 7", slower, err, text)
	}
}

func TestDiffOfFleetsNamesWhatIsWrong(t *testing.T) {
	dir := servers(t, 12)
	one := filepath.Join(dir, "v1", "server0.iprof")
	few, bad := t.TempDir(), t.TempDir()
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		must.Do(t, os.WriteFile(filepath.Join(bad, name+".iprof"), []byte("nothing"), 0o600))
	}
	for _, test := range []struct{ before, after, want string }{
		{one, dir, "a directory with a directory"},
		{few, dir, "0 captures or profiles are too few to compare: a set has at least 5"},
		{bad, few, "0 captures or profiles are too few"}, // before any is read
		{dir, bad, "a.iprof"},
	} {
		t.Run(test.want, func(t *testing.T) {
			_, err := writeDiff(new(bytes.Buffer), test.before, test.after, 5, new(form))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v: got error %v", test, err)
			}
		})
	}
}

var serverZones = []gather.ZoneInfo{{Name: "(root)"}, {Name: "receive", Function: "main.serve", Idle: true},
	{Name: "physics", Function: "main.step"}, {Name: "path finding", Function: "main.step"}}

// servers writes captures of so many servers, half of them with a second version, whose physics takes a tenth longer.
// One server in twenty is three times as slow as the others. Their times come from a random source.
func servers(t *testing.T, number int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range number {
		version := 1 + i%2
		path := filepath.Join(dir, fmt.Sprintf("v%d", version), fmt.Sprintf("server%d.iprof", i))
		must.Do(t, writeServer(path, version, r))
	}
	return dir
}

// writeServer writes the work of a server in 200 ticks, in microseconds.
func writeServer(path string, version int, r *rand.Rand) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := framefile.NewWriter(file, framefile.Info{Program: fmt.Sprintf("server, version %d", version)})
	load := 0.8 + 0.4*r.Float64()
	if r.IntN(20) == 0 {
		load *= 3
	}
	f := gather.Frame{TicksPerSecond: 1e6, Zones: serverZones}
	for range 200 {
		serverTick(&f, load, version, r)
		if err := w.WriteFrame(&f); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return file.Close()
}

// serverTick fills in the next frame.
func serverTick(f *gather.Frame, load float64, version int, r *rand.Rand) {
	physics := 2000 * load * (0.9 + 0.2*r.Float64())
	if version == 2 {
		physics *= 1.1
	}
	paths := 3000 * load * (0.5 + r.Float64())
	node := func(zone gather.ZoneID, ticks float64) gather.Node {
		return gather.Node{ID: gather.NodeID(zone), Zone: zone, Count: 1, Self: platform.Ticks(ticks)}
	}
	nodes := []gather.Node{{Parent: -1, Open: true}, node(1, max(50_000-physics-paths, 0)), node(2, physics),
		node(3, paths)}
	f.Index, f.Begin = f.Index+1, f.End
	for i := range nodes {
		f.End += nodes[i].Self
	}
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End, Nodes: nodes}}
}

// busyCapture writes a capture of 100 frames of 10 ms, some of which have 30 ms more that the machine took.
func busyCapture(t *testing.T, disturbed int) string {
	t.Helper()
	var file bytes.Buffer
	w := framefile.NewWriter(&file, framefile.Info{})
	f := gather.Frame{TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work", Function: "f"}}}
	for i := range 100 {
		f.Index = uint64(i)
		f.Begin = f.End
		f.End += 10
		f.Away = gather.Away{Known: gather.AwayExact}
		if i < disturbed {
			f.Away.Time = 30 * time.Millisecond
			f.End += 30
		}
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: f.Begin, End: f.End,
			Nodes: []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Count: 1, Self: f.End - f.Begin}}}}
		must.Do(t, w.WriteFrame(&f))
	}
	path := filepath.Join(t.TempDir(), "busy.iprof")
	must.Do(t, os.WriteFile(path, file.Bytes(), 0o600))
	return path
}

// diff and top say that a recording was made beside other programs.
func TestABusyMachineIsNamed(t *testing.T) {
	const words = "38 of 100 frames were disturbed: the machine gave the processor to other programs"
	busy, quiet := busyCapture(t, 38), busyCapture(t, 0)
	var out bytes.Buffer
	if slower, err := writeDiff(&out, quiet, busy, 5, new(form)); err != nil || slower != 0 {
		t.Errorf("diff: got %d slower, %v; want the same", slower, err)
	}
	if !strings.Contains(out.String(), "\nafter: "+words+". They are left out.\n") {
		t.Errorf("diff: got %q; want %q", out.String(), words)
	}
	inBothWays(t, func(t *testing.T) {
		for path, want := range map[string]bool{busy: true, quiet: false} {
			out.Reset()
			c := must.Get(openNewest(path))(t)
			if err := top(&out, c); err != nil || strings.Contains(out.String(), words+"\n") != want {
				t.Errorf("top: got %q, %v; want %q: %t", out.String(), err, words, want)
			}
			d := readRows(t, "top "+path).Disturbed
			if d == nil || d.Among != 100 || d.Frames != map[bool]int{true: 38}[want] {
				t.Errorf("top -json: got %+v; want 38 of 100: %t", d, want)
			}
			c.close()
		}
	})
}
