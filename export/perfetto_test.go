package export_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
)

// message is a decoded protocol buffer: the fields by number.
type message map[int][]field

type field struct {
	number uint64
	bytes  []byte
}

func (m message) number(f int) uint64 {
	if len(m[f]) == 0 {
		return 0
	}
	return m[f][0].number
}

func (m message) text(f int) string {
	if len(m[f]) == 0 {
		return ""
	}
	return string(m[f][0].bytes)
}

func (m message) message(t *testing.T, f int) message {
	if len(m[f]) == 0 {
		return nil
	}
	return decode(t, m[f][0].bytes)
}

// decode decodes a message by the rules of the encoding, without a schema.
func decode(t *testing.T, b []byte) message {
	t.Helper()
	m := message{}
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			t.Fatal("a varint is cut off")
		}
		b = b[n:]
		return v
	}
	for len(b) > 0 {
		tag := next()
		var f field
		switch tag & 7 {
		case 0:
			f.number = next()
		case 1:
			f.number, b = binary.LittleEndian.Uint64(b), b[8:]
		case 2:
			n := next()
			f.bytes, b = b[:n], b[n:]
		default:
			t.Fatalf("wire type %d", tag&7)
		}
		m[int(tag>>3)] = append(m[int(tag>>3)], f)
	}
	return m
}

// reader follows the packets as Perfetto does.
type reader struct {
	names, tracks map[uint64]string
	counters      map[uint64]bool
	stacks        map[uint64][]begun
	last          map[uint64]uint64
	clears        int
	parents       map[uint64]uint64
	from          map[uint64]stretch // arrows
	states        states
	marks         []string
	got           sums
}

type begun struct {
	name        string
	at, below   uint64
	calls       uint64
	isFrameName bool
}

// perfettoSums reads a file. It fails if a name or a track is used before it is described, if slices do not nest, or if
// the times of a track go back.
func perfettoSums(t *testing.T, b []byte) sums { return readPerfetto(t, b).got }

func newReader() *reader {
	return &reader{names: map[uint64]string{}, tracks: map[uint64]string{}, counters: map[uint64]bool{},
		stacks: map[uint64][]begun{}, parents: map[uint64]uint64{}, from: map[uint64]stretch{},
		last: map[uint64]uint64{}, got: sums{}}
}

func readPerfetto(t *testing.T, b []byte) *reader {
	r := newReader()
	for _, p := range decode(t, b)[1] {
		r.packet(t, decode(t, p.bytes))
	}
	for track, s := range r.stacks {
		if len(s) > 0 {
			t.Fatalf("track %q: %v is open at the end", r.tracks[track], s)
		}
	}
	return r
}

func (r *reader) packet(t *testing.T, p message) {
	if p.number(13)&1 != 0 { // SEQ_INCREMENTAL_STATE_CLEARED
		clear(r.names)
		r.clears++
	}
	if p.number(10) != 1 {
		t.Fatal("a packet without its sequence")
	}
	if in := p.message(t, 12); in != nil {
		for _, n := range in[2] {
			entry := decode(t, n.bytes)
			r.names[entry.number(1)] = entry.text(2)
		}
	}
	if d := p.message(t, 60); d != nil {
		r.tracks[d.number(1)] = d.text(2)
		r.counters[d.number(1)] = d[8] != nil
		r.parents[d.number(1)] = d.number(5)
	}
	if e := p.message(t, 11); e != nil {
		r.event(t, p.number(8), e)
	}
}

func (r *reader) event(t *testing.T, at uint64, e message) {
	track := e.number(11)
	lane, known := r.tracks[track]
	if e[47] != nil || e[48] != nil {
		r.arrow(t, at, e)
		return
	}
	if !known || at < r.last[track] {
		t.Fatalf("track %d (%q, %v) at %d after %d", track, lane, known, at, r.last[track])
	}
	r.last[track] = at
	s := r.stacks[track]
	switch e.number(9) {
	case 1:
		name, known := r.names[e.number(10)]
		if !known && e[10] != nil {
			t.Fatalf("name %d is not interned", e.number(10))
		}
		r.stacks[track] = append(s, begun{name, at, 0, e.message(t, 4).number(3), e[10] == nil})
		if e[10] == nil && lane != "frames" {
			r.begunState(t, at, e)
		}
	case 2:
		top := s[len(s)-1]
		s = s[:len(s)-1]
		if len(s) > 0 {
			s[len(s)-1].below += at - top.at
		}
		r.stacks[track] = s
		if n := len(r.states.all) - 1; top.isFrameName && lane != "frames" {
			r.states.all[n].end = int64(at)
		} else if !top.isFrameName {
			r.got.add(lane, top.name, int64(at-top.at-top.below), int64(top.calls))
		}
	case 3:
		if lane == "marks" {
			r.marks = append(r.marks, strconv.FormatUint(at, 10)+" "+e.text(23))
		}
	case 4:
		if !r.counters[track] || e[44] == nil {
			t.Fatalf("%q is no counter", lane)
		}
	}
}

