package importer

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/protobuf"
)

// perfetto reads track events of a trace of Perfetto. The field numbers come from perfetto_trace.proto.
type perfetto struct {
	*Trace
	sequences map[uint64]*sequence
	rails     map[uint64]*rail
	arrows    map[uint64]*arrow
	e         trackEvent
}

// sequence has the data that the packets of one writer share.
type sequence struct {
	names      map[uint64]gather.ZoneID
	rail       uint64 // default track of events
	clock      uint64
	increments map[uint64]*increment // incremental clocks
}

// increment is an incremental clock: each packet has the difference to the one before.
type increment struct {
	at, unit int64 // in nanoseconds
}

// rail is a track: a lane or a counter.
type rail struct {
	parent, pid, tid uint64
	name, process    string
	counter          bool
	lane             *lane
	unit             float64
	value            float64 // latest value, if values are increments
	increments       bool
}

// trackEvent is an event of a track.
type trackEvent struct {
	kind, rail  uint64
	hasRail     bool
	name        string
	hasName     bool
	nameID      uint64
	value       float64
	hasValue    bool
	flows, ends []uint64
	calls       uint32
	at          int64
	hasAt       bool
	delta       int64
	seq         *sequence
}

// The kinds of events of a track.
const (
	railBegin = iota + 1
	railEnd
	railInstant
	railCounter
)

const (
	mostPacket   = 64 << 20
	mostPackages = 1_000_000 // names of one writer
)

var errPerfetto = errors.New("this is not a trace of Perfetto")

// readPerfetto reads a trace of Perfetto. It reads track events; the data of other sources is left out.
func readPerfetto(in io.Reader, account *budget.Account) (*Trace, error) {
	p := perfetto{Trace: New(account), sequences: map[uint64]*sequence{}, rails: map[uint64]*rail{},
		arrows: map[uint64]*arrow{}}
	b, packet := bufio.NewReaderSize(in, window), []byte(nil)
	for {
		var err error
		packet, err = nextPacket(b, packet, account)
		switch {
		case err == io.EOF:
			return p.finish()
		case errors.As(err, new(*budget.Error)):
			return nil, err
		case err == io.ErrUnexpectedEOF:
			p.Unfinished = true
			return p.finish()
		case err != nil && len(p.lanes) == 0:
			return nil, err
		case err != nil:
			p.Words = "the following bytes are not a packet"
			return p.finish()
		}
		if err := p.packet(packet); err != nil {
			p.leave("packets that are damaged", 1)
		}
		if p.over != nil {
			return nil, p.over
		}
	}
}

// nextPacket reads a packet into reused memory. It allocates as the bytes arrive, because the length may be wrong.
func nextPacket(in *bufio.Reader, packet []byte, account *budget.Account) ([]byte, error) {
	key, err := binary.ReadUvarint(in)
	if err != nil {
		return packet, err
	}
	if key != 1<<3|2 {
		return packet, errPerfetto
	}
	length, err := binary.ReadUvarint(in)
	if err == nil && length > mostPacket {
		err = errPerfetto
	}
	if err != nil {
		return packet, cmp.Or(unfinished(err), err)
	}
	packet = packet[:0]
	for length > 0 {
		n := int(min(length, window))
		begin := len(packet)
		if begin+n > cap(packet) {
			if err := account.Hold(int64(begin + n)); err != nil {
				return packet, err
			}
		}
		packet = append(packet, make([]byte, n)...)
		if _, err := io.ReadFull(in, packet[begin:]); err != nil {
			return packet, cmp.Or(unfinished(err), err)
		}
		length -= uint64(n)
	}
	return packet, nil
}

