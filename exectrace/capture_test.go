package exectrace_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/trace"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A capture with an execution trace gets its states later, in another program: it has the goroutines of its lanes, and
// the trace has readings of both clocks.
func TestAnnotatingACapture(t *testing.T) {
	needZones(t)
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Minute})
	must.Do(t, recorder.Start())
	defer recorder.Stop()
	lane := gather.Register("main")
	defer lane.Close()
	s := process.Default()
	s.Reset()
	s.Update()
	var file bytes.Buffer
	w := framefile.NewWriter(&file, framefile.ThisProgram())
	remove := s.AddSink(w)
	work.Begin().End()
	s.Update()
	scope := work.Begin()
	time.Sleep(20 * time.Millisecond)
	scope.End()
	s.Update()
	remove()
	must.Do(t, w.WriteTrace(recorder))
	w.Close()
	var out bytes.Buffer
	must.Do(t, exectrace.Annotate(bytes.NewReader(file.Bytes()), &out))
	whole := bytes.Clone(out.Bytes())
	session := process.NewSession()
	if _, err := framefile.Load(session, &out); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, q := range session.AppendStates(nil, 0) {
		ms := float64(q.End-q.Begin) / platform.TicksPerSecond() * 1000
		found = found || q.Kind == gather.StateWaiting && q.Reason == "sleep" && q.Lane == lane.ID() && ms > 15
	}
	if !found {
		t.Errorf("got %+v; want the sleep of 20 ms", session.AppendStates(nil, 0))
	}
	r := must.Get(framefile.NewReader(bytes.NewReader(whole)))(t)
	if n, err := r.WriteTrace(new(bytes.Buffer)); err != nil || n == 0 {
		t.Errorf("got a trace of %d bytes, %v; want it kept", n, err)
	}
	for cut := 0; cut < file.Len(); cut += 97 { // a file that ends anywhere is an error, never a panic
		_ = exectrace.Annotate(bytes.NewReader(file.Bytes()[:cut]), new(bytes.Buffer))
	}
}

func TestReadingWhatIsNoTrace(t *testing.T) {
	if _, err := exectrace.Read(bytes.NewReader([]byte("not a trace at all"))); err == nil {
		t.Error("got no error")
	}
}

// written is a buffer whose length any goroutine may ask for.
type written struct {
	bytes.Buffer
	length atomic.Int64
}

func (w *written) Write(p []byte) (int, error) {
	w.length.Add(int64(len(p)))
	return w.Buffer.Write(p)
}

// largeTrace makes a capture with an execution trace of many megabytes.
func largeTrace(t *testing.T) []byte {
	t.Helper()
	var raw written
	var file bytes.Buffer
	if err := trace.Start(&raw); err != nil {
		t.Skip("the test run is traced:", err)
	}
	s := process.NewSession()
	w := framefile.NewWriter(&file, framefile.ThisProgram())
	defer s.AddSink(w)()
	exectrace.MarkClock()
	for raw.length.Load() < 12<<20 {
		c := make(chan bool)
		go func() {
			for range 20_000 {
				c <- true
			}
			close(c)
		}()
		for range c {
		}
	}
	trace.Stop()
	must.Do(t, s.WriteFrame(&gather.Frame{TicksPerSecond: platform.TicksPerSecond(), End: platform.Now(),
		Zones: []gather.ZoneInfo{{Name: "(root)"}}, Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Goroutine: 1,
			Nodes: []gather.Node{{Parent: -1}}}}}))
	must.Do(t, w.WriteTrace(&raw))
	must.Do(t, w.Close())
	return file.Bytes()
}

// most is a writer that notes the largest heap while it is written to.
type most struct{ heap uint64 }

func (m *most) Write(p []byte) (int, error) {
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	m.heap = max(m.heap, now.HeapAlloc)
	return len(p), nil
}

// A trace is copied part by part: while it is written, it is not in memory.
func TestAnnotatingHoldsNoTrace(t *testing.T) {
	file := largeTrace(t)
	var out most
	_, _ = out.Write(nil)
	before := out.heap
	must.Do(t, exectrace.Annotate(bytes.NewReader(file), &out))
	if more := int64(out.heap) - int64(before); more > int64(len(file)/2) {
		t.Errorf("a file of %d bytes took %d of memory; want less than half", len(file), more)
	}
	runtime.KeepAlive(file)
}

