package capture_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// joins is a recording or a stream that joins a session at some frame and leaves at another. Its disk stalls.
type joins struct {
	gated
	recorder     *capture.Recorder
	stream       bool
	stalled      bool
	began, ended int // frames
}

// turn does something at random before a frame.
func (j *joins) turn(t *testing.T, s *process.Session, random *rand.Rand, frame int) {
	switch {
	case j.recorder == nil && j.stream:
		j.recorder, j.began = capture.StreamTo(s, j), frame
	case j.recorder == nil:
		j.recorder, j.began = capture.RecordTo(s, j), frame
	case j.ended > 0:
	case j.stalled:
		j.stalled = false
		j.gate.Unlock()
	case random.IntN(12) == 0:
		j.leave(t, frame)
	case random.IntN(3) == 0:
		j.stalled = true
		j.gate.Lock()
	}
}

func (j *joins) leave(t *testing.T, frame int) {
	t.Helper()
	if j.stalled {
		j.stalled = false
		j.gate.Unlock()
	}
	if j.recorder == nil || j.ended > 0 {
		return
	}
	if j.ended = frame; j.recorder.Close() != nil || !j.stream && j.recorder.Dropped() > 0 {
		t.Errorf("got %v, %d frames dropped", j.recorder.Err(), j.recorder.Dropped())
	}
}

// check compares the capture with the program's frames.
func (j *joins) check(t *testing.T, want map[uint64]string) {
	t.Helper()
	if j.recorder == nil {
		return
	}
	in := must.Get(framefile.NewReader(&j.got))(t)
	wrong, seen := 0, 0
	var f gather.Frame
	for ; in.Next(&f) == nil; seen++ { // frame n has the index n + 1
		if frameText(&f) != want[f.Index] || uint64(j.began+seen)+in.Lost() != f.Index-1 {
			wrong++
		}
	}
	lost := in.Lost()
	if all := j.ended - j.began; wrong > 0 || seen+int(lost) != all || lost != j.recorder.Dropped() ||
		!j.stream && seen != all {
		t.Errorf("stream %t: got %d frames, %d wrong, %d lost, %d dropped; want %d", j.stream, seen, wrong, lost,
			j.recorder.Dropped(), all)
	}
}

// Recordings, streams and black boxes join and leave a session at any time, and stall. Each frame that one gets is the
// program's, whatever the others do, and each other frame is counted.
func TestReadersOfARing(t *testing.T) {
	const frames = 700
	seeds := uint64(10)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		random, p, s := rand.New(rand.NewPCG(seed, 60)), newProgram(seed), process.NewSession()
		readers, want, source := make([]joins, 12), map[uint64]string{}, newCounted(seed, 40)
		s.SetSources(func(c *process.Sources) { c.Calls = source })
		dir := t.TempDir()
		var box *capture.BlackBox
		for frame := range frames {
			if frame%3 == 0 {
				i := random.IntN(len(readers))
				readers[i].stream = i%2 == 0
				readers[i].turn(t, s, random, frame)
			}
			box = changeBox(t, s, box, random, dir)
			source.step()
			f := p.next()
			want[f.Index] = frameText(f)
			must.Do(t, s.WriteFrame(f))
		}
		for i := range readers {
			readers[i].leave(t, frames)
			readers[i].check(t, want)
		}
		must.Do(t, box.Close())
		checkBoxes(t, dir, want)
	}
}

// changeBox sometimes opens a black box, triggers it, or closes it.
func changeBox(t *testing.T, s *process.Session, box *capture.BlackBox, random *rand.Rand, dir string,
) *capture.BlackBox {
	t.Helper()
	switch {
	case random.IntN(40) > 0:
	case box == nil:
		box, err := capture.NewBlackBox(s, capture.BlackBoxOptions{Dir: dir, Before: random.IntN(500), OverBudget: -1,
			After: random.IntN(40) - 5, Memory: 20_000 << random.IntN(10), CoolDown: -1, Log: io.Discard, Files: 1000})
		if err != nil {
			t.Fatal(err)
		}
		return box
	case random.IntN(4) > 0:
		box.Trigger("now")
	default:
		must.Do(t, box.Close())
		return nil
	}
	return box
}

