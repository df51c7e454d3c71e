package whatif

import (
	"errors"
	"math"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// Recording is a recorded run.
type Recording struct {
	Processors int
	PerMS      float64 // ticks
	Lanes      []Lane
	Borders    []platform.Ticks // ends of the frames; the first is the beginning of the first frame
	Updater    gather.LaneID    // its lane ends the frames
	Calls      []Call           // not empty: their mean time is asked, in place of the frames'
}

// Lane is a goroutine or a device. Its states and stretches are by their beginnings and do not overlap. A device has no
// states.
type Lane struct {
	ID        gather.LaneID
	Device    bool
	States    []gather.LaneState
	Stretches []Stretch
}

// Stretch is time in a path and in no path below it.
type Stretch struct {
	Path       int32
	Idle       bool // the program chose to wait
	Begin, End platform.Ticks
}

// Call is a call whose time is asked, such as a request.
type Call struct {
	Lane       gather.LaneID
	Begin, End platform.Ticks
}

// The kinds of steps.
const (
	work   stepKind = iota // needs a processor for the time of its parts
	rest                   // the same without a processor, such as a system call
	wake                   // gives a token
	await                  // waits until a token is given
	moment                 // waits until a recorded moment
	pause                  // a sleep or an unexplained wait
	note                   // notes the time
	join                   // waits for a token in the replay for the lower bound only
)

type stepKind uint8

// step is one thing that a lane does.
type step struct {
	kind     stepKind
	from, to int32 // of parts; of a token or a note only from
	at       platform.Ticks
	length   platform.Ticks // of a pause
}

// part is work in a path.
type part struct {
	path   int32
	length platform.Ticks
}

// Program is a recording as steps. It does not change.
type Program struct {
	Fit        float64 // length of the replayed by that of the recorded; 1 is equal
	lanes      []routine
	parts      []part
	givers     []int32 // by token: place of the lane that gives it
	notes      int
	frames     int
	calls      [][2]int32 // notes of the beginning and of the end
	processors int
	turn       float64 // for which a lane keeps the processor while others need one
	paced      bool    // the program's frames begin at given moments
	updater    int32   // place of the lane that ends the frames, or -1
	begin      platform.Ticks
	base       [2]played // for the lower and the upper bound
}

// routine is a lane as steps.
type routine struct {
	id    gather.LaneID
	steps []step
}

// ErrFew is the error for a recording without frames whose states are known.
var ErrFew = errors.New("no two frames in sequence have states of the goroutine that ends them")

// compiler makes a Program.
type compiler struct {
	*Program
	in    *Recording
	place map[gather.LaneID]int
	cuts  [][]cut // by lane: what happens within its states
}

// cut is a step at a moment.
type cut struct {
	at   platform.Ticks
	step step
}

// before orders cuts. What is at the beginning of a wait comes before it.
func (c *cut) before(d *cut) bool {
	return c.at < d.at || c.at == d.at && !c.step.waits() && d.step.waits()
}

// waits reports whether a step waits.
func (s *step) waits() bool {
	return s.kind == await || s.kind == moment || s.kind == pause
}

// Compile makes a program of a recording.
func Compile(in *Recording) (*Program, error) {
	if len(in.Borders) < 2 {
		return nil, ErrFew
	}
	c := &compiler{Program: &Program{processors: max(in.Processors, 1), turn: turn * in.PerMS, updater: -1}, in: in,
		place: map[gather.LaneID]int{}, cuts: make([][]cut, len(in.Lanes))}
	c.frames, c.begin = len(in.Borders)-1, in.Borders[0]
	for i := range in.Lanes {
		if c.place[in.Lanes[i].ID] = i; in.Lanes[i].ID == in.Updater {
			c.updater = int32(i)
		}
		in.Lanes[i].clip(c.begin, in.Borders[c.frames])
	}
	c.noteTimes()
	c.lanes = make([]routine, len(in.Lanes))
	for i := range in.Lanes {
		c.waits(i)
	}
	c.joins()
	for i := range in.Lanes {
		list := c.cuts[i]
		sort.SliceStable(list, func(i, k int) bool { return list[i].before(&list[k]) })
		c.lane(i)
	}
	c.base = [2]played{c.play(nil, false), c.play(nil, true)}
	c.Fit = c.base[1].mean / in.mean()
	return c.Program, nil
}

// turn is how long a goroutine has a processor while others need one, in ms.
const turn = 10

// mean returns the recorded mean time of a frame or a call.
func (in *Recording) mean() float64 {
	if len(in.Calls) == 0 {
		last := len(in.Borders) - 1
		return float64(in.Borders[last]-in.Borders[0]) / float64(last)
	}
	sum := 0.0
	for i := range in.Calls {
		sum += float64(in.Calls[i].End - in.Calls[i].Begin)
	}
	return sum / float64(len(in.Calls))
}

// noteTimes has the times noted that are asked.
func (c *compiler) noteTimes() {
	for _, at := range c.in.Borders {
		c.note(c.in.Updater, at)
	}
	for i := range c.in.Calls {
		o := &c.in.Calls[i]
		c.calls = append(c.calls, [2]int32{c.note(o.Lane, o.Begin), c.note(o.Lane, o.End)})
	}
}

func (c *compiler) note(lane gather.LaneID, at platform.Ticks) int32 {
	n := int32(c.notes)
	c.notes++
	if i, ok := c.place[lane]; ok {
		c.cuts[i] = append(c.cuts[i], cut{c.in.Lanes[i].awake(at), step{kind: note, from: n}})
	}
	return n
}

// token makes a token that a lane gives at a moment.
func (c *compiler) token(lane int, at platform.Ticks) int32 {
	n := int32(len(c.givers))
	c.givers = append(c.givers, int32(lane))
	c.cuts[lane] = append(c.cuts[lane], cut{at, step{kind: wake, from: n}})
	return n
}

// waits makes the steps of a lane's waits.
func (c *compiler) waits(lane int) {
	l := &c.in.Lanes[lane]
	r := &c.lanes[lane]
	r.id = l.ID
	if l.Device {
		c.device(lane)
		return
	}
	for i := range l.States {
		q := &l.States[i]
		made := l.made(i)
		if q.Kind != gather.StateWaiting && !made {
			continue
		}
		s := step{kind: pause, at: q.End, length: q.End - q.Begin}
		by, known := c.place[q.Waker]
		at := q.End
		if made {
			s, at = step{kind: moment, at: q.Begin}, q.Begin
		}
		switch {
		case q.Waker != 0 && known && by != lane:
			s = step{kind: await, from: c.token(by, at)}
		case q.Kind == gather.StateWaiting && q.By == "" && q.Reason != "sleep":
			s.kind = moment // a timer or the network
		}
		s.at = at
		begin := q.Begin
		if made {
			begin-- // nothing comes before it
		}
		c.cuts[lane] = append(c.cuts[lane], cut{begin, s})
	}
}

// device makes the steps of a device: each stretch begins when the lane that ends the frames has got there.
func (c *compiler) device(lane int) {
	l := &c.in.Lanes[lane]
	by, known := c.place[c.in.Updater]
	for i := range l.Stretches {
		q := &l.Stretches[i]
		s := step{kind: moment, at: q.Begin}
		if known {
			s = step{kind: await, from: c.token(by, q.Begin)}
		}
		c.cuts[lane] = append(c.cuts[lane], cut{q.Begin, s})
	}
}

// joins adds what the lane that ends the frames would have waited for, had it been earlier. That is work of another
// lane that was woken in a frame and ended before it. It waits at the places where it waits in other frames, or at the
// end of the frame.
func (c *compiler) joins() {
	if c.updater < 0 {
		return
	}
	waits := c.waitsFor()
	for i := range c.in.Lanes {
		l := &c.in.Lanes[i]
		if i == int(c.updater) || l.Device {
			continue
		}
		woken := platform.Ticks(math.MinInt64)
		for k := range l.States {
			q := &l.States[k]
			if q.Kind == gather.StateWaiting {
				if woken != math.MinInt64 {
					c.joined(i, waits[l.ID], woken, q.Begin)
				}
				if woken = math.MinInt64; q.Waker != 0 {
					woken = q.End
				}
			} else if q.Waker != 0 { // another goroutine
				if woken != math.MinInt64 {
					c.joined(i, waits[l.ID], woken, l.States[k-1].End)
				}
				woken = q.Begin
			}
		}
		if last := len(l.States) - 1; last >= 0 && woken != math.MinInt64 {
			c.joined(i, waits[l.ID], woken, l.States[last].End)
		}
	}
}

// waitsFor returns by lane the paths in which the lane that ends the frames waits for it.
func (c *compiler) waitsFor() map[gather.LaneID]map[int32]bool {
	l := &c.in.Lanes[c.updater]
	waits := map[gather.LaneID]map[int32]bool{}
	for i := range l.States {
		if q := &l.States[i]; q.Kind == gather.StateWaiting && q.Waker != 0 {
			if waits[q.Waker] == nil {
				waits[q.Waker] = map[int32]bool{}
			}
			waits[q.Waker][l.pathAt(q.Begin)] = true
		}
	}
	return waits
}

// joined adds a join if the work from begin to end is within a frame.
func (c *compiler) joined(lane int, paths map[int32]bool, begin, end platform.Ticks) {
	borders := c.in.Borders
	at := sort.Search(len(borders), func(i int) bool { return borders[i] > begin })
	if at > 0 && at < len(borders) && end < borders[at] {
		when := borders[at] - 1
		if len(paths) > 0 {
			when = c.in.Lanes[c.updater].firstIn(paths, end, when)
		}
		c.cuts[c.updater] = append(c.cuts[c.updater], cut{when, step{kind: join, from: c.token(lane, end)}})
	}
}
