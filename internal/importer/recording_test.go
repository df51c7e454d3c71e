package importer_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"example.com/iprof/internal/importer"
)

const started = `{"ph":"I","cat":"disabled-by-default-devtools.timeline","name":"TracingStartedInBrowser","pid":9,` +
	`"tid":1,"ts":73000000,"s":"t","args":{"data":{}}}`

// task is a slice, in microseconds.
func task(name string, ts, dur int) string {
	return fmt.Sprintf(`{"ph":"X","cat":"devtools.timeline","name":%q,"pid":9,"tid":1,"ts":%d,"dur":%d}`, name, ts, dur)
}

// tasks are a hundred, each 16 ms.
func tasks(name string) (all []string) {
	for i := range 100 {
		all = append(all, task(name, 73_000_000+16_000*i, 9000))
	}
	return all
}

func inList(events ...[]string) string {
	var all []string
	for _, list := range events {
		all = append(all, list...)
	}
	return "[" + strings.Join(all, ",") + "]"
}

func leftOut(r importer.Result) (n int) {
	for _, c := range r.Left {
		n += c.Count
	}
	return n
}

// TestStraysOfARecordingAreLeftOut: what a trace of a browser has from before it began, or long after all else, makes
// no frames and is counted. All numbers are those of the file without it.
func TestStraysOfARecordingAreLeftOut(t *testing.T) {
	without, _ := seeText(t, inList([]string{started}, tasks("RunTask")))
	for name, test := range map[string]struct {
		file string
		left int
	}{
		"early": {inList([]string{task("Early", 1e6, 50), task("Early", 1_200_000, 50), started},
			tasks("RunTask")), 2},
		"early last": {inList(tasks("RunTask"), []string{started, task("Early", 72_999_000, 1000)}), 1},
		"early mark": {inList([]string{`{"ph":"i","name":"m","pid":9,"tid":1,"ts":72500000,"s":"t"}`, started},
			tasks("RunTask")), 1},
		"late": {inList([]string{started}, tasks("RunTask"), []string{task("Late", 146e6, 50)}), 1},
		"late two": {inList([]string{started}, tasks("RunTask"),
			[]string{task("L", 146e6, 5), task("L", 147e6, 5)}), 2},
		"both": {inList([]string{task("Early", 1e6, 50), started}, tasks("RunTask"),
			[]string{task("Late", 146e6, 50)}), 2},
	} {
		got, result := seeText(t, test.file)
		if !maps.Equal(got.ns, without.ns) || got.frames != without.frames || got.frames != 96 {
			t.Errorf("%s: got %v in %d frames; want %v in %d", name, got.ns, got.frames, without.ns, without.frames)
		}
		if leftOut(result) != test.left {
			t.Errorf("%s: got %v left out; want %d", name, result.Left, test.left)
		}
	}
	// What was open when the recording began is cut. What is not few, or not far, stays.
	got, result := seeText(t, inList([]string{task("Open", 72e6, 1_500_000), started}, tasks("RunTask")))
	if got.all["Open"] != 500e6 || leftOut(result) != 0 {
		t.Errorf("open: got %v, %v left out; want 500 ms", got.all, result.Left)
	}
	many := []string{task("Late", 146e6, 5), task("Late", 147e6, 5), task("Late", 148e6, 5)}
	for _, more := range [][]string{{task("Late", 76e6, 50)}, many} {
		if _, result := seeText(t, inList([]string{started}, tasks("RunTask"), more)); leftOut(result) != 0 {
			t.Errorf("%s: got %v left out; want nothing", more, result.Left)
		}
	}
	if got, result := seeText(t, inList([]string{task("Early", 1e6, 50), started})); got.all["Early"] != 50_000 {
		t.Errorf("only early ones: got %v, %v left out; want all", got.all, result.Left)
	}
}

// TestFramesComeFromWhatMarksThem: the frames of a browser's recording begin with its BeginFrame events, those of other
// traces with the slices "frame". Averages have nothing from before the first or from long after the last.
func TestFramesComeFromWhatMarksThem(t *testing.T) {
	var frames, browser []string
	for i := range 50 {
		frames = append(frames, task("frame", 80_000_000+20_000*i, 12_000))
		for tree := range 2 - i%2 {
			const begin = `{"ph":"I","cat":"disabled-by-default-devtools.timeline.frame","name":"BeginFrame",` +
				`"pid":9,"tid":2,"ts":%d,"s":"t","args":{"layerTreeId":%d}}`
			browser = append(browser, fmt.Sprintf(begin, 80_000_000+20_000*i, 7+tree))
		}
	}
	inner := []string{task("work", 80_001_000, 5000), task("work", 80_981_000, 5000)}
	for name, marks := range map[string][]string{"slices": frames, "browser": append(browser, started)} {
		left := 2
		if name == "browser" {
			left++ // the start of the recording
		}
		want, _ := seeText(t, inList(marks, inner))
		got, result := seeText(t, inList(marks, inner, []string{task("load", 74e6, 2e6), task("end", 99e6, 1000)}))
		if got.frames != 50 || want.frames != 50 || got.all["work"] != 10e6 || got.all["load"]+got.all["end"] != 0 {
			t.Errorf("%s: got %v in %d frames, %d without strays; want 50", name, got.all, got.frames, want.frames)
		}
		if leftOut(result) != left {
			t.Errorf("%s: got %v left out; want %d", name, result.Left, left)
		}
	}
	got, _ := seeText(t, inList(frames, []string{task("shutdown", 81_000_000, 15_000)}))
	if got.all["shutdown"] != 15e6 {
		t.Errorf("near the last frame: got %v; want the shutdown in it", got.all)
	}
}

// TestTwoFramesAreFrames: two begins of frames say how long a frame is, so what is long after the second is no part of
// it; one alone does not.
func TestTwoFramesAreFrames(t *testing.T) {
	for n, left := range map[int]int{1: 0, 2: 1, 3: 1} {
		var frames []string
		for i := range n {
			frames = append(frames, task("frame", 80_000_000+20_000*i, 12_000))
		}
		got, result := seeText(t, inList(frames, []string{task("end", 99e6, 1000)}))
		if leftOut(result) != left || (got.all["end"] == 0) != (left > 0) || got.frames != n {
			t.Errorf("%d begins: got %v in %d frames, left out %v; want %d left out", n, got.all, got.frames,
				result.Left, left)
		}
	}
}