func checkBoxes(t *testing.T, dir string, want map[uint64]string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
	for _, name := range files {
		file := must.Get(os.ReadFile(name))(t)
		next := uint64(0)
		eachFrame(t, bytes.NewReader(file), func(index uint64, text string) {
			if text != want[index] || next > 0 && index != next {
				t.Errorf("%s: frame %d is wrong, or not the next", filepath.Base(name), index)
			}
			next = index + 1
		})
	}
	if len(files) == 0 {
		t.Error("got no file of a black box")
	}
}

// Frames end while a reader of the session holds it. A recording that is closed meanwhile has them; one that begins
// meanwhile does not. Another one goes on all the time.
func TestFramesThatWaitForAReader(t *testing.T) {
	if !gather.Enabled {
		t.Skip("there are no frames of the program")
	}
	s, p := process.Default(), newNewcomers(60)
	defer capture.RecordTo(s, io.Discard).Close()
	var before, after bytes.Buffer
	recording := capture.RecordTo(s, &before)
	p.run(p.update)
	done := make(chan *capture.Recorder)
	s.View().Arrange(func(*report.Arrangement) {
		for range 3 {
			p.run(p.update)
		}
		go func() { done <- capture.RecordTo(s, &after) }()
		go func() {
			if err := recording.Close(); err != nil {
				t.Error(err)
			}
			done <- nil
		}()
		time.Sleep(20 * time.Millisecond) // for calls that do not wait for the session
	})
	second := <-done
	if other := <-done; other != nil {
		second = other
	}
	p.run(p.update)
	must.Do(t, second.Close())
	for i, file := range []*bytes.Buffer{&before, &after} {
		frames := 0
		eachFrame(t, file, func(uint64, string) { frames++ })
		if want := []int{4, 1}[i]; frames != want {
			t.Errorf("recording %d: got %d frames; want %d", i, frames, want)
		}
	}
}

// Frames that ended before a reader joined are not for it, also if the session hands them out later. The reader has the
// frames that end from then on, and misses none.
func TestAReaderJoinsWhileFramesWaitForTheGPU(t *testing.T) {
	withEvents(t, 0)
	s, zone := process.Default(), gather.Zone{Name: "on the GPU"}
	gpu := gather.NewForeignLane("GPU", 1e6)
	defer gpu.Close()
	gpu.Calibrate(0, 0)
	s.Update()
	var outs [3]bytes.Buffer
	first := capture.RecordTo(s, &outs[0])
	issued := platform.Now()
	gpu.Wait(issued)
	for range 3 {
		s.Update()
	}
	recording, unused := capture.RecordTo(s, &outs[1]), capture.RecordTo(s, io.Discard)
	stream := capture.StreamTo(s, &outs[2])
	if err := unused.Close(); err != nil || unused.Dropped() > 0 { // hands out the frames so far
		t.Errorf("got %v, %d dropped of no frames", err, unused.Dropped())
	}
	gpu.Add([]gather.ForeignScope{{Zone: &zone, Begin: int64(issued) + 1, End: int64(issued) + 2, Issued: issued}})
	gpu.Wait(0)
	for range 2 {
		s.Update()
	}
	for i, r := range []*capture.Recorder{first, recording, stream} {
		must.Do(t, r.Close())
		var got []uint64
		lost := eachFrame(t, &outs[i], func(index uint64, _ string) { got = append(got, index) })
		if want := []int{5, 2, 2}[i]; len(got) != want || lost+r.Dropped() > 0 {
			t.Errorf("reader %d: got frames %d, %d lost, %d dropped; want %d", i, got, lost, r.Dropped(), want)
		}
	}
}
