package runreport_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/iprof/auto"
	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// pool is a run of four workers that wait in their own code: 400 ms of work in 2.4 s of goroutines.
func pool(sampled int) *runreport.Run {
	zone := func(name string, line int) gather.ZoneInfo {
		return gather.ZoneInfo{Name: name, Function: "main." + name, File: "/src/main.go", Line: line}
	}
	nodes := []report.TreeNode{
		{Parent: -1}, // the root
		{Zone: 1, Parent: 0, Level: 1, Count: 4, Self: 1_600, Hier: 2_400},
		{Zone: 2, Parent: 1, Level: 2, Count: 2_000, Self: 800, Hier: 800, Estimated: gather.EstimatedTime,
			StandardError: 300},
	}
	return &runreport.Run{
		Contents: &capture.Contents{},
		Notes: auto.Notes{Ended: true, Sampled: sampled, Muted: []gather.ZoneInfo{zone("hash", 10)},
			Samples: []auto.Sample{
				{Zone: "main.hash", Function: "main.hash", File: "/src/main.go", Line: 12, Count: 38},
				{Zone: "main.worker", Function: "main.worker", File: "/src/main.go", Line: 33, Count: 2},
			}},
		Dump: &report.Dump{RunTime: 600 * time.Millisecond, CPU: 420 * time.Millisecond, Merged: nodes,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, zone("worker", 30), zone("hash", 10)},
			Lanes: []report.LaneTree{{Name: "main.main main.go:62 #1", Nodes: nodes}}},
	}
}

func written(t *testing.T, r *runreport.Run) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, r.Write(&b, runreport.Options{}))
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 && !strings.HasPrefix(line, "iprof: ") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if n := strings.Count(b.String(), "\n"); n > 23 {
		t.Errorf("%d lines do not fit on a screen:\n%s", n, &b)
	}
	return b.String()
}

// TestWaitingIsNotWork: samples of the CPU profiler say what of a function's time had no processor. The function that
// works comes first, and shares are of the work.
func TestWaitingIsNotWork(t *testing.T) {
	text := written(t, pool(41))
	for _, want := range []string{
		"95 % of 400 ms of work was hash, called 2,000 times by worker;\n  main.go:12 alone has 95 %\n",
		"    self  waited   share", "  2.40 s    17 %  ", "66 % waits in worker", "18 % waits in hash",
		"~  380 ms       -    95 %      2,000     190 us  hash  main.go:10  +-125 ms\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report has no %q:\n%s", want, text)
		}
	}
	if strings.Index(text, "  hash  main.go") > strings.Index(text, "  worker  main.go") {
		t.Errorf("what waits comes first:\n%s", text)
	}
}

// TestGoroutinesWithoutALaneAreCounted: the go statement knows how many it has started.
func TestGoroutinesWithoutALaneAreCounted(t *testing.T) {
	for started, want := range map[uint64]string{
		0: "goroutines\n", 1: "goroutines\n", 100_000: "goroutines; life, self: sums\n"} {
		r := pool(41)
		r.Notes.Spawns = []report.Spawn{{Crowd: "main.main main.go:62", Goroutines: started},
			{Crowd: "main.main main.go:9", Goroutines: 7}}
		text := written(t, r)
		all := strings.Contains(text, "100000 of main.main main.go:62")
		if !strings.Contains(text, want) || all != (started > 1) || strings.Contains(text, "7 of ") {
			t.Errorf("%d started:\n%s", started, text)
		}
	}
}

// TestTheFullReportSaysWhatWaited: beside self, for each zone. Of the 2,400 ms with callees worker has what hash has
// not.
func TestTheFullReportSaysWhatWaited(t *testing.T) {
	for sampled, want := range map[int]string{41: "     2020.000     2000.000 ", 0: "     1600.000         0 "} {
		var b strings.Builder
		r := pool(sampled)
		if sampled == 0 {
			r.Dump.CPU = 800 * time.Millisecond // else too much time passed for that
		}
		must.Do(t, r.WriteFull(&b, false))
		if text := b.String(); strings.Contains(text, "waited") != (sampled > 0) || !strings.Contains(text, want) {
			t.Errorf("%d samples: no %q in\n%s", sampled, want, text)
		}
	}
}

