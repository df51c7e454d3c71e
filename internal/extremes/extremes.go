// Package extremes makes captures with numbers at the ends of their types, for tests of readers. Equal seeds give equal
// captures. Nothing but tests may import it. It writes files, because a session may refuse such frames.
//
//	for seed := range uint64(1500) {
//		file := extremes.Capture(seed)
//		…
//	}
package extremes

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"time"

	"example.com/iprof/process"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/platform"
)

// maker makes one capture.
type maker struct {
	random *rand.Rand
	often  int // one in this many numbers is extreme
	nodes  []gather.Node
}

// Capture returns a capture. Of two seeds in three, the frames are well formed and some of their numbers are extreme.
// Of the third, the numbers in the file's bytes are replaced, and the sums of its chunks are right.
func Capture(seed uint64) []byte {
	m := &maker{random: rand.New(rand.NewPCG(seed, 41))}
	m.often = []int{2, 8, 40, 200}[m.random.IntN(4)]
	raw := seed%3 == 2
	if raw {
		m.often = math.MaxInt
	}
	var b bytes.Buffer
	info := framefile.Info{Program: "extremes", GoVersion: "go1", Machine: "none", Start: time.Unix(1e9, 0)}
	if m.random.IntN(4) == 0 {
		info.HasFrame, info.Frame = true, uint64(m.random.IntN(5))
		m.spoil(reflect.ValueOf(&info.Frame).Elem())
	}
	w := framefile.NewWriter(&b, info)
	f := m.first()
	for i := range 3 + m.random.IntN(12) {
		frame := m.next(f, uint64(i))
		m.spoil(reflect.ValueOf(frame).Elem())
		if w.WriteJudged(frame, &process.Judged{Events: m, Budget: time.Duration(m.number(16e6))}) != nil {
			panic("extremes: a buffer refuses a frame")
		}
	}
	if w.Close() != nil {
		panic("extremes: a buffer refuses the end")
	}
	if raw {
		return m.replace(b.Bytes())
	}
	return b.Bytes()
}

// Numbers are numbers at the ends of the types that files have.
var Numbers = []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, math.MaxInt64 / 2,
	math.MinInt64 / 2, math.MaxInt32, math.MinInt32, math.MaxUint32, 1 << 31, 1 << 53, 1<<53 + 1, -1 << 53, 1 << 62}

// floats are floating-point numbers at the ends of their type, infinities and NaN.
var floats = []float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64,
	-math.MaxFloat64, math.SmallestNonzeroFloat64, 1e300, 1e-300, 1e18, 1e19, 2.6e9}

// number returns usual or an extreme number.
func (m *maker) number(usual int64) int64 {
	if m.random.IntN(m.often) == 0 {
		return Numbers[m.random.IntN(len(Numbers))]
	}
	return usual
}

// first returns the frame before the first: zones, lanes, counters.
func (m *maker) first() *gather.Frame {
	f := &gather.Frame{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	for i := range 1 + m.random.IntN(6) {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: "zone " + string(rune('a'+i)), Function: "main.f",
			File: "/a/b.go", Line: i, Idle: i == 3, Public: i%2 == 0})
	}
	f.Counters = []gather.CounterInfo{{Name: "sum"}, {Name: "level", Level: true}}
	for i := range 1 + m.random.IntN(6) {
		l := gather.LaneFrame{ID: gather.LaneID(i + 1), Name: "lane", Updater: i == 0, Device: i == 4, Goroutine: 7}
		l.Nodes = []gather.Node{{ID: gather.NodeID(100 * i), Parent: -1}}
		for j := range int32(m.random.IntN(8)) {
			l.Nodes = append(l.Nodes, gather.Node{ID: gather.NodeID(100*i) + gather.NodeID(j) + 1,
				Zone: gather.ZoneID(1 + m.random.IntN(len(f.Zones)-1)), Parent: m.random.Int32N(j + 1)})
		}
		f.Lanes = append(f.Lanes, l)
	}
	return f
}

