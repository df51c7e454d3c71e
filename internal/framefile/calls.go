package framefile

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// The limits of the histograms of single calls. Package gather never has more of them at once.
const (
	callsEvery     = 0.5      // seconds between two readings of the program's histograms
	mostCallChunk  = 16 << 10 // about the bytes of a chunk. A frame has at most one, so it does not delay a viewer
	mostCallStacks = 1 << 15
	mostMissing    = 1 << 10 // of these: zones whose calls are beyond the limits
	mostBuckets    = histogram.MaxBytes / 8
)

// stack identifies the stack of zones that a histogram belongs to.
type stack struct {
	lane gather.LaneID
	node gather.NodeID
	zone gather.ZoneID
}

func stackOf(c *gather.Calls) stack { return stack{c.Lane, c.Node, c.Zone} }

func (a stack) compare(b stack) int {
	return cmp.Or(cmp.Compare(a.lane, b.lane), cmp.Compare(a.node, b.node), cmp.Compare(a.zone, b.zone))
}

func sortStacks(list []stack) {
	sort.Slice(list, func(i, k int) bool { return list[i].compare(list[k]) < 0 })
}

// CallEncoder turns histograms into chunks. A chunk has the growth since the last chunk, and after a key everything.
type CallEncoder struct {
	from      process.CallSource
	at        platform.Ticks // of the last reading
	read      bool           // histograms were read since the key
	zones     int            // of the newest frame: see fitting
	list      []gather.Calls // as read
	next      int            // index in list; histograms before it are written
	written   map[stack]*writtenCalls
	forgotten []stack // stacks that readers must forget
	turn      uint32  // number of the reading
	key       uint32  // number of the key

	payload, growth []byte
}

// writtenCalls is a histogram as it was written last.
type writtenCalls struct {
	missing uint64
	sum     platform.Ticks
	buckets []histogram.Bucket
	turn    uint32 // number of the last reading that had it
	key     uint32 // of the period in which it was written
}

// forget makes the encoder write all histograms again. It is called at a key.
func (e *CallEncoder) forget() {
	e.key++
	e.read = false
}

// append appends a chunk if calls were counted since the last one. Readers know zones below the number zones.
func (e *CallEncoder) append(dst []byte, f *gather.Frame, zones int) []byte {
	if e.from == nil {
		return dst
	}
	e.zones = zones
	due := float64(f.End-e.at) >= callsEvery*f.TicksPerSecond || f.End < e.at
	if !e.read || e.done() && due {
		e.take(f.End)
	}
	return e.chunk(dst)
}

// whole is WholeCalls.
func (e *CallEncoder) whole() (all CallEncoder) {
	if e.from == nil {
		return all
	}
	all.from, all.zones, all.key = e.from, e.zones, 1 // all are written anew
	all.take(e.at)
	listed := make(map[stack]bool, len(all.list))
	for i := range all.list {
		listed[stackOf(&all.list[i])] = true
	}
	for k := range e.written {
		if !listed[k] {
			all.forgotten = append(all.forgotten, k)
		}
	}
	all.forgotten = append(all.forgotten, e.forgotten...)
	sortStacks(all.forgotten)
	return all
}

// end appends all new calls, at the end of a capture.
func (e *CallEncoder) end(dst []byte) []byte {
	if e.from == nil {
		return dst
	}
	e.take(e.at)
	return e.AppendAll(dst)
}

// AppendAll appends all chunks.
func (e *CallEncoder) AppendAll(dst []byte) []byte {
	for !e.done() {
		dst = e.chunk(dst)
	}
	return dst
}

// fitting leaves out the histograms of zones that were entered for the first time after the newest frame: the source
// has what the program has now. It also leaves out histograms beyond the limits of a capture. Their calls are counted
// as missing in their zones, in histograms without a lane and with node 0.
func fitting(list []gather.Calls, zones int) []gather.Calls {
	fits, missing := list[:0], map[gather.ZoneID]uint64(nil)
	for _, c := range list {
		switch {
		case c.FromEvents, int(c.Zone) >= zones:
		case c.Node <= mostID && len(fits) < mostCallStacks-mostMissing:
			fits = append(fits, c)
		case missing == nil:
			missing = map[gather.ZoneID]uint64{c.Zone: c.Count + c.Missing}
		default:
			missing[c.Zone] += c.Count + c.Missing
		}
	}
	if missing == nil {
		return fits
	}
	for _, zone := range slices.Sorted(maps.Keys(missing)) {
		fits = append(fits, gather.Calls{Zone: zone, Missing: missing[zone]})
	}
	return fits[:min(len(fits), mostCallStacks)]
}

