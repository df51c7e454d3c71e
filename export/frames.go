package export

import (
	"bufio"
	"cmp"
	"io"
	"math"
	"strconv"

	"example.com/iprof/process"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/timeline"
)

// places is a note in the files with slices.
const places = "in frames without events, the lengths of slices are measured, but their places are not: " +
	"they follow each other in the order of the call tree"

// Frames writes frames, one after another, as slices on a time axis. It is a gather.Sink, so that a session
// can feed it. It keeps no frame. It is for one goroutine at a time.
//
// A slice is one call if the lane has the events of the frame: see [gather.SetEvents] and TakeEvents. Otherwise it
// stands for all calls of a stack in the frame. Then its length is measured, but its place is not: slices follow each
// other in the order of the call tree.
type Frames struct {
	out    *bufio.Writer
	target target
	events timeline.EventSource
	placed bool // the slices of this lane are its events
	axis   axis
	began  bool
	lanes  map[gather.LaneID]knownLane
	end    int64 // end of the latest frame
	zones  []gather.ZoneInfo
	levels []float64 // the latest values of counters
	walk   walk
	state  states
}

// knownLane is a lane that the file has.
type knownLane struct {
	name string
	end  int64 // end of the latest slices, in nanoseconds
}

// target writes one format. Times are nanoseconds since the first frame. Slices of a lane nest and are in order.
type target interface {
	lane(id gather.LaneID, name string) // before the slices of each frame; a target writes it where readers need it
	begin(lane gather.LaneID, at int64, zone gather.ZoneID, calls uint64)
	end(lane gather.LaneID, at int64)
	frame(f *gather.Frame, begin, end int64)
	value(number int, name string, at int64, v float64)
	mark(at int64, text string)
	name(zone gather.ZoneID, z *gather.ZoneInfo)
	close()
}

// remarkTarget is a target that can hold the remarks on a slice. depth is the number of open slices of the lane around
// it.
type remarkTarget interface {
	say(lane gather.LaneID, depth int, m *gather.Remark)
}

// mostLanes bounds the number of lanes that are known as named. After that, lanes are named again.
const mostLanes = 10_000

func newFrames(out *bufio.Writer, t target) *Frames {
	return &Frames{out: out, target: t, lanes: map[gather.LaneID]knownLane{}}
}

// WriteJudged writes a frame with its events. Otherwise it is like WriteFrame.
func (x *Frames) WriteJudged(f *gather.Frame, j *process.Judged) error {
	if _, sums := x.target.(stackTarget); !sums {
		x.events = j.Events
	}
	return x.WriteFrame(f)
}

// WriteFrame writes a frame without events, or with those of the last WriteJudged. A slice of a scope that crosses a
// frame's end ends there, and continues in the next frame. Edges are rounded to the nanosecond. A self time below 0
// counts as 0. It returns the first error of the writer.
func (x *Frames) WriteFrame(f *gather.Frame) error {
	if !(f.TicksPerSecond > 0) {
		return nil
	}
	if !x.began {
		x.began, x.axis = true, newAxis(f)
	}
	for i := len(x.zones); i < len(f.Zones); i++ {
		z := f.Zones[i]
		z.Name = named(z.Name, i)
		x.target.name(gather.ZoneID(i), &z)
	}
	x.zones = f.Zones
	x.axis.move(f, x.end)
	begin := max(x.at(f, f.Begin), x.end)
	x.end = max(x.at(f, f.End), begin)
	x.target.frame(f, begin, x.end)
	if len(x.lanes) > mostLanes {
		clear(x.lanes)
	}
	for i := range f.Lanes {
		x.lane(f, &f.Lanes[i])
	}
	x.state.frames.add(begin, x.end)
	x.TakeStates(f)
	x.values(f, begin)
	for i := range f.Marks {
		x.target.mark(max(x.at(f, f.Marks[i].Time), 0), cmp.Or(f.Marks[i].Text, "mark"))
	}
	_, err := x.out.Write(nil) // the first error, if there is one
	return err
}

// Close writes the end of the file. It does not close the writer. It returns the first error of the writer.
func (x *Frames) Close() error {
	x.writeStates(math.MaxInt64, 0)
	x.target.close()
	err := x.out.Flush()
	if c, ok := x.target.(io.Closer); ok {
		err = cmp.Or(err, c.Close())
	}
	return err
}

// at returns a time in nanoseconds since the first frame.
func (x *Frames) at(f *gather.Frame, t platform.Ticks) int64 { return x.axis.at(f, t) }

// lane writes the slices of a lane. They begin behind the slices of the frame before, because a lane that stands for
// several goroutines may have more time than the frame.
func (x *Frames) lane(f *gather.Frame, l *gather.LaneFrame) {
	x.target.lane(l.ID, l.Name)
	x.placed = false
	x.walk.reset(x, f, l, max(x.at(f, l.Begin), x.lanes[l.ID].end))
	if x.events == nil || !x.walk.events(x.events) {
		x.walk.tree()
	}
	x.lanes[l.ID] = knownLane{l.Name, x.walk.last}
}

// values writes the counts and levels. A missing count is 0. A missing level keeps its value.
func (x *Frames) values(f *gather.Frame, begin int64) {
	for len(x.levels) < len(f.Counters) {
		x.levels = append(x.levels, 0)
	}
	at := 0
	for i := range f.Counters {
		v, has := 0.0, false
		if at < len(f.Values) && int(f.Values[at].Counter) == i {
			v, has = f.Values[at].Value, true
			at++
		}
		if has || !f.Counters[i].Level && x.levels[i] != 0 {
			x.target.value(i+1, named(f.Counters[i].Name, i), begin, v)
			x.levels[i] = v
		}
	}
	if f.Memory.Mode >= gather.MemoryHeapPerFrame {
		x.target.value(0, "heap live (bytes)", x.end, float64(f.Memory.HeapLive))
	}
}

func frameName(f *gather.Frame) string {
	name := "frame " + strconv.FormatUint(f.Index, 10)
	if f.Label != "" {
		name += " " + f.Label
	}
	return name
}

// named returns a name, or "zone" and the number if it is empty.
func named(name string, number int) string {
	if name != "" {
		return name
	}
	return "zone " + strconv.Itoa(number)
}

func buffered(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, 1<<16) }
