//go:build !iprof_off

package oracle_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof"
	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// tape is a recording in progress, or a stream to a viewer.
type tape struct {
	*capture.Recorder
	file  bytes.Buffer
	from  int   // the first fact in it, of those in all frames
	waits bool  // frames may have waited for the GPU when it began
	sets  []int // the first fact of each set in it, of those in its frames
}

// record begins a recording, or a stream.
func (p *program) record() {
	r := &tape{from: p.ends, waits: p.waits}
	o := capture.RecordOptions{To: &r.file, Live: p.rng.IntN(3) == 0}
	r.Recorder = must.Get(capture.Record(p.session, o))(p.t)
	p.tapes = append(p.tapes, r)
	for _, s := range p.sets {
		r.sets = append(r.sets, len(s.facts))
	}
}

// play ends a recording, and asks it for the sums of its frames. A stream may have left out some, and says so.
func (p *program) play(i int) {
	r := p.tapes[i]
	p.tapes = append(p.tapes[:i], p.tapes[i+1:]...)
	must.Do(p.t, r.Close())
	if p.with.level == byPath {
		p.with.level = merged // in a file, a lane keeps its first name
		defer func() { p.with.level = byPath }()
	}
	got, _ := p.readFile(r.file.Bytes())
	if r.Dropped() == 0 && !r.waits && (!p.with.controls || !p.with.mix.holds) {
		p.answer(question{name: "recording", noMarks: p.with.free, noOpen: true, noRoots: true}, got,
			p.recorded[r.from:p.ends])
	}
	for i := range r.sets {
		p.playSet(r, i)
	}
}

// playSet asks a recording for the sums of the frames of another set.
func (p *program) playSet(r *tape, i int) {
	var file bytes.Buffer
	s := p.sets[i]
	name := s.session.Sources().Set
	if _, err := framefile.CopySet(&file, bytes.NewReader(r.file.Bytes()), name); err != nil {
		p.t.Error(err)
	}
	got, lost := p.readFile(file.Bytes())
	if lost == 0 && (!p.with.controls || !p.with.mix.holds) {
		p.answer(question{name: "recording of " + name, noMarks: true, noOpen: true, noRoots: true}, got,
			s.facts[r.sets[i]:])
	}
}

// readFile returns the sums of the frames in a file, and how many the file says it has not. There must be no other
// missing between two of them. Frames of sets may have gaps between them.
func (p *program) readFile(file []byte) (sums map[place]sum, missing uint64) {
	r, err := framefile.NewReader(bytes.NewReader(file))
	all, next := map[place]sum{}, gather.Frame{}
	for lost, f := r.Lost(), (gather.Frame{}); err == nil; {
		if err = r.Next(&f); err != nil {
			break
		}
		if next.Index > 0 && r.Lost() == lost && (f.Index != next.Index || f.Begin < next.End) {
			p.t.Errorf("frame %d from %d: got after frame %d until %d", f.Index, f.Begin, next.Index-1, next.End)
		}
		next.Index, next.End, lost = f.Index+1, f.End, r.Lost()
		p.frame(all, &f)
	}
	for at, s := range all {
		s.open = false
		all[at] = s
	}
	if !errors.Is(err, io.EOF) || !r.Complete() {
		p.t.Errorf("reading a recording: got %v, complete %v", err, r.Complete())
	}
	return all, r.Lost()
}

// What was measured before Pause, Reset or UndoReset is in recordings, black boxes and viewers.
func TestEachPressEndsTheFrame(t *testing.T) {
	s := process.Default()
	do := func(n int) {
		for range n {
			zones[1].Begin().End()
			iprof.Count("oracle")
		}
	}
	for name, c := range map[string]struct {
		press func()
		more  int
	}{
		"none":            {func() {}, 0},
		"Pause, Resume":   {func() { s.Pause(); s.Resume() }, 0},
		"work in a pause": {func() { s.Pause(); do(10); s.Resume() }, 10},
		"Reset":           {s.Reset, 0},
		"UndoReset":       {func() { s.Reset(); do(10); s.UndoReset() }, 10},
	} {
		t.Run(name, func(t *testing.T) {
			iprof.Update()
			p, dir := &program{t: t}, t.TempDir()
			var file, stream bytes.Buffer
			rec := must.Get(capture.Record(s, capture.RecordOptions{To: &file}))(t)
			viewer := must.Get(capture.Record(s, capture.RecordOptions{To: &stream, Live: true}))(t)
			box := must.Get(capture.NewBlackBox(s, capture.BlackBoxOptions{Dir: dir, After: -1, OverBudget: -1}))(t)
			do(1000)
			iprof.Mark("oracle")
			c.press()
			do(1000)
			iprof.Mark("oracle")
			box.Trigger("press")
			iprof.Update()
			for _, close := range []func() error{rec.Close, viewer.Close, box.Close} {
				must.Do(t, close())
			}
			files, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
			if len(files) != 1 {
				t.Fatalf("black box: got %v; want one file", files)
			}
			kept := must.Get(os.ReadFile(files[0]))(t)
			n := int64(2000 + c.more)
			want := charges{counted: n, marks: 2}
			for name, b := range map[string][]byte{"recording": file.Bytes(), "viewer": stream.Bytes(), "box": kept} {
				if name == "viewer" && viewer.Dropped() > 0 {
					continue // the stream was slower than the program, and says so
				}
				got, _ := p.readFile(b)
				if work := got[place{path: "z1"}]; work.most != n || got[place{lane: counts}].charges != want {
					t.Errorf("%s: got %v, %v; want %d entries, %v", name, work, got[place{lane: counts}], n, want)
				}
			}
		})
	}
}
