package capture_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// longRun is a program that runs for days by a clock of its own, while it is recorded. A scope stays open all the time.
type longRun struct {
	rate int64
	long int64 // ticks of a frame
	now  int64
	ends []int64 // of the frames
	file bytes.Buffer
}

const (
	longFrames = 1500
	quickFrom  = longFrames - 20 // frames from this one on take a sixtieth of a second
)

// workOf is how long the zone "work" takes in a frame, in ticks; in it is "inner" for three.
func workOf(frame int) int64 { return 7_000_001 + int64(frame) }

// lengthOf is how long a frame takes. What is not work comes first.
func (r *longRun) lengthOf(frame int) int64 {
	if frame >= quickFrom {
		return r.rate / 60
	}
	return r.long + int64(frame)
}

func newLongRun(t *testing.T, seconds, rate int64) *longRun {
	r := &longRun{rate: rate, long: seconds * rate / longFrames, now: 1 << 40}
	platform.SetClock(func() int64 { return r.now }, float64(rate))
	gather.SetEvents(1 << 12)
	s := process.Default()
	s.Update()
	recording := capture.RecordTo(s, &r.file)
	defer func() {
		must.Do(t, recording.Close())
		gather.SetEvents(0)
		platform.SetClock(nil, 0)
	}()
	always, work, inner := gather.Zone{Name: "always"}, gather.Zone{Name: "work"}, gather.Zone{Name: "inner"}
	all := always.Begin()
	for i := range longFrames {
		r.now += r.lengthOf(i) - workOf(i) - 3
		w := work.Begin()
		r.now += workOf(i)
		n := inner.Begin()
		r.now += 3
		n.End()
		w.End()
		if i == longFrames-1 {
			all.End()
		}
		s.Update()
		r.ends = append(r.ends, r.now)
	}
	return r
}

// The recording of a program that has run for a day, a month or a year has each tick, and what shows it has each
// nanosecond.
func TestRecordingsOfDays(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured in a program built with iprof_off")
	}
	const day = 86_400
	for name, seconds := range map[string]int64{"a day": day, "a month": 30 * day, "a year": 365 * day} {
		for _, rate := range []int64{1e9, 2_893_201_117} {
			t.Run(fmt.Sprintf("%s/%d", name, rate), func(t *testing.T) {
				r := newLongRun(t, seconds, rate)
				r.checkFrames(t)
				s := process.NewSession()
				if c, err := framefile.Load(s, bytes.NewReader(r.file.Bytes())); err != nil || len(c.Damages) > 0 {
					t.Fatal(err, c)
				}
				r.checkSums(t, s.Dump(report.DumpOptions{}))
				r.checkTimeline(t, s)
			})
		}
	}
}

// checkFrames reads the frames, tick by tick.
func (r *longRun) checkFrames(t *testing.T) {
	frames, damages, reader := readAll(t, r.file.Bytes())
	if len(frames) != longFrames || damages > 0 || reader.Lost() > 0 {
		t.Fatalf("got %d frames, %d damages, %d lost; want %d frames", len(frames), damages, reader.Lost(), longFrames)
	}
	for i := range frames {
		f, work, all := &frames[i], int64(0), int64(0)
		for _, l := range f.Lanes {
			for _, n := range l.Nodes {
				if f.Zones[n.Zone].Name == "work" {
					work += int64(n.Self)
				}
				if l.Updater {
					all += int64(n.Self)
				}
			}
		}
		// the custom clock begins at 1
		if got := int64(f.End) - 1; got != r.ends[i] || work != workOf(i) || all != int64(f.End-f.Begin) {
			t.Fatalf("frame %d: got the end %d, %d ticks of work, %d of %d in all; want %d, %d", i, got, work, all,
				f.End-f.Begin, r.ends[i], workOf(i))
		}
	}
}

// checkSums compares sums over all frames with exact ones.
func (r *longRun) checkSums(t *testing.T, d *report.Dump) {
	nanos := func(ticks int64) float64 {
		exact, _ := new(big.Rat).Mul(big.NewRat(ticks, r.rate), big.NewRat(1e9, 1)).Float64()
		return exact
	}
	all, work := r.now-1<<40, int64(0)
	for i := range longFrames {
		work += workOf(i)
	}
	if want := nanos(all); math.Abs(float64(d.RunTime)-want) > 1+want*0x1p-50 {
		t.Errorf("run time: got %v; want %.0f ns", d.RunTime, want)
	}
	rest, found := all-work-3*longFrames, 0
	for name, ticks := range map[string]int64{"work": work, "inner": 3 * longFrames, "always": rest} {
		for _, n := range d.Merged {
			if d.Zones[n.Zone].Name != name {
				continue
			}
			found++
			if want := nanos(ticks); math.Abs(n.Self*1e6-want) > 1+want*0x1p-50 {
				t.Errorf("%s: got %.3f ns; want %.3f", name, n.Self*1e6, want)
			}
		}
	}
	if found != 3 {
		t.Errorf("got %d sums; want 3", found)
	}
}

// checkTimeline compares scopes of the last frames but one, long ones and quick ones, with their ticks, to the
// nanosecond.
func (r *longRun) checkTimeline(t *testing.T, s *process.Session) {
	ms := func(ticks int64) float64 { return float64(ticks) / float64(r.rate) * 1e3 }
	for age := 1; age < 40; age++ {
		frame, found := longFrames-1-age, 0
		length := r.lengthOf(frame)
		for _, scope := range s.AppendTimeline(nil, 0, age) {
			begin, end := ms(length-workOf(frame)-3), ms(length)
			switch s.Zone(scope.Zone).Name {
			case "always":
				begin = 0
			case "work":
			case "inner":
				begin = ms(length - 3)
			default: // the profiler's own
				continue
			}
			if found++; math.Abs(scope.Begin-begin) > 1e-6 || math.Abs(scope.End-end) > 1e-6 {
				t.Errorf("%s, frame %d: got %.7f to %.7f ms; want %.7f to %.7f", s.Zone(scope.Zone).Name, frame,
					scope.Begin, scope.End, begin, end)
			}
		}
		if found != 3 {
			t.Errorf("frame %d: got %d scopes; want 3", frame, found)
		}
	}
}