// TestASumOverGoroutinesIsNamed: work of more than the run's length was done at the same time.
func TestASumOverGoroutinesIsNamed(t *testing.T) {
	for run, want := range map[time.Duration]string{
		401 * time.Millisecond: "95 % of 400 ms of work was hash,",
		399 * time.Millisecond: "95 % of 400 ms of work on all goroutines was hash,",
	} {
		r := pool(41)
		r.Dump.RunTime = run
		if text := written(t, r); !strings.HasPrefix(text, want) {
			t.Errorf("a run of %v: got %.90q; want %q", run, text, want)
		}
	}
}

// TestWithoutSamplesNothingIsCalledWaiting: where the CPU profiler did not run, or lost samples, times are all there
// is.
func TestWithoutSamplesNothingIsCalledWaiting(t *testing.T) {
	for _, sampled := range []int{0, 9, 15} {
		r := pool(sampled)
		r.Dump.CPU = 800 * time.Millisecond
		text := written(t, r)
		if !strings.HasPrefix(text, "67 % of 2.40 s on all goroutines was worker, called 4 times") ||
			strings.Contains(text, "waited") || strings.Contains(text, "no function with a zone") {
			t.Errorf("with %d samples of 420 ms:\n%s", sampled, text)
		}
	}
}

// Without samples, and with a processor for less than a third of the time, it is not known how much of the time was
// work. The first sentence and the shares say no more than is known.
func TestAShortProgramOnABusyMachine(t *testing.T) {
	r := pool(0)
	r.Notes.Samples, r.Notes.Muted = nil, nil
	r.Dump.CPU = 100 * time.Millisecond
	for i, self := range []float64{0, 400, 120} { // the second can have no more than the processor, either
		n := &r.Dump.Merged[i]
		n.Self, n.StandardError, n.Estimated = self, 0, gather.EstimatedNone
	}
	text := written(t, r)
	for _, want := range []string{
		"77 % of 520 ms passed in worker, called 4 times;\n  the process had a processor for 100 ms\n",
		"   400 ms    75 %       -          4     100 ms  worker", "   120 ms    17 %       -      2,000"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report has no %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "of work") {
		t.Errorf("it says what was work:\n%s", text)
	}
}

// TestManyZonesThatWaitALittle: where other programs have the processors, each of many functions waits for less than
// its samples leave in doubt. Their times together are not called work that the process cannot have done.
func TestManyZonesThatWaitALittle(t *testing.T) {
	r := pool(12)
	r.Notes.Muted, r.Dump.CPU, r.Dump.RunTime = nil, 120*time.Millisecond, 600*time.Millisecond
	r.Notes.Samples = nil
	nodes := r.Dump.Merged[:1]
	for i := range 12 {
		name := fmt.Sprint("part", i)
		r.Dump.Zones = append(r.Dump.Zones, gather.ZoneInfo{Name: name, Function: "main." + name, File: "/src/main.go"})
		nodes = append(nodes, report.TreeNode{Zone: report.ZoneID(3 + i), Level: 1, Count: 5, Self: 40, Hier: 40})
		r.Notes.Samples = append(r.Notes.Samples, auto.Sample{Zone: "main." + name, Function: "main." + name, Count: 1})
	}
	nodes[6].Self = 60 // of part5; most of it is a wait
	r.Dump.Merged = nodes
	r.Dump.Lanes[0].Nodes = nodes
	text := written(t, r)
	const want = "12 % of 500 ms passed in part5, 8.0 % part0, 8.0 % part1 and 9 more: too close\n" +
		"  to say which is first; the process had a processor for 120 ms\n"
	if !strings.HasPrefix(text, want) || strings.Contains(text, "of work") {
		t.Errorf("got\n%s\nwant %q", text, want)
	}
}

// TestSharesOfNoWork: samples may show that no zone has worked.
func TestSharesOfNoWork(t *testing.T) {
	r := pool(20)
	r.Notes.Samples, r.Notes.Muted = nil, nil
	r.Dump.CPU, r.Dump.RunTime, r.Notes.GC = 200*time.Millisecond, 2*time.Second, 180*time.Millisecond
	for i := range r.Dump.Merged {
		r.Dump.Merged[i].StandardError, r.Dump.Merged[i].Estimated = 0, gather.EstimatedNone
	}
	text := written(t, r)
	if !strings.HasPrefix(text, "67 % of 2.40 s on all goroutines passed in worker, called 4 times\n") ||
		strings.Contains(text, "NaN") {
		t.Errorf("got\n%s", text)
	}
}

