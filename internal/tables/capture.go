package tables

import (
	"errors"
	"math"
	"slices"

	"example.com/iprof/internal/chosen"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// NewestFrames is the number of newest frames of a long file in a session.
const NewestFrames = 512

// Capture is an open capture, and the choices of its frames and lanes. One goroutine at a time may use it.
type Capture struct {
	*framefile.Contents
	Session *process.Session

	// Of a long file, whose session has the newest frames only; else nil.
	File *framefile.File
	Sums *framefile.Sums // of all frames

	near nearby
}

// nearby is the part of a long file that was read last.
type nearby struct {
	session  *process.Session
	from, to uint64 // numbers of its frames
}

// Kind is the kind of the program.
func (c *Capture) Kind() report.Kind { return c.Session.View().Info().Kind }

// Late is the least judged time of a frame over budget, in ms; 0 without a budget.
func (c *Capture) Late() float64 { return report.OverFactor * c.Session.FrameBudget().Seconds() * 1000 }

// Lens returns the frames that words choose. Without words it is every frame; where frames are only pieces of the time,
// all are one run.
func (c *Capture) Lens(words string) (report.Lens, error) {
	if words == "" {
		return c.Kind().Whole(), nil
	}
	list, _ := c.Sections()
	return report.ParseFrames(words, list)
}

// Sections returns the sections, oldest first, and the number of older ones left out.
func (c *Capture) Sections() (list []report.Section, dropped uint64) {
	if c.Sums != nil {
		return c.Sums.Sections()
	}
	var now process.Snapshot
	c.Session.View().Snapshot(&now, process.SnapshotOptions{Overview: true})
	return now.Overview.Sections, now.Overview.SectionsDropped
}

// Lane returns the lane of a name, else the only one whose name contains it; 0 for "".
func (c *Capture) Lane(name string) (report.LaneID, error) {
	if name == "" {
		return 0, nil
	}
	var now process.Snapshot
	c.Session.View().Snapshot(&now, process.SnapshotOptions{Lanes: true})
	return chosen.Lane(now.Lanes, name)
}

// Numbers returns the numbers in File of the frames that a lens chooses, oldest first.
func (c *Capture) Numbers(l report.Lens) []uint64 { return c.File.Chosen(c.Sums, l, c.Late()) }

// Takes returns a function that reports whether a lens chooses a frame. It is nil for all frames.
func (c *Capture) Takes(l report.Lens) func(number, index uint64) bool {
	if l.Kind == report.LensOff || l.Kind == report.LensAll && !l.Undisturbed {
		return nil
	}
	if c.File != nil {
		numbers := c.Numbers(l)
		return func(number, _ uint64) bool {
			_, is := slices.BinarySearch(numbers, number)
			return is
		}
	}
	chosen := map[uint64]bool{}
	for _, f := range l.Choose(c.Session.AppendFrames(nil, math.MaxInt)) {
		chosen[f.Index] = true
	}
	return func(_, index uint64) bool { return chosen[index] }
}

// Summaries returns summaries of the frames that a lens chooses, the slowest first, but only the slowest most of them.
// all is the number of those that it chooses.
func (c *Capture) Summaries(l report.Lens, most int) (list []report.FrameSummary, all int, err error) {
	if c.File == nil {
		list = l.Choose(c.Session.AppendFrames(nil, math.MaxInt))
		report.SortBySlowness(list)
		return list[:min(len(list), most)], len(list), nil
	}
	numbers := c.Numbers(l)
	if all = len(numbers); all > most {
		first, last, some := l.Range()
		numbers = c.Numbers(report.Lens{Kind: report.LensSlowest, Slowest: most, Of: l.OfBudget(), Ranged: some,
			From: first, To: last, Undisturbed: l.Undisturbed})
	}
	for _, number := range numbers {
		one := process.NewSession()
		one.SetFrameBudget(c.Session.FrameBudget())
		if _, err := c.File.Load(one, number, number+1); err != nil {
			return nil, 0, err
		}
		list = one.AppendFrames(list, 1)
	}
	report.SortBySlowness(list)
	return list, all, nil
}

// ErrNoFrame is the error for a frame that a capture does not have.
var ErrNoFrame = errors.New("the capture has no such frame")

// Around returns a session that has a frame, those before it for the usual times, and some behind it, and the frame's
// age there. The error is ErrNoFrame, or of reading.
func (c *Capture) Around(index uint64) (s *process.Session, age int, err error) {
	s = c.Session
	if c.File != nil {
		number, found := c.File.Find(index)
		if !found {
			return nil, 0, ErrNoFrame
		}
		if s, err = c.approach(number); err != nil {
			return nil, 0, err
		}
	}
	frames := s.AppendFrames(nil, math.MaxInt)
	at := slices.IndexFunc(frames, func(f report.FrameSummary) bool { return f.Index == index })
	if at < 0 {
		return nil, 0, ErrNoFrame
	}
	return s, len(frames) - 1 - at, nil
}

// The frames to read around one. They begin where those of a session with all frames begin, so that the usual times
// are the same. The first frames need some after them, too. Frames near each other share one read.
const (
	framesBefore = 160
	framesBlock  = 16
	framesBehind = 48
)

// approach returns a session with the frames around one of a long file.
func (c *Capture) approach(number uint64) (*process.Session, error) {
	near := &c.near
	if near.session != nil && (number >= near.from+framesBefore || near.from == 0) && number < near.to {
		return near.session, nil
	}
	from := (number - min(number, framesBefore)) / framesBlock * framesBlock
	to := min(number+framesBehind, c.File.Frames())
	s := process.NewSession()
	s.SetHistoryLimits(process.HistoryLimits{Frames: int(to - from)})
	if _, err := c.File.Load(s, from, to); err != nil {
		return nil, err
	}
	s.SetFrameBudget(c.Session.FrameBudget())
	*near = nearby{s, from, to}
	return s, nil
}

// Verdicts returns the verdicts on the frames that a lens chooses, oldest first: on the newest most of them. left is
// the number of older ones.
func (c *Capture) Verdicts(l report.Lens, most int) (list []report.Verdict, left int, err error) {
	if c.File != nil {
		numbers := c.Numbers(l)
		left = max(len(numbers)-most, 0)
		for _, number := range numbers[left:] {
			s, err := c.approach(number)
			if err != nil {
				return nil, 0, err
			}
			var v report.Verdict
			if s.VerdictOf(&v, int(c.near.to-1-number)) {
				list = append(list, v)
			}
		}
		return list, left, nil
	}
	frames := c.Session.AppendFrames(nil, math.MaxInt)
	some := l.Choose(frames)
	left = max(len(some)-most, 0)
	at := 0
	for i := left; i < len(some); i++ {
		for frames[at].Index != some[i].Index {
			at++
		}
		var v report.Verdict
		if c.Session.VerdictOf(&v, len(frames)-1-at) {
			list = append(list, v)
		}
	}
	return list, left, nil
}