// A recording that runs gets the states that the program takes when it is paused.
func TestARecordingGetsStatesOfAPause(t *testing.T) {
	g := newGame(t)
	var file bytes.Buffer
	recorder := must.Get(capture.Record(g.session, capture.RecordOptions{To: &file}))(t)
	g.frame(func() { time.Sleep(20 * time.Millisecond) })
	index := g.session.AppendFrames(nil, 1)[0].Index
	g.session.Pause()
	must.Do(t, g.watch.Take())
	for range 1 + report.MaxStates/measure.MaxStates {
		g.frame(func() {}) // they come with the next frames
	}
	must.Do(t, recorder.Close())
	again := process.NewSession()
	if _, err := framefile.Load(again, &file); err != nil {
		t.Fatal(err)
	}
	again.Pause()
	again.View().ShowFrame(index)
	slept := 0.0
	for _, q := range again.AppendStates(nil, again.View().Get().Age) {
		if q.Kind == gather.StateWaiting && q.Reason == "sleep" && q.Lane == measure.OwnLane() {
			slept += float64(q.End-q.Begin) / platform.TicksPerSecond() * 1000
		}
	}
	if slept < 15 {
		t.Errorf("got %+v; want the sleep of 20 ms", again.AppendStates(nil, again.View().Get().Age))
	}
}

// States are taken while frames run that are neither slow nor paused, if they are asked for.
func TestStatesAreTakenAgainAndAgain(t *testing.T) {
	g := newGame(t)
	g.session.SetFrameBudget(time.Hour)
	defer g.session.SetFrameBudget(0)
	g.watch.TakeEvery(time.Millisecond)
	if state, _ := g.session.Sources().Tracing(); state.Every != 250*time.Millisecond {
		t.Errorf("every %v; want the shortest, 250 ms", state.Every)
	}
	play := func() { g.frame(func() { time.Sleep(5 * time.Millisecond) }) }
	for state, _ := g.session.Sources().Tracing(); !state.Measured; state, _ = g.session.Sources().Tracing() {
		play() // until the one reading that counts the events
	}
	for taken, first := 0, g.session.View().Info().Index; taken < 2; { // the test's own limit ends it
		play()
		for age := range int(g.session.View().Info().Index - first) {
			if slept(g.session.AppendStates(nil, age)) {
				taken, first = taken+1, g.session.View().Info().Index
				break
			}
		}
	}
	g.watch.TakeEvery(0)
	if state, _ := g.session.Sources().Tracing(); state.Every != 0 {
		t.Errorf("every %v; want none", state.Every)
	}
}

// slept reports whether this goroutine slept.
func slept(states []gather.LaneState) bool {
	for _, q := range states {
		if q.Reason == "sleep" && q.Lane == measure.OwnLane() {
			return true
		}
	}
	return false
}

// The file of a black box has the states by itself: no command has to be run on it.
func TestABlackBoxHasTheStates(t *testing.T) {
	gather.SetEvents(1024)
	defer gather.SetEvents(0)
	g := newGame(t)
	g.session.SetFrameBudget(time.Millisecond)
	defer g.session.SetFrameBudget(time.Second / 60)
	dir := t.TempDir()
	box := must.Get(g.watch.BlackBox(capture.BlackBoxOptions{Dir: dir, After: -1, OverBudget: -1, Log: io.Discard}))(t)
	g.frame(func() {})
	box.Trigger("slept")
	g.frame(func() { time.Sleep(50 * time.Millisecond) })
	must.Do(t, box.Close())
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 || !strings.HasSuffix(files[0], "slept.iprof") {
		t.Fatalf("got files %v; want one", files)
	}
	in := must.Get(os.Open(files[0]))(t)
	defer in.Close()
	s := process.NewSession()
	if _, err := framefile.Load(s, in); err != nil {
		t.Fatal(err)
	}
	s.View().SetAverage(report.AverageInstant)
	var r report.Report
	s.View().AppendReport(&r)
	for _, rec := range r.Records {
		if rec.Name != "work" {
			continue
		}
		if got := rec.Values[report.ColumnWaiting]; got < 45 || got > rec.Values[report.ColumnHier] {
			t.Errorf("got %v ms waiting of %v; want the sleep of 50", got, rec.Values[report.ColumnHier])
		}
		if len(rec.States) == 0 || rec.States[0].Reason != "sleep" {
			t.Errorf("got %v; want the sleep first", rec.States)
		}
		return
	}
	t.Errorf("got %v; want a row of work", r.Records)
}