// TestAProgramThatWaitsSaysSo: too few samples tell nothing of single functions, but none can have worked for longer
// than the process.
func TestAProgramThatWaitsSaysSo(t *testing.T) {
	r := pool(1)
	r.Dump.CPU = 20 * time.Millisecond
	text := written(t, r)
	for _, want := range []string{"97 % of 600 ms was waiting, most of it in worker, called 4 times\n",
		"   1.60 s    99 %       -          4     400 ms  worker", "66 % waits in worker"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report has no %q:\n%s", want, text)
		}
	}
}

// TestTheFirstSentenceNamesTheFunctionOfTheLine: a function without a zone of its own, as an inlined one, is named.
func TestTheFirstSentenceNamesTheFunctionOfTheLine(t *testing.T) {
	r := pool(41)
	r.Notes.Samples[0].Function = "main.mix"
	if text := written(t, r); !strings.Contains(text, ";\n  main.go:12 in main.mix alone has 95 %\n") {
		t.Errorf("the first sentence does not name mix:\n%s", text)
	}
}

// TestAProgramThatDiesAtOnceHasOneLine: nothing is said of a run of no time.
func TestAProgramThatDiesAtOnceHasOneLine(t *testing.T) {
	r := pool(0)
	r.Notes.Ended, r.Dump.RunTime = false, 0
	text := written(t, r)
	if text != "iprof: the program was killed, or ended by an error, before anything was\n  measured\n" {
		t.Errorf("got %q", text)
	}
}

// TestAServerAtRestThatIsKilled: it ran for longer than it was measured. How much it did then is said by its processor
// time.
func TestAServerAtRestThatIsKilled(t *testing.T) {
	for _, test := range []struct {
		rests bool
		used  time.Duration
		want  string
	}{
		{true, 21 * time.Millisecond, "; it did hardly anything after its first 2.0 ms "},
		{true, 50 * time.Millisecond, "; the report is of its first 2.0 ms; later it had the processor for up to " +
			"30.0 ms and entered no function with a zone (iprof run -n lists them), or only in its last 0.1 s "},
		{true, 0, "; the report is of its first 2.0 ms "},
		{false, 50 * time.Millisecond, "; the report is of its first 2.0 ms "},
	} {
		r := pool(0)
		r.Notes.Ended, r.Notes.Rests, r.Lasted = false, test.rests, 3*time.Second
		r.Dump.RunTime, r.Notes.CPU, r.Used = 2*time.Millisecond, 20*time.Millisecond, test.used
		text := strings.Join(strings.Fields(written(t, r)), " ")
		if !strings.Contains(text, test.want) || strings.Contains(text, "ran 2.0 ms of 3.00 s") != test.rests {
			t.Errorf("%+v: got\n%s", test, text)
		}
	}
}

// TestTheReportFitsOnAScreen: many functions, two of them with lines, and groups.
func TestTheReportFitsOnAScreen(t *testing.T) {
	r := pool(141)
	r.Notes.Outside = map[string]int{"net/http": 80, "runtime": 20}
	for i := range 40 {
		id := report.ZoneID(len(r.Dump.Zones))
		long := gather.ZoneInfo{Name: strings.Repeat("long", 30), File: "/src/x.go", Line: i}
		r.Dump.Zones = append(r.Dump.Zones, long)
		nodes := []report.TreeNode{{Parent: -1}, {Zone: id, Parent: 0, Level: 1, Count: 1, Self: 5}}
		r.Dump.Merged = append(r.Dump.Merged, nodes[1])
		r.Dump.Lanes = append(r.Dump.Lanes, report.LaneTree{Name: strings.Repeat("group", i+10), Nodes: nodes})
	}
	text := written(t, r)
	for _, want := range []string{"(3 of 41 groups; all: -full)", "of 42; all: -full)",
		"outside zones: 71 % of the processor time (net/http 57 %, runtime 14 %)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report has no %q:\n%s", want, text)
		}
	}
}

