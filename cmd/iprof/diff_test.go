package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
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
		if err := d.write(&out, asJSON); err != nil || !strings.Contains(out.String(), "walls") ||
			asJSON != json.Valid(out.Bytes()) {
			t.Errorf("got %v\n%s", err, &out)
		}
	}
}

// TestDiffTellsZonesOfOneNameApart: in one function they are compared in the order of their lines.
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

// TestDiffKnowsPublicZonesByTheirVariables: which function, or which package, entered it first is chance.
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

// TestDiffStatuses: 0 for the same program, 1 for a slower one, 2 for trouble.
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
