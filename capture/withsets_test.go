//go:build !iprof_off

package capture_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// The tests of this file are the last of the package: they make sets of frames, which a program never gives up.

var workZone = gather.Zone{Name: "work"}

// setIn returns the capture of a set in another capture, and the names of all sets.
func setIn(t *testing.T, file []byte, set string) (one []byte, names string) {
	t.Helper()
	var b bytes.Buffer
	all := must.Get(framefile.CopySet(&b, bytes.NewReader(file), set))(t)
	return b.Bytes(), strings.Join(slices.Sorted(slices.Values(all)), " ")
}

// timesOf returns the beginnings and ends of the frames of a capture.
func timesOf(t *testing.T, file []byte) (times []platform.Ticks) {
	t.Helper()
	if len(file) == 0 {
		return nil
	}
	frames, _, _ := readAll(t, file)
	for i := range frames {
		times = append(times, frames[i].Begin, frames[i].End)
	}
	return times
}

// steps ends frames of three sets over the same work. One set begins when the others have had some frames.
func steps(t *testing.T, frames int, file *locked) {
	program, step := process.Default(), process.Frames("step")
	for i := range frames {
		workZone.Begin().End()
		if step.Update(); i%3 == 0 {
			program.Update()
		}
		if i == 9 {
			process.Frames("tick")
			must.Until(t, "the recording has the new set", func() bool {
				program.Update()
				names, _ := framefile.CopySet(io.Discard, strings.NewReader(file.text()), "")
				return slices.Contains(names, "tick")
			})
		}
		if i >= 20 {
			process.Frames("tick").Update()
		}
	}
}

// A recording has the frames of each set, also of one that begins later. Each is a whole capture with an index of its
// own. The frames of the program are those of a file without sets.
func TestARecordingHasAllSets(t *testing.T) {
	var file locked
	var plain bytes.Buffer
	process.Frames("step")
	info := capture.Info{Program: "game"}
	w := framefile.NewWriter(&plain, info)
	defer process.Default().AddSink(w)()
	rec := must.Get(capture.Record(process.Default(), capture.RecordOptions{To: &file, Info: info}))(t)
	steps(t, 30, &file)
	must.Do(t, rec.Close())
	must.Do(t, w.Close())
	for set, want := range map[string]int{"step": 30, "tick": 10, "none": -1} {
		one, names := setIn(t, file.Bytes(), set)
		if names != "step tick" {
			t.Errorf("got the sets %q; want step and tick", names)
		}
		if want < 0 {
			if len(one) > 0 {
				t.Errorf("%s: got %d bytes; want none", set, len(one))
			}
			continue
		}
		s := process.NewSession()
		_, _, c, err := framefile.NewestOf(s, bytes.NewReader(one), int64(len(one)), 5)
		if err != nil || c.Frames != uint64(want) || !c.Complete || len(c.Damages) > 0 || c.Program != "game" {
			t.Errorf("%s: got %+v, %v; want %d frames of a whole capture", set, c, err, want)
		}
	}
	c := must.Get(framefile.Load(process.NewSession(), bytes.NewReader(file.Bytes())))(t)
	if !c.Complete || len(c.Damages) > 0 || len(c.Sets) != 2 {
		t.Errorf("got %+v; want a whole capture with two sets", c)
	}
	f := must.Get(framefile.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len())))(t)
	want := timesOf(t, plain.Bytes())
	if got := timesOf(t, file.Bytes()); !slices.Equal(want, got) || f.Frames() != c.Frames {
		t.Errorf("got frames at %v, %d by the index; want those of a file without sets, %v", got, f.Frames(), want)
	}
}

// Damage in a file never gives the frames of one set to another, and leaves those of other keys.
func TestDamagedSets(t *testing.T) {
	var file locked
	process.Frames("step")
	rec := must.Get(capture.Record(process.Default(), capture.RecordOptions{To: &file}))(t)
	steps(t, 600, &file)
	must.Do(t, rec.Close())
	whole := map[string][]platform.Ticks{"": timesOf(t, file.Bytes())}
	for _, set := range []string{"step", "tick"} {
		one, _ := setIn(t, file.Bytes(), set)
		whole[set] = timesOf(t, one)
	}
	rng, left := rand.New(rand.NewPCG(1, 2)), map[string]int{}
	for range longtest.Pick(300, 60) {
		bad := bytes.Clone(file.Bytes())
		for at := 10 + rng.IntN(len(bad)-10); at < len(bad) && rng.IntN(20) > 0; at++ {
			bad[at] ^= byte(1 + rng.IntN(255))
		}
		for set, all := range whole {
			one := bad
			if set != "" {
				one, _ = setIn(t, bad, set)
			}
			got := timesOf(t, one)
			left[set] += len(got)
			for frame := range slices.Chunk(got, 2) {
				is := func(at int) bool { return slices.Equal(all[2*at:2*at+2], frame) }
				if at := sort.Search(len(all)/2, func(i int) bool { return all[2*i] >= frame[0] }); !is(at) {
					t.Fatalf("%q: got a frame at %v; want only those of the set", set, frame)
				}
			}
		}
	}
	for set, all := range whole {
		if left[set] < longtest.Pick(300, 60)*len(all)/20 { // fewer keys on a loaded machine
			t.Errorf("%q: got %d times of %d each left; want a twentieth of them", set, left[set], len(all))
		}
	}
}

// The file of a black box has the frames of each set that ended beside those of the program, and no others.
func TestBlackBoxesHaveAllSets(t *testing.T) {
	program, step := process.Default(), process.Frames("step")
	dir := t.TempDir()
	box := must.Get(capture.NewBlackBox(program, capture.BlackBoxOptions{Dir: dir, Before: 20, After: 5,
		OverBudget: -1, Log: new(locked)}))(t)
	for i := range 2000 {
		if i == 1900 {
			box.Trigger("test")
		}
		workZone.Begin().End()
		step.Update()
		if i%4 == 3 {
			program.Update()
		}
	}
	must.Do(t, box.Close())
	names, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
	if len(names) != 1 {
		t.Fatalf("got %q; want one file", names)
	}
	file := must.Get(os.ReadFile(names[0]))(t)
	one, _ := setIn(t, file, "step")
	all, steps := timesOf(t, file), timesOf(t, one)
	if len(all) != 2*26 || len(steps) < 4*len(all) || len(steps) > 4*len(all)+8 || steps[1] <= all[0] ||
		steps[0] > all[0] || steps[len(steps)-1] <= all[len(all)-2] {
		t.Errorf("got %d times of steps from %d to %d; want those of 26 pictures, %d to %d", len(steps), steps[0],
			steps[len(steps)-1], all[0], all[len(all)-1])
	}
}