// TestEstimatesSayHowFarTheyMayBeOff: an error bar where it is wide, "-" where the time may be anything. Samples say
// more than a wide estimate.
func TestEstimatesSayHowFarTheyMayBeOff(t *testing.T) {
	for off, want := range map[float64]string{
		5:   "~  800 ms 52+-17 %    95 %      2,000     400 us  hash  main.go:10\n",
		60:  "     400 us  hash  main.go:10  +-120 ms\n",
		800: "~       -       -       -      2,000          -  hash  main.go:10\n"} {
		r := pool(41)
		if r.Dump.Merged[2].StandardError = off; off > 100 {
			r.Notes.Samples, r.Notes.Sampled = nil, 0
		}
		if text := written(t, r); !strings.Contains(text, want) {
			t.Errorf("off by %v: the report has no %q:\n%s", off, want, text)
		}
	}
}

// TestNoZoneWorksLongerThanItLasts: an estimate that knows nothing of few long entries is too low and looks sure. The
// samples show more than it may be off by.
func TestNoZoneWorksLongerThanItLasts(t *testing.T) {
	r := pool(41)
	hash := &r.Dump.Merged[2]
	hash.Self, hash.StandardError = 80, 30
	want := "~  380 ms       -    95 %      2,000     190 us  hash  main.go:10  +-125 ms\n"
	if text := written(t, r); !strings.Contains(text, want) {
		t.Errorf("the report has no %q:\n%s", want, text)
	}
	if hash.Self = 300; strings.Contains(written(t, r), want) { // 80 ms more are within the spread of 38 samples
		t.Error("the samples say no more than the estimate, but they are taken")
	}
}

// TestATimeBySamplesStaysThat: what samples take from a muted function inside another one that was muted later goes
// back to the function around both. It was measured there.
func TestATimeBySamplesStaysThat(t *testing.T) {
	r := pool(41)
	inner := gather.ZoneInfo{Name: "mix", Function: "main.mix", File: "/src/main.go", Line: 20}
	r.Dump.Zones = append(r.Dump.Zones, inner)
	r.Notes.Muted = append(r.Notes.Muted, inner)
	r.Dump.Merged[1].Self, r.Dump.Merged[2].Self = 100, 400 // worker, hash
	r.Dump.Merged = append(r.Dump.Merged, report.TreeNode{Zone: 3, Parent: 2, Level: 3, Count: 9, Self: 300, Hier: 300,
		Estimated: gather.EstimatedTime, StandardError: 300})
	r.Notes.Samples = []auto.Sample{{Zone: "main.hash", Around: "main.worker", Function: "main.hash", Count: 20},
		{Zone: "main.worker", Around: "", Function: "main.worker", Count: 16},
		{Zone: "main.mix", Around: "main.hash", Function: "main.mix", Count: 5}}
	text := written(t, r)
	for _, want := range []string{"~  200 ms ", "   550 ms ", "~ 50.0 ms "} { // 800 in all
		if !strings.Contains(text, want) {
			t.Errorf("the report has no %q:\n%s", want, text)
		}
	}
}

// TestForeignCodeMayBeOfAnyZone: the runtime does not know what calls code that is not Go. A zone has waited at most
// for the time that those samples leave, and its work is not known.
func TestForeignCodeMayBeOfAnyZone(t *testing.T) {
	for foreign, want := range map[int]string{
		0:   "  1.60 s 99+-3 %   5.0 %          4     400 ms  worker", // 20 ms of work
		50:  "  1.60 s 68+-3 %       -          4     400 ms  worker", // 20 to 520
		150: "  1.60 s   ",                                            // all of it may be work
	} {
		r := pool(41 + foreign)
		r.Dump.CPU += time.Duration(foreign) * 10 * time.Millisecond
		r.Notes.Outside = map[string]int{auto.Foreign: foreign}
		r.Dump.Merged[2].Self, r.Dump.Merged[2].StandardError = 380, 1
		text := written(t, r)
		if !strings.Contains(text, want) || strings.Contains(text, "waits in worker") != (foreign < 150) {
			t.Errorf("%d samples: the report has no %q:\n%s", foreign, want, text)
		}
	}
}

