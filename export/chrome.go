package export

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"example.com/iprof/gather"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// NewChrome begins a file in the trace event format, which chrome://tracing, Perfetto and speedscope open. Lanes are
// threads. Each slice has its number of calls and the program's remark on it: see gather.Remark. Counts and levels are
// counters, marks are instants. Times are microseconds with three decimals, so no nanosecond is lost. If a frame has
// states (see gather.LaneState), the states of a goroutine are a thread below its lane, and an arrow leads from the
// scope that ended a wait to the scope that waited. It leaves out files and lines of zones.
//
//	x := export.NewChrome(w, "game")
//	defer session.AddSink(x)() // or x.WriteFrame for each frame; x.Close ends the file
func NewChrome(w io.Writer, program string) *Frames {
	c := &chrome{out: buffered(w), lanes: map[gather.LaneID]string{}}
	c.out.WriteString(`{"displayTimeUnit":"ns","otherData":{"exporter":"iprof","places":`)
	c.out.Write(quoted(places))
	c.out.WriteString("},\"traceEvents\":[\n")
	c.out.WriteString(`{"ph":"M","pid":1,"name":"process_name","args":{"name":`)
	c.out.Write(quoted(program))
	c.out.WriteString("}}")
	c.thread(0, "frames", -1)
	return newFrames(c.out, c)
}

type chrome struct {
	out   *bufio.Writer
	names [][]byte // by zone id, as JSON
	stack []chromeSlice

	lanes  map[gather.LaneID]string
	stated map[track]bool // the threads of states that were named
}

type chromeSlice struct {
	zone   gather.ZoneID
	begin  int64
	calls  uint64
	remark report.Remark
}

func (c *chrome) say(_ gather.LaneID, depth int, m *gather.Remark) {
	c.stack[depth].remark.Join(m.Text, m.Value, m.Valued)
}

func (c *chrome) name(_ gather.ZoneID, z *gather.ZoneInfo) { c.names = append(c.names, quoted(z.Name)) }

func (c *chrome) lane(id gather.LaneID, name string) {
	if _, known := c.lanes[id]; known {
		return
	}
	if len(c.lanes) >= 2*mostLanes {
		clear(c.lanes)
	}
	c.lanes[id] = name
	c.thread(uint64(id)+1, name, 2*int64(id)-1)
}

// thread names a thread and sets its place in the order of threads. Thread 0 has the frames. The number of a lane's
// thread is the lane's id + 1.
func (c *chrome) thread(id uint64, name string, place int64) {
	head := ",\n" + `{"ph":"M","pid":1,"tid":` + strconv.FormatUint(id, 10)
	c.out.WriteString(head + `,"name":"thread_name","args":{"name":`)
	c.out.Write(quoted(name))
	c.out.WriteString("}}" + head + `,"name":"thread_sort_index","args":{"sort_index":`)
	c.out.WriteString(strconv.FormatInt(place, 10) + "}}")
}

func (c *chrome) begin(_ gather.LaneID, at int64, zone gather.ZoneID, calls uint64) {
	c.stack = append(c.stack, chromeSlice{zone: zone, begin: at, calls: calls})
}

func (c *chrome) end(lane gather.LaneID, at int64) {
	s := c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
	c.slice(uint64(lane)+1, c.names[s.zone], s.begin, at)
	c.out.WriteString(`,"args":{"calls":`)
	c.out.WriteString(strconv.FormatUint(s.calls, 10))
	if s.remark.Text != "" {
		c.out.WriteString(`,"text":`)
		c.out.Write(quoted(s.remark.Text))
	}
	if s.remark.Valued {
		c.out.WriteString(`,"value":`)
		c.out.Write(strconv.AppendFloat(nil, s.remark.Value, 'g', -1, 64))
	}
	c.out.WriteString("}}")
}

func (c *chrome) frame(f *gather.Frame, begin, end int64) {
	c.slice(0, quoted(frameName(f)), begin, end)
	c.out.WriteByte('}')
}

func (c *chrome) slice(thread uint64, name []byte, begin, end int64) {
	c.out.WriteString(",\n" + `{"ph":"X","pid":1,"tid":`)
	c.out.WriteString(strconv.FormatUint(thread, 10))
	c.out.WriteString(`,"ts":`)
	c.micros(begin)
	c.out.WriteString(`,"dur":`)
	c.micros(end - begin)
	c.out.WriteString(`,"name":`)
	c.out.Write(name)
}

func (c *chrome) value(_ int, name string, at int64, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) { // JSON has neither
		return
	}
	c.out.WriteString(",\n" + `{"ph":"C","pid":1,"ts":`)
	c.micros(at)
	c.out.WriteString(`,"name":`)
	c.out.Write(quoted(name))
	c.out.WriteString(`,"args":{"value":`)
	c.out.Write(strconv.AppendFloat(nil, v, 'g', -1, 64))
	c.out.WriteString("}}")
}

func (c *chrome) mark(at int64, text string) {
	c.out.WriteString(",\n" + `{"ph":"i","s":"p","pid":1,"tid":0,"ts":`)
	c.micros(at)
	c.out.WriteString(`,"name":`)
	c.out.Write(quoted(text))
	c.out.WriteByte('}')
}

// micros writes nanoseconds as microseconds. Times of a file may be below 0.
func (c *chrome) micros(ns int64) {
	b, n := c.out.AvailableBuffer(), uint64(ns)
	if ns < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendUint(b, n/1000, 10)
	b = append(b, '.', byte('0'+n/100%10), byte('0'+n/10%10), byte('0'+n%10))
	c.out.Write(b)
}

func (c *chrome) close() { c.out.WriteString("\n]}\n") }

// quoted returns a string in JSON. Bytes that are not UTF-8 become U+FFFD; <, > and & are escaped.
func quoted(s string) []byte {
	b, _ := json.Marshal(s) // a string has no error
	return printed.JSON(b)
}