// begunState reads the begin of a state. Its track is named as its lane.
func (r *reader) begunState(t *testing.T, at uint64, e message) {
	s := stretch{on: r.tracks[e.number(11)], title: e.text(23), begin: int64(at)}
	if s.on == "states" {
		s.on = r.tracks[r.parents[e.number(11)]]
	}
	for _, a := range e[4] {
		if note := decode(t, a.bytes); note.text(10) == "ended at" {
			s.ended = note.text(6)
		}
	}
	r.states.all = append(r.states.all, s)
}

// arrow reads an end of an arrow.
func (r *reader) arrow(t *testing.T, at uint64, e message) {
	lane := r.tracks[e.number(11)]
	if e.number(9) != 3 || lane == "" {
		t.Fatalf("an arrow at an event of kind %d on %q", e.number(9), lane)
	}
	if e[47] != nil {
		r.from[e.number(47)] = stretch{title: lane, begin: int64(at)}
		return
	}
	a := r.from[e.number(48)]
	a.on, a.end = lane, int64(at)
	r.states.arrows = append(r.states.arrows, a)
}

// A file that lacks its beginning can be read from a later clear.
func TestPerfettoRepeatsNames(t *testing.T) {
	var b bytes.Buffer
	x, p := export.NewPerfetto(&b, ""), world.NewRandom(1)
	for b.Len() < 9<<20 {
		write(t, x, p.Frame())
	}
	must.Do(t, x.Close())
	if r := readPerfetto(t, b.Bytes()); r.clears < 3 {
		t.Errorf("names are written %d times in %d bytes; want 3", r.clears, b.Len())
	}
}

// A hundred goroutines begin in each frame, and live for a while. Of each frame the states are of the newest.
func TestPerfettoDescribesManyLanes(t *testing.T) {
	longtest.Skip(t)
	for _, alive := range []int{100, 10_000, 12_000} {
		t.Run(strconv.Itoa(alive), func(t *testing.T) {
			var b bytes.Buffer
			x, clears, at := export.NewPerfetto(&b, ""), 0, platform.Ticks(0)
			for first := 0; b.Len() < 14<<20; first += 100 {
				f := &gather.Frame{Begin: at, End: at + 1000, TicksPerSecond: 1e9,
					Zones: []gather.ZoneInfo{{Name: "(root)"}}}
				for i := range alive {
					id := gather.LaneID(first + i + 1)
					f.Lanes = append(f.Lanes, gather.LaneFrame{ID: id, Name: fmt.Sprint("goroutine ", id), Begin: at,
						End: at + 1000, Nodes: []gather.Node{{Parent: -1, Self: 1000, Count: 1}}})
				}
				f.States = []gather.LaneState{{Lane: gather.LaneID(first + alive), Kind: gather.StateSyscall, Begin: at,
					End: at + 10}}
				write(t, x, f)
				at += 1000
			}
			must.Do(t, x.Close())
			r := newReader() // from the latest clear on; it fails at a track that is not described
			check := func() {
				for _, s := range r.states.all {
					if s.on == "" {
						t.Fatalf("clear %d: the states at %d have no lane", clears, s.begin)
					}
				}
			}
			for _, packet := range decode(t, b.Bytes())[1] {
				p := decode(t, packet.bytes)
				if p.number(13)&1 != 0 {
					check()
					clears, r = clears+1, newReader()
				}
				r.packet(t, p)
			}
			check()
			if clears < 3 {
				t.Errorf("got %d clears; want 3", clears)
			}
		})
	}
}

// With the schema in testdata, protoc knows every field.
func TestProtocDecodesIt(t *testing.T) {
	protoc, err := exec.LookPath("protoc")
	if err != nil {
		t.Skip("no protoc here; tools/packages check installs it")
	}
	var b bytes.Buffer
	x := export.NewPerfetto(&b, "test")
	write(t, x, handStates())
	must.Do(t, x.Close())
	dir := must.Get(filepath.Abs("testdata"))(t)
	cmd := exec.Command(protoc, "--proto_path="+dir, "--decode=Trace", filepath.Join(dir, "perfetto.proto"))
	cmd.Stdin, cmd.Stderr = &b, os.Stderr
	out := must.Get(cmd.Output())(t)
	for line := range strings.Lines(string(out)) {
		if first := strings.TrimSpace(line)[0]; first >= '0' && first <= '9' {
			t.Errorf("unknown field %s", line)
		}
	}
	for _, want := range []string{`name: "frame 0 level`, "type: TYPE_SLICE_BEGIN", "double_counter_value: 3",
		`name: "main`, "uint_value: 7", `process_name: "test"`,
		`name: "waiting for mutex"`, `name: "collector marking"`,
		`string_value: "world.go:88"`, "flow_ids: 1", "terminating_flow_ids: 1"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("there is no %s in\n%s", want, out)
		}
	}
}