// TestTheReportAsJSONHasAllOfIt: what the text says stands there, too.
func TestTheReportAsJSONHasAllOfIt(t *testing.T) {
	r := pool(41)
	r.Session = process.NewSession()
	r.Notes.Outside = map[string]int{"net/http": 1}
	r.Notes.Muted = []gather.ZoneInfo{{Name: "tiny", Function: "main.tiny", File: "/src/main.go", Line: 9}}
	r.Notes.Routes = []auto.Route{{Name: "GET /", Requests: 7, P50: time.Millisecond, P99: time.Second}}
	var b bytes.Buffer
	must.Do(t, r.WriteJSON(&b))
	f := must.Get(asjson.Read(&b))(t)
	got := f.Run
	if !strings.Contains(string(got.Headline), " of work on all goroutines was hash") || got.Waits[0].Waited < 300 ||
		got.Sampled != 41 || len(got.Hottest) != 2 || got.Hottest[0].Samples != 38 || got.Outside["net/http"] != 1 {
		t.Errorf("got %+v", got)
	}
	if want := (asjson.Route{Route: "GET /", Requests: 7, P50: 1, P99: 1000}); got.Routes[0] != want {
		t.Errorf("got %+v; want %+v", got.Routes[0], want)
	}
	if m := got.Muted[0]; m.Zone != "tiny" || m.Site != asjson.SiteOf(r.Notes.Muted[0]) {
		t.Errorf("got %+v; want %+v", m, r.Notes.Muted[0])
	}
	self := map[asjson.Text]float64{}
	for _, z := range r.Dump.ZoneTotals() {
		self[asjson.Text(r.Dump.Zones[z.Zone].Name)] = z.Self
	}
	for _, w := range got.Waits {
		if w.Self != self[w.Zone] || w.Waited > w.Self || w.Function == "" {
			t.Errorf("got %+v; want the self time %v of the dump", w, self[w.Zone])
		}
	}
}

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

// TestLinesOfAFileAreWhole: a report for a file or a pipe has its rows whole, however long the names are.
func TestLinesOfAFileAreWhole(t *testing.T) {
	name := strings.Repeat("long", 20)
	run := pool(41)
	run.Dump.Zones[2].Name = name
	for width, whole := range map[int]bool{0: false, runreport.Uncut: true} {
		var b bytes.Buffer
		must.Do(t, run.Write(&b, runreport.Options{Width: width}))
		if got := strings.Contains(b.String(), name+"  main.go:10"); got != whole {
			t.Errorf("width %d: got\n%s\nwant the name whole: %t", width, &b, whole)
		}
	}
}

// TestTheProfilersShareIsBySamples: samples in the profiler's code, in functions with a zone, are its processor time.
func TestTheProfilersShareIsBySamples(t *testing.T) {
	run := pool(40)
	run.Notes.Measuring = 20
	if text := written(t, run); !strings.Contains(text, "profiler 50.0 % of it (27.6 to 72.4)") {
		t.Errorf("got\n%s\nwant half of the processor time for the profiler", text)
	}
}

// TestUnmeasuredGoroutinesCallNothing: their entries stand below a zone of the profiler's, which is no caller.
func TestUnmeasuredGoroutinesCallNothing(t *testing.T) {
	run := pool(40)
	run.Dump.Zones = append(run.Dump.Zones, gather.ZoneInfo{Name: "(unmeasured goroutines)"})
	run.Dump.Merged = append(run.Dump.Merged[:2], report.TreeNode{Zone: 3, Parent: 0, Level: 1, Self: 0},
		report.TreeNode{Zone: 2, Parent: 2, Level: 2, Count: 2_000, Self: 800, Hier: 800})
	text := written(t, run)
	if strings.Contains(text, "by (unmeasured") || !strings.Contains(text, "hash, called 2,000 times") {
		t.Errorf("got\n%s\nwant no caller", text)
	}
}

// TestTheRunSaysHowLongItWaitedForAProcessor: if the system tells, and if it matters.
func TestTheRunSaysHowLongItWaitedForAProcessor(t *testing.T) {
	const ran = "\nran 300 ms, processor 130 ms, profiler 0.0 % of it"
	for _, c := range []struct {
		away time.Duration
		cut  bool // the program was ended from outside
		want string
	}{
		{0, false, ran + "\n"},
		{5 * time.Millisecond, false, ran + "\n"},
		{1200 * time.Millisecond, false, ran + ";\n  waited for a processor 1.20 s\n"},
		{1200 * time.Millisecond, true, ran + ";\n  waited for a processor at least 1.20 s\n"},
	} {
		r := command(gather.ZoneInfo{Name: "sleep", Function: "main.checkUpdate"}, 1, false)
		r.Notes.Away, r.Notes.Ended = c.away, !c.cut
		if text := written(t, r); !strings.Contains(text, c.want) {
			t.Errorf("away %v, cut %v: got\n%s\nwant%s", c.away, c.cut, text, c.want)
		}
	}
}