func unfinished(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// finish gives the lanes their names.
func (p *perfetto) finish() (*Trace, error) {
	for id, r := range p.rails {
		if r.lane == nil {
			continue
		}
		r.lane.name = cmp.Or(r.name, p.nameOf(r), "track "+strconv.FormatUint(id, 10))
		r.lane.process = p.processOf(r)
		if r.tid != 0 {
			r.lane.thread = strconv.FormatUint(r.tid, 10)
		}
	}
	for _, a := range p.arrows {
		if !a.used {
			p.leave(leftFlows, 1)
		}
	}
	p.pairAll()
	return p.Trace, p.over
}

// nameOf returns the name of a track without a name of its own.
func (p *perfetto) nameOf(r *rail) string {
	if r.tid != 0 {
		return "thread " + strconv.FormatUint(r.tid, 10)
	}
	return r.process
}

// mostParents bounds the number of ancestors of a track.
const mostParents = 100

// processOf returns the process of a track, or of an ancestor.
func (p *perfetto) processOf(r *rail) *fileProcess {
	for range mostParents {
		if r == nil {
			return nil
		}
		if r.pid != 0 {
			id := strconv.FormatUint(r.pid, 10)
			of := p.processes[id]
			if of == nil {
				of = &fileProcess{id: id, order: len(p.processes)}
				p.processes[id] = of
			}
			if r.process != "" {
				of.name = r.process
			}
			return of
		}
		r = p.rails[r.parent]
	}
	return nil
}

// packet reads a packet.
func (p *perfetto) packet(b []byte) error {
	var id, flags, clock uint64
	var event, track, interned, defaults, clocks []byte
	e := &p.e
	*e = trackEvent{calls: 1, flows: e.flows[:0], ends: e.ends[:0]}
	other := false
	err := protobuf.Fields(b, func(n, v uint64, b []byte) error {
		switch n {
		case 6:
			clocks = b
		case 8:
			e.at, e.hasAt = int64(v), true
		case 10:
			id = v
		case 11:
			event = b
		case 12:
			interned = b
		case 13:
			flags = v
		case 41:
			flags |= v & 1 // incremental_state_cleared
		case 58:
			clock = v
		case 59:
			defaults = b
		case 60:
			track = b
		default:
			other = other || b != nil
		}
		return nil
	})
	if err != nil {
		return err
	}
	s := p.sequence(id)
	if flags&1 != 0 {
		s.names, s.rail, s.clock = map[uint64]gather.ZoneID{}, 0, 0
	}
	e.seq = s
	errs := errors.Join(p.clocks(s, clocks), p.defaults(s, defaults), p.interned(s, interned), p.describe(track))
	if event == nil {
		if other && track == nil && clocks == nil && interned == nil {
			p.leave("packets of other sources", 1)
		}
		return errs
	}
	p.setTime(s, cmp.Or(clock, s.clock))
	return errors.Join(errs, p.event(event))
}

func (p *perfetto) sequence(id uint64) *sequence {
	s := p.sequences[id]
	if s == nil {
		s = &sequence{names: map[uint64]gather.ZoneID{}, increments: map[uint64]*increment{}}
		p.sequences[id] = s
		p.hold(laneSize)
	}
	return s
}

// setTime turns the time of a packet into nanoseconds. Clocks from 64 on are the writer's own.
func (p *perfetto) setTime(s *sequence, clock uint64) {
	c := s.increments[clock]
	if c == nil {
		return
	}
	if p.e.hasAt {
		c.at += p.e.at * c.unit
	}
	p.e.at, p.e.hasAt = c.at, true
}

// clocks reads the readings of a writer's clocks at one moment.
func (p *perfetto) clocks(s *sequence, b []byte) error {
	type reading struct {
		at, unit  int64
		increment bool
	}
	all := map[uint64]reading{}
	err := protobuf.Fields(b, func(n, _ uint64, b []byte) error {
		if n != 1 {
			return nil
		}
		id, r := uint64(0), reading{unit: 1}
		err := protobuf.Fields(b, func(n, v uint64, _ []byte) error {
			switch n {
			case 1:
				id = v
			case 2:
				r.at = int64(v)
			case 3:
				r.increment = v != 0
			case 4:
				r.unit = max(int64(v), 1)
			}
			return nil
		})
		all[id] = r
		return err
	})
	base := all[6].at // time since the machine's start
	for id, r := range all {
		if id >= 64 && id < 128 && r.increment && len(s.increments) < 64 {
			s.increments[id] = &increment{at: base, unit: r.unit}
		}
	}
	return err
}

// defaults reads the default values of a writer's packets.
func (p *perfetto) defaults(s *sequence, b []byte) error {
	return protobuf.Fields(b, func(n, v uint64, b []byte) error {
		switch n {
		case 58:
			s.clock = v
		case 11:
			return protobuf.Fields(b, func(n, v uint64, _ []byte) error {
				if n == 11 {
					s.rail = v
				}
				return nil
			})
		}
		return nil
	})
}

// interned reads names of events.
func (p *perfetto) interned(s *sequence, b []byte) error {
	return protobuf.Fields(b, func(n, _ uint64, b []byte) error {
		if n != 2 || len(s.names) >= mostPackages {
			return nil
		}
		id, name := uint64(0), ""
		err := protobuf.Fields(b, func(n, v uint64, b []byte) error {
			switch n {
			case 1:
				id = v
			case 2:
				name = string(b)
			}
			return nil
		})
		if s.names[id] = p.zone(name); p.exported && name == "(root)" {
			s.names[id] = 0
		}
		p.hold(textSize)
		return err
	})
}

const textSize = 64 // memory of a number and its text

// describe reads the description of a track.
func (p *perfetto) describe(b []byte) error {
	if b == nil {
		return nil
	}
	var id uint64
	r := rail{unit: 1}
	err := protobuf.Fields(b, func(n, v uint64, b []byte) error {
		switch n {
		case 1:
			id = v
		case 2, 10:
			r.name = string(b)
		case 5:
			r.parent = v
		case 3, 4:
			return protobuf.Fields(b, func(k, v uint64, b []byte) error {
				switch {
				case k == 1:
					r.pid = v
				case k == 2 && n == 4:
					r.tid = v
				case k == 6 && n == 3:
					r.process = string(b)
				case k == 5 && n == 4:
					r.name = cmp.Or(r.name, string(b))
				}
				return nil
			})
		case 8:
			r.counter = true
			return protobuf.Fields(b, func(k, v uint64, _ []byte) error {
				switch k {
				case 4:
					r.unit = float64(max(int64(v), 1))
				case 5:
					r.increments = v != 0
				}
				return nil
			})
		}
		return nil
	})
	if before := p.rails[id]; before != nil {
		r.lane, r.value = before.lane, before.value
	}
	p.rails[id] = &r
	p.hold(laneSize + len(r.name))
	return err
}

// event reads an event of a track.
func (p *perfetto) event(b []byte) error {
	e := &p.e
	err := protobuf.Fields(b, func(n, v uint64, b []byte) (err error) {
		switch n {
		case 9:
			e.kind = v
		case 10:
			e.nameID = v
		case 11:
			e.rail, e.hasRail = v, true
		case 23:
			e.name, e.hasName = string(b), true
		case 1:
			e.delta = int64(v) * 1000
		case 4:
			if p.exported {
				e.calls = callsIn(b)
			}
		case 16:
			e.at, e.hasAt = int64(v)*1000, true
		case 30:
			e.value, e.hasValue = float64(int64(v)), true
		case 44:
			e.value, e.hasValue = math.Float64frombits(v), true
		case 36, 47:
			e.flows, err = protobuf.Numbers(e.flows, v, b)
		case 42, 48:
			e.ends, err = protobuf.Numbers(e.ends, v, b)
		}
		return err
	})
	if err != nil {
		return err
	}
	if e.at += e.delta; !e.hasAt || e.at <= earliest || e.at >= -earliest {
		p.leave("events without a time", 1)
		return nil
	}
	p.place(e)
	return nil
}

// place adds an event to its track.
func (p *perfetto) place(e *trackEvent) {
	if !e.hasRail {
		e.rail = e.seq.rail
	}
	r := p.rails[e.rail]
	if r == nil {
		r = &rail{unit: 1}
		p.rails[e.rail] = r
		p.hold(laneSize)
	}
	p.exported = p.exported || e.rail == ownFrames && e.kind == railInstant && strings.HasPrefix(e.name, "places: ")
	switch {
	case e.kind == railCounter:
		p.count(r, e)
		return
	case !p.exported || e.rail == ownFrames && e.kind != railInstant || e.rail&3 == ownLanes && e.kind != railInstant:
	case e.rail == ownMarks && e.kind == railInstant:
		p.mark(nil, e.name, e.at)
		return
	default:
		if e.kind == railBegin {
			p.leave("states of goroutines", 1)
		}
		return
	}
	if r.lane == nil {
		r.lane = p.laneOf(strconv.FormatUint(e.rail, 10), "")
	}
	zone, named := p.zoneOfEvent(e)
	switch e.kind {
	case railBegin:
		r.lane.halves = append(r.lane.halves, half{e.at, zone, e.calls, false})
		p.hold(halfSize)
	case railEnd:
		if !named {
			zone = noZone
		}
		r.lane.halves = append(r.lane.halves, half{e.at, zone, 1, true})
		p.hold(halfSize)
	case railInstant:
		p.mark(r.lane, p.zones[zone].Name, e.at)
	default:
		p.leave(leftOther, 1)
		return
	}
	p.flow(r.lane, e)
}

// The tracks of package export: see there.
const (
	ownFrames = 7
	ownMarks  = 11
	ownLanes  = 1 // the two low bits of lanes' tracks
)

// callsIn returns the number of an annotation.
func callsIn(b []byte) uint32 {
	calls := uint64(1)
	if protobuf.Fields(b, func(n, v uint64, _ []byte) error {
		if n == 3 {
			calls = v
		}
		return nil
	}) != nil {
		return 1
	}
	return uint32(min(calls, math.MaxUint32))
}

func (p *perfetto) zoneOfEvent(e *trackEvent) (zone gather.ZoneID, named bool) {
	if e.hasName {
		return p.zone(e.name), true
	}
	if zone, known := e.seq.names[e.nameID]; known {
		return zone, true
	}
	if e.kind == railEnd {
		return noZone, false
	}
	return p.zone(""), false
}

// count adds a value of a counter.
func (p *perfetto) count(r *rail, e *trackEvent) {
	v := e.value * r.unit
	if r.increments {
		v += r.value
		r.value = v
	}
	if !e.hasValue || math.IsNaN(v) || math.IsInf(v, 0) {
		p.leave(leftCounters, 1)
		return
	}
	p.value(cmp.Or(r.name, "counter "+strconv.FormatUint(e.rail, 10)), v, e.at)
}

// flow adds arrows from the previous event of each flow to this event.
func (p *perfetto) flow(l *lane, e *trackEvent) {
	step := func(id uint64, last bool) {
		before := p.arrows[id]
		if before != nil && before.from != l && before.at <= e.at {
			p.arrivals = append(p.arrivals, arrival{before.from, l, before.at, e.at, fmt.Sprint("flow ", id)})
			p.hold(stateSize)
		}
		if last {
			if before == nil {
				p.leave(leftFlows, 1)
			}
			delete(p.arrows, id)
			return
		}
		p.arrows[id] = &arrow{l, e.at, before != nil}
		p.hold(textSize)
	}
	for _, id := range e.flows {
		step(id, false)
	}
	for _, id := range e.ends {
		step(id, true)
	}
}
