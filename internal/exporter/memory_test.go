package exporter_test

import (
	"fmt"
	"io"
	"runtime"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// calls is an event source: a call of zone 1 each two ticks.
type calls struct{}

func (calls) EventsSince(gather.LaneID) (platform.Ticks, bool) { return 0, true }

func (calls) AppendEvents(dst []gather.Event, _ gather.LaneID, begin, end platform.Ticks) []gather.Event {
	for at := begin; at < end; at++ {
		dst = append(dst, gather.Event{Time: at, Zone: 1, Node: 1, Level: 0, End: (at-begin)%2 == 1})
	}
	return dst
}

// long writes a capture of so many scopes, 10,000 in each frame, with their events and with states. Each frame has a
// goroutine that none had before.
func long(w io.Writer, scopes int) error {
	out := framefile.NewWriter(w, framefile.Info{Program: "long"})
	const length = 20_000
	for i := range scopes * 2 / length {
		at := platform.Ticks(i * length)
		f := gather.Frame{Index: uint64(i), Begin: at, End: at + length, TicksPerSecond: 1e9,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "step"}}}
		f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: at, End: at + length,
			Nodes: []gather.Node{{Parent: -1, Self: length / 2},
				{ID: 1, Zone: 1, Self: length / 2, Count: length / 2}}},
			{ID: gather.LaneID(i + 2), Name: fmt.Sprint("goroutine ", i), Begin: at, End: at + length,
				Nodes: []gather.Node{{Parent: -1, Self: length}}}}
		for k := range platform.Ticks(20) {
			f.States = append(f.States, gather.LaneState{Lane: 1, Kind: gather.StateSyscall, Place: "main.go:1",
				Begin: at + 1000*k, End: at + 1000*k + 500})
		}
		out.TakeEvents(calls{})
		if err := out.WriteFrame(&f); err != nil {
			return err
		}
	}
	return out.Close()
}

// peak is a reader that notes the greatest heap, about every megabyte.
type peak struct {
	io.Reader
	heap uint64
	read int
}

func (p *peak) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if p.read += n; p.read > 1<<20 {
		p.read = 0
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		p.heap = max(p.heap, now.HeapAlloc)
	}
	return n, err
}

// TestExportsAreStreams: of 10 million scopes no format holds more than of a tenth.
func TestExportsAreStreams(t *testing.T) {
	scopes := longtest.Pick(10_000_000, 1_000_000)
	for _, format := range exporter.Formats {
		if format.Name == exporter.Trace {
			continue
		}
		t.Run(format.Name, func(t *testing.T) {
			heap := func(scopes int) int {
				from, to := io.Pipe()
				go func() { to.CloseWithError(long(to, scopes)) }()
				p := peak{Reader: from}
				must.Do(t, format.Write(io.Discard, &p, &exporter.Selection{}))
				return int(p.heap)
			}
			const most = 16 << 20
			few, many := heap(scopes/10), heap(scopes)
			if t.Logf("%d MB, %d MB", few>>20, many>>20); many-few > most {
				t.Errorf("the heap has %d bytes more; want %d at most", many-few, most)
			}
		})
	}
}
