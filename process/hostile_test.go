package process

import (
	"encoding/binary"
	"math"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// bytesOf deals out the bytes of a fuzzer's input; afterwards zeros.
type bytesOf []byte

func (b *bytesOf) next() byte {
	if len(*b) == 0 {
		return 0
	}
	first := (*b)[0]
	*b = (*b)[1:]
	return first
}

// number is small, or one of those that break things.
func (b *bytesOf) number() int64 {
	switch k := b.next(); k {
	case 250:
		return math.MaxInt64
	case 251:
		return math.MinInt64
	case 252:
		return -1
	case 253:
		return math.MaxInt32
	case 254:
		return 1<<22 - 1
	case 255:
		var wide [8]byte
		for i := range wide {
			wide[i] = b.next()
		}
		return int64(binary.LittleEndian.Uint64(wide[:]))
	default:
		return int64(k)
	}
}

func (b *bytesOf) float() float64 {
	switch b.next() % 8 {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(1)
	case 2:
		return math.Float64frombits(uint64(b.number()))
	case 3:
		return -1
	case 4:
		return math.SmallestNonzeroFloat64
	case 5:
		return math.MaxFloat64
	}
	return 1e9
}

func (b *bytesOf) frame(zones int) *gather.Frame {
	f := &gather.Frame{Index: uint64(b.number()), Label: "frame", Begin: platform.Ticks(b.number()),
		End:            platform.Ticks(b.number()),
		TicksPerSecond: b.float(), ScopeCost: platform.Ticks(b.number()), CountCost: platform.Ticks(b.number()),
		OverheadLimit: b.float()}
	for i := range zones {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: string(rune('a' + i)), Idle: i == 3})
	}
	f.Memory = gather.MemoryFrame{AllocBytes: uint64(b.number()), HeapLive: uint64(b.number()),
		Mode: gather.MemoryMode(b.next()), Cost: platform.Ticks(b.number())}
	for range b.next() % 4 {
		f.Counters = append(f.Counters, gather.CounterInfo{Name: "c", Level: b.next()%2 == 0})
		f.Values = append(f.Values, gather.CounterValue{Counter: int32(b.number() % 5), Value: b.float()})
	}
	for range b.next() % 4 {
		f.Lanes = append(f.Lanes, b.lane())
	}
	return f
}

func (b *bytesOf) lane() gather.LaneFrame {
	l := gather.LaneFrame{ID: report.LaneID(b.number()), Name: "lane", Updater: b.next()%2 == 0,
		Untimed: uint64(b.number())}
	for i := range int32(b.next() % 12) {
		l.Nodes = append(l.Nodes, gather.Node{Self: platform.Ticks(b.number()), ID: gather.NodeID(b.number()),
			Zone:   report.ZoneID(b.next() % 8),
			Parent: i - 1 - int32(b.next()%4), Depth: int32(b.number()), Count: uint32(b.number()),
			Open: b.next()%2 == 0, Estimated: gather.Estimated(b.next())})
		if p := &l.Nodes[i].Parent; i > 0 && *p < 0 && b.next() > 3 {
			*p = 0
		}
		if b.next()%4 == 0 {
			l.Extras = append(l.Extras, gather.NodeExtra{Node: i, More: uint32(b.number()),
				Errors: uint64(uint32(b.number())),
				Allocs: uint64(b.number()),
				Units:  uint64(b.number()), Estimated: gather.Estimated(b.next()), Variance: b.float()})
		}
	}
	return l
}

// Whatever frames say, all that shows them goes on, and numbers stay numbers.
func FuzzWriteFrame(f *testing.F) {
	f.Add([]byte("\x01\x02\x03\x04\x05"))
	f.Add([]byte{255, 1, 2, 3, 4, 5, 6, 7, 8, 250, 251, 252, 253, 254, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 3, 3, 3, 3, 3,
		3, 11, 11, 11, 11})
	f.Add([]byte("100\xff00000")) // late frames without lanes
	f.Fuzz(func(t *testing.T, input []byte) {
		s, b := NewSession(), bytesOf(input)
		s.SetHistory(3, 2)
		zones := 8
		for range 5 {
			if b.next()%16 == 0 {
				zones = int(b.next() % 9)
			}
			_ = s.WriteFrame(b.frame(zones))
			s.View().Set(report.View{Mode: report.ReportMode(b.next() % 6), Average: report.Average(b.next() % 3),
				Recursion: report.Recursion(b.next() % 2), Age: int(b.number()),
				Cursor: int(b.number()), Focus: report.ZoneID(b.number()), FocusDepth: int(b.number()),
				Lane:    report.LaneID(b.number()),
				Lens:    report.Lens{Kind: report.LensKind(b.next() % 6), Slowest: int(b.number())},
				Columns: report.ColumnSet{uint64(b.number()), uint64(b.number())}})
			look(t, s)
		}
	})
}

// look asks a session for everything.
func look(t *testing.T, s *Session) {
	t.Helper()
	var r report.Report
	r.Want = report.AllColumns
	s.View().AppendReport(&r)
	for i := range r.Records {
		for c, v := range r.Records[i].Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s, column %d: got %v; want a number", r.Records[i].Name, c, v)
			}
		}
		if v := r.Records[i].StandardError; math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("%s, standard error: got %v; want a number", r.Records[i].Name, v)
		}
	}
	s.View().MoveCursor(1)
	s.View().Select()
	s.View().SelectParent()
	s.AppendSeries(nil, 5)
	s.AppendTopSeries(nil, 5, 3, 2)
	s.View().AppendLanes(nil)
	s.AppendValueSeries(nil, 5)
	s.AppendTimeline(nil, 0, 0)
	d := s.Dump(report.DumpOptions{AllFrames: true})
	for i := range d.Merged {
		if n := &d.Merged[i]; math.IsNaN(n.Self+n.Hier+n.StandardError) ||
			math.IsInf(n.Self+n.Hier+n.StandardError, 0) {
			t.Fatalf("totals of zone %d: got %v, %v, %v; want numbers", n.Zone, n.Self, n.Hier, n.StandardError)
		}
	}
}