func (e *CallEncoder) done() bool { return e.next == len(e.list) && len(e.forgotten) == 0 }

// take reads the program's histograms.
func (e *CallEncoder) take(now platform.Ticks) {
	e.read, e.at, e.next = true, now, 0
	e.list = fitting(e.from.AppendCalls(e.list[:0]), e.zones)
	if e.turn++; len(e.list)+len(e.written) == 0 {
		return
	}
	if e.written == nil {
		e.written = make(map[stack]*writtenCalls)
	}
	for i := range e.list {
		if was := e.written[stackOf(&e.list[i])]; was != nil {
			was.turn = e.turn
		}
	}
	for k, was := range e.written {
		if was.turn != e.turn {
			e.forgotten = append(e.forgotten, k)
			delete(e.written, k)
		}
	}
	sortStacks(e.forgotten)
}

// chunk appends a chunk of limited length.
func (e *CallEncoder) chunk(dst []byte) []byte {
	e.payload = e.payload[:0]
	for len(e.forgotten) > 0 && len(e.payload) < mostCallChunk {
		e.head(e.forgotten[0], callsAnew)
		e.payload = append(e.payload, 0, 0, 0) // none missing, no time, no buckets
		e.forgotten = e.forgotten[1:]
	}
	for ; e.next < len(e.list) && len(e.payload) < mostCallChunk; e.next++ {
		e.write(&e.list[e.next])
	}
	if len(e.payload) == 0 {
		return dst
	}
	return appendChunk(dst, chunkCalls, e.payload)
}

// callsAnew is the flag of a histogram that replaces the earlier one.
const callsAnew = 1

func (e *CallEncoder) head(k stack, flags uint64) {
	e.payload = binary.AppendUvarint(e.payload, uint64(k.lane))
	e.payload = binary.AppendUvarint(e.payload, uint64(k.node))
	e.payload = binary.AppendUvarint(e.payload, uint64(k.zone))
	e.payload = binary.AppendUvarint(e.payload, flags)
}

// write appends the growth of a histogram.
func (e *CallEncoder) write(c *gather.Calls) {
	k, flags := stackOf(c), uint64(0)
	was := e.written[k]
	if was == nil {
		was = new(writtenCalls)
		e.written[k] = was
	}
	was.turn = e.turn
	growth, ok := appendGrowth(e.growth[:0], c.Buckets, was.buckets)
	switch {
	case was.key != e.key || !ok:
		flags, was.key, was.sum = callsAnew, e.key, 0
		growth, _ = appendGrowth(growth[:0], c.Buckets, nil)
	case was.missing == c.Missing && was.sum == c.Sum && len(growth) == 1:
		return
	}
	e.head(k, flags)
	e.payload = binary.AppendUvarint(e.payload, c.Missing)
	e.payload = binary.AppendVarint(e.payload, int64(c.Sum-was.sum))
	e.payload = append(e.payload, growth...)
	was.missing, was.sum, was.buckets = c.Missing, c.Sum, append(was.buckets[:0], c.Buckets...)
	e.growth = growth
}

// appendGrowth appends the buckets that have grown, and a 0. ok is false if a bucket has become smaller.
func appendGrowth(p []byte, now, was []histogram.Bucket) (_ []byte, ok bool) {
	last := -1
	for _, b := range now {
		grown := b.Count
		if len(was) > 0 && was[0].Low <= b.Low {
			if was[0].Low < b.Low || was[0].Count > b.Count {
				return p, false
			}
			grown -= was[0].Count
			was = was[1:]
		}
		if grown > 0 {
			index := b.Index()
			p = binary.AppendUvarint(p, uint64(index-last))
			p = binary.AppendUvarint(p, grown)
			last = index
		}
	}
	return append(p, 0), len(was) == 0
}

// WholeCalls returns an encoder whose chunks replace all that was written, at the end of a capture.
func (e *Encoder) WholeCalls() CallEncoder { return e.calls.whole() }
