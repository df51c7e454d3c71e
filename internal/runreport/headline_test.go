package runreport_test

import (
	"strings"
	"testing"
	"time"

	"example.com/iprof/auto"
	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/runreport"
	"example.com/iprof/process/report"
)

// command is a run of 300 ms of a program of one goroutine: load works for 100 ms, and main for 20. In between the
// program waits in a zone for 120 ms, count times, and again at the end if open is true.
func command(wait gather.ZoneInfo, count float64, open bool) *runreport.Run {
	zone := func(name string) gather.ZoneInfo {
		return gather.ZoneInfo{Name: name, Function: "main." + name, File: "/src/main.go", Line: 9, Computes: true}
	}
	wait.Idle, wait.File, wait.Line = true, "/src/main.go", 18
	nodes := []report.TreeNode{{Parent: -1},
		{Zone: 1, Parent: 0, Level: 1, Count: 1, Self: 20, Hier: 240},
		{Zone: 2, Parent: 1, Level: 2, Count: 1, Self: 100, Hier: 100},
		{Zone: 3, Parent: 1, Level: 2, Count: count, Self: 120, Hier: 120, Idle: true, Open: open}}
	return &runreport.Run{
		Contents: &capture.Contents{},
		Notes:    auto.Notes{Ended: true},
		Dump: &report.Dump{RunTime: 300 * time.Millisecond, CPU: 130 * time.Millisecond, Merged: nodes,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, zone("main"), zone("load"), wait},
			Lanes: []report.LaneTree{{Name: "main goroutine", Nodes: nodes}}},
	}
}

// TestAPauseOfTheProgramIsNamed: with the function and the place, and first if it is longer than the work. A wait that
// sets the pace, one at the end, and one in which other goroutines work are no such pause.
func TestAPauseOfTheProgramIsNamed(t *testing.T) {
	const work = "83 % of 120 ms was load, called once by main"
	sleep := gather.ZoneInfo{Name: "sleep", Function: "main.checkUpdate"}
	for _, test := range []struct {
		name  string
		wait  gather.ZoneInfo
		count float64
		open  bool
		cpu   time.Duration // 0: as it is
		want  string
	}{
		{"a sleep", sleep, 1, false, 0,
			"40 % of 300 ms was waiting: checkUpdate sleeps 120 ms, main.go:18;\n  " + work},
		{"a function", gather.ZoneInfo{Name: "settle", Function: "main.settle"}, 1, false, 0,
			"40 % of 300 ms was waiting: settle waits 120 ms, main.go:18;\n  " + work},
		{"a channel", gather.ZoneInfo{Name: "wait for ready", Function: "main.(*app).start"}, 1, false, 0,
			work + ";\n  40 % of 300 ms was waiting: (*app).start waits for ready 120 ms, main.go:18"},
		{"ticks", sleep, 300, false, 0, work},
		{"at the end", sleep, 1, true, 0, work},
		{"others work", sleep, 1, false, 290 * time.Millisecond, "zones cover 41 % of 290 ms of processor time;\n  of" +
			" that, " + work},
	} {
		r := command(test.wait, test.count, test.open)
		if test.cpu > 0 {
			r.Dump.CPU = test.cpu
		}
		if text := written(t, r); !strings.HasPrefix(text, test.want+"\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, text, test.want)
		}
	}
}

// TestWaitsHaveRows: with their function and place, behind what works.
func TestWaitsHaveRows(t *testing.T) {
	text := written(t, command(gather.ZoneInfo{Name: "wait for t.C", Function: "main.loop"}, 60, false))
	const want = "\n  20.0 ms    17 %          1    20.0 ms  main  main.go:9\n" +
		"   120 ms    wait         60     2.0 ms  loop: wait for t.C  main.go:18\n"
	if !strings.Contains(text, want) {
		t.Errorf("got\n%s\nwant%s", text, want)
	}
}

// TestWhatIsSurelyFirst: serve may have worked for all of the 48 ms of the process, but handle had most of them.
func TestWhatIsSurelyFirst(t *testing.T) {
	r := command(gather.ZoneInfo{Name: "sleep", Function: "main.checkUpdate"}, 300, false)
	serve := gather.ZoneInfo{Name: "serve", Function: "main.serve"}
	r.Dump.Zones = append(r.Dump.Zones, serve)
	r.Dump.Merged = append(r.Dump.Merged, report.TreeNode{Zone: 4, Level: 1, Count: 1, Self: 12_000, Hier: 12_000})
	r.Dump.CPU, r.Dump.RunTime = 150*time.Millisecond, 12*time.Second
	const want = "67 % of 150 ms of processor time was load, called once by main\n"
	if text := written(t, r); !strings.HasPrefix(text, want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// TestWorkIsNoMoreThanTheProcessorTime: on a busy machine also a function that computes has little of its time from a
// processor. The sentence calls that time no work.
func TestWorkIsNoMoreThanTheProcessorTime(t *testing.T) {
	r := command(gather.ZoneInfo{Name: "wait for t.C", Function: "main.loop"}, 60, false)
	r.Dump.Zones = append(r.Dump.Zones, gather.ZoneInfo{Name: "next", Function: "main.next"})
	r.Dump.Merged = append(r.Dump.Merged, report.TreeNode{Zone: 4, Level: 1, Count: 1, Self: 60, Hier: 60})
	r.Dump.CPU, r.Notes.Away = 20*time.Millisecond, 400*time.Millisecond
	r.Notes.Sampled = 10 // none in next
	const want = "56 % of 180 ms passed in load, called once by main;\n  the process had a processor for 20.0 ms\n"
	if text := written(t, r); !strings.HasPrefix(text, want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// TestRoutesSayUntilWhenTheyAreKnown: a program that a signal ends has notes older than its last frames.
func TestRoutesSayUntilWhenTheyAreKnown(t *testing.T) {
	r := command(gather.ZoneInfo{Name: "sleep", Function: "main.checkUpdate"}, 300, false)
	r.Notes.Routes = []auto.Route{{Name: "GET /items", Requests: 33}}
	for after, want := range map[time.Duration]string{
		200 * time.Millisecond: "  route (until 200 ms after the start)\n", 300 * time.Millisecond: "  route\n"} {
		r.Notes.Ended, r.Notes.After = false, after
		if text := written(t, r); !strings.Contains(text, "p99 ms"+want) {
			t.Errorf("got\n%s\nwant %q", text, want)
		}
	}
}