// next returns a frame with usual numbers.
func (m *maker) next(first *gather.Frame, index uint64) *gather.Frame {
	f, r := *first, m.random
	f.Index, f.Begin = index, platform.Ticks(index)*1e7
	f.End = f.Begin + 1e7
	if r.IntN(5) == 0 {
		f.End += 1e8
	}
	f.Memory = gather.MemoryFrame{AllocBytes: 100, AllocObjects: 3, HeapLive: 1 << 20, Cycles: 1, Pause: 1000, Mode: 3}
	f.Values = []gather.CounterValue{{Counter: 0, Value: 3}, {Counter: 1, Value: 2.5}}
	f.Marks = []gather.MarkInfo{{Time: f.Begin + 5, Lane: 1, Text: "mark"}}
	f.States = []gather.LaneState{
		{Lane: 1, Kind: gather.StateWaiting, Begin: f.Begin, End: f.Begin + 100, Reason: "lock", Waker: 2},
		{Lane: 2, Kind: gather.StateRunnable, Begin: f.Begin, End: f.Begin + 1000}}
	f.Lanes = nil
	for _, l := range first.Lanes {
		l.Begin = f.Begin
		l.End = f.End
		l.ScopeCost = 4096
		l.CPU = 1000
		l.Nodes = append([]gather.Node(nil), l.Nodes...)
		for i := range l.Nodes {
			n := &l.Nodes[i]
			n.Self, n.Count, n.Estimated = (f.End-f.Begin)/platform.Ticks(len(l.Nodes)), 2, gather.Estimated(r.IntN(3))
			if r.IntN(3) == 0 {
				l.Extras = append(l.Extras, gather.NodeExtra{Node: int32(i), Allocs: 2, AllocBytes: 64, Units: 3,
					Variance: 4, HeapObjects: 1, HeapBytes: 8, Estimated: n.Estimated})
			}
		}
		f.Lanes = append(f.Lanes, l)
	}
	m.nodes = f.Lanes[0].Nodes
	return &f
}

// EventsSince says that the first lane's events are there.
func (m *maker) EventsSince(lane gather.LaneID) (since platform.Ticks, kept bool) {
	return 0, lane == 1
}

// AppendEvents appends the frame's events: a scope for each node of the first lane.
func (m *maker) AppendEvents(dst []gather.Event, lane gather.LaneID, from, _ platform.Ticks) []gather.Event {
	if lane != 1 {
		return dst
	}
	for i, n := range m.nodes[1:] {
		at := from + platform.Ticks(i)*1000
		begin := gather.Event{Time: platform.Ticks(m.number(int64(at))), Zone: n.Zone, Node: n.ID}
		end := begin
		end.Time, end.End = platform.Ticks(m.number(int64(at+500))), true
		dst = append(dst, begin, end)
	}
	return dst
}

// links are the fields with indices and ids of others. A Writer needs them right.
var links = map[string]bool{"Zone": true, "Node": true, "Parent": true, "ID": true, "Counter": true, "Zones": true,
	"Counters": true}

// spoil makes numbers of a value extreme, at any depth.
func (m *maker) spoil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && !links[field.Name] {
				m.spoil(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			m.spoil(v.Index(i))
		}
	default:
		if m.random.IntN(m.often) == 0 {
			m.extreme(v)
		}
	}
}

func (m *maker) extreme(v reflect.Value) {
	n := Numbers[m.random.IntN(len(Numbers))]
	switch {
	case v.CanInt():
		v.SetInt(n)
	case v.CanUint():
		v.SetUint(uint64(n))
	case v.CanFloat():
		v.SetFloat(floats[m.random.IntN(len(floats))])
	case v.Kind() == reflect.Bool:
		v.SetBool(n&1 == 0)
	}
}

// headBytes is the length of the header before the first chunk.
const headBytes = 10

// replace replaces some bytes of each chunk by numbers at the ends of their types, and sums the chunks again.
func (m *maker) replace(file []byte) []byte {
	out := append([]byte(nil), file[:headBytes]...)
	for at := headBytes; at+1 < len(file); {
		length, n := binary.Uvarint(file[at+1:])
		begin := at + 1 + n
		payload := append([]byte(nil), file[begin:begin+int(length)]...)
		if at > headBytes && m.random.IntN(3) == 0 && len(payload) > 0 {
			payload = m.spliced(payload)
		}
		chunk := binary.AppendUvarint([]byte{file[at]}, uint64(len(payload)))
		chunk = append(chunk, payload...)
		sum := crc32.Checksum(chunk, crc32.MakeTable(crc32.Castagnoli))
		out = binary.LittleEndian.AppendUint32(append(out, chunk...), sum)
		at = begin + int(length) + 4
	}
	return out
}

// spliced replaces a byte of a payload by a number in one of the forms that the format has.
func (m *maker) spliced(payload []byte) []byte {
	at := m.random.IntN(len(payload))
	var number []byte
	n := Numbers[m.random.IntN(len(Numbers))]
	switch m.random.IntN(4) {
	case 0:
		number = binary.AppendVarint(nil, n)
	case 1:
		number = binary.AppendUvarint(nil, uint64(n))
	case 2:
		f := floats[m.random.IntN(len(floats))]
		number = binary.LittleEndian.AppendUint64(nil, math.Float64bits(f))
		return append(append(append([]byte(nil), payload[:at]...), number...), payload[min(at+8, len(payload)):]...)
	default:
		number = []byte{byte(n)}
	}
	return append(append(append([]byte(nil), payload[:at]...), number...), payload[at+1:]...)
}
