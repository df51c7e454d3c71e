package exectrace

import (
	"errors"
	"fmt"
	"io"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/process/report"
)

// Annotate copies a capture that has an execution trace, such as a black box's, and adds the states of goroutines to
// its frames. If the trace has samples of the CPU profiler, the copy has hot lines of the whole trace and of its 16
// longest frames with samples. Annotate reads in five times from its beginning. It holds at most MaxStates states,
// MaxSamples samples, and about a second of the trace in memory. Damaged stretches are left out.
func Annotate(in io.ReadSeeker, out io.Writer) error {
	of := map[uint64]report.LaneGoroutine{}
	rate, zones := 0.0, []gather.ZoneInfo(nil)
	err := frames(in, func(_ *framefile.Reader, f *gather.Frame) error {
		for i := range f.Lanes {
			if l := &f.Lanes[i]; l.Goroutine != 0 {
				of[l.Goroutine] = report.LaneGoroutine{Lane: l.ID, Goroutine: l.Goroutine}
			}
		}
		rate, zones = f.TicksPerSecond, append(zones[:0], f.Zones...)
		return nil
	})
	if err != nil {
		return err
	}
	var lanes []report.LaneGoroutine
	var numbers []uint64
	for number, l := range of {
		lanes, numbers = append(lanes, l), append(numbers, number)
	}
	states, err := traceIn{in}.read(numbers)
	if err != nil {
		return err
	}
	list, err := states.Lanes(lanes, rate, report.MaxStates)
	if err != nil {
		return err
	}
	var hot *report.HotZones
	if len(states.samples) > 0 {
		p := newPlacer(lanes, sampled.FunctionsOf(zones))
		if hot, err = hotIn(in, states, p, rate); err != nil {
			return err
		}
	}
	return rewrite(in, out, list, hot)
}

// traceIn is the execution trace in a capture.
type traceIn struct{ file io.ReadSeeker }

// WriteTo writes the trace, part by part.
func (t traceIn) WriteTo(out io.Writer) (int64, error) {
	r, err := open(t.file)
	if err != nil {
		return 0, err
	}
	return r.WriteTrace(out)
}

// read reads the trace while another goroutine extracts it from the capture.
func (t traceIn) read(goroutines []uint64) (*States, error) {
	from, to := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := t.WriteTo(to)
		_ = to.CloseWithError(err)
	}()
	states, err := Read(from, goroutines...)
	if err == nil {
		_, err = io.Copy(io.Discard, from) // only an error may be left
	}
	_ = from.Close()
	<-done // only one goroutine at a time may read the file
	return states, err
}

// rewrite copies the frames. Each frame gets the states that end before its end; the last frame gets the rest. hot has
// the hot lines; with nil the capture's own stay.
func rewrite(in io.ReadSeeker, out io.Writer, list []gather.LaneState, hot *report.HotZones) error {
	last := uint64(0)
	if err := frames(in, func(_ *framefile.Reader, f *gather.Frame) error { last = f.Index; return nil }); err != nil {
		return err
	}
	var w *framefile.Writer
	err := frames(in, func(r *framefile.Reader, f *gather.Frame) error {
		if w == nil {
			w = framefile.NewWriter(out, r.Info())
		}
		f.States = f.States[:0]
		rest := list[:0]
		for i := range list {
			if list[i].End <= f.End || f.Index == last {
				f.States = append(f.States, list[i])
			} else {
				rest = append(rest, list[i])
			}
		}
		list = rest
		j := r.Judged()
		if hot != nil {
			j.Hot = func() *report.HotZones { return hot }
		}
		for _, p := range r.Pictures() {
			w.TakePicture(p.Frame, p.Picture)
		}
		return w.WriteJudged(f, j)
	})
	if err != nil {
		return err
	}
	if w == nil {
		return errors.New("exectrace: the capture has no frames")
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := w.CopySets(in); err != nil {
		return err
	}
	if err := w.WriteTrace(traceIn{in}); err != nil {
		return err
	}
	return w.Close()
}

func open(in io.ReadSeeker) (*framefile.Reader, error) {
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("exectrace: %w", err)
	}
	return framefile.NewReader(in)
}

// frames calls do with each frame of a capture.
func frames(in io.ReadSeeker, do func(r *framefile.Reader, f *gather.Frame) error) error {
	r, err := open(in)
	if err != nil {
		return err
	}
	var f gather.Frame
	var damage *framefile.DamageError
	for {
		switch err := r.Next(&f); {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &damage):
			continue
		case err != nil:
			return err
		}
		if err := do(r, &f); err != nil {
			return err
		}
	}
}
