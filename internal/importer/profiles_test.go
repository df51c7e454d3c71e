package importer_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/importer"
)

// seeFile reads a file of any kind that is read here.
func seeFile(t *testing.T, file []byte, kind importer.Kind) (seen, *importer.Trace) {
	t.Helper()
	if got := importer.KindOf(bytes.NewReader(file)); got != kind {
		t.Fatalf("got kind %d; want %d\n%.200s", got, kind, file)
	}
	trace, err := importer.Frames{}.Read(bytes.NewReader(file), kind, nil)
	if err != nil {
		t.Fatalf("%v\n%.200s", err, file)
	}
	s, err := see(t, trace, importer.Frames{})
	if err != nil {
		t.Fatalf("%v\n%.200s", err, file)
	}
	return s, trace
}

// What is not read here gets one line.
func TestOtherProfilesNameTheirViewer(t *testing.T) {
	for file, says := range map[string]string{
		`{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[]}`: "at speedscope.app",
		`{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}}],"samples":[1]}`:       "DevTools",
	} {
		kind := importer.KindOf(strings.NewReader(file))
		_, err := importer.Frames{}.Read(strings.NewReader(file), kind, nil)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got kind %d and error %v; want one that names %s", file, kind, err, says)
		}
	}
}

// Few are samples, many are nanoseconds.
func TestFoldedStacks(t *testing.T) {
	const text = "# a note\nmain;a b;c 30\nmain;a b 20\n\nmain;d\t50\nmain;a b;c 1\nmain 0\nno number\n"
	s, trace := seeFile(t, []byte(text), importer.KindFolded)
	want := map[string]int64{"stacks/main": 101e6, "stacks/a b": 51e6, "stacks/c": 31e6, "stacks/d": 50e6}
	if !maps.Equal(s.ns, want) || s.frames != 1 || !strings.Contains(trace.Note(), "1 ms") {
		t.Errorf("got %v, %d frames, %q; want %v", s.ns, s.frames, trace.Note(), want)
	}
	if s, _ := seeFile(t, []byte("a;b 2000000\n"), importer.KindFolded); s.ns["stacks/b"] != 2e6 {
		t.Errorf("got %v; want nanoseconds", s.ns)
	}
	if left := fmt.Sprint(trace.Left()); left != "[{lines without a number 1}]" {
		t.Errorf("got left out %s", left)
	}
	const other = "It was 5\nin the morning\n"
	if kind := importer.KindOf(strings.NewReader(other)); kind != importer.KindCapture {
		t.Errorf("got kind %d of a text; want none", kind)
	}
}

// Numbers may have decimals and exponents. Other lines are counted.
func TestFoldedNumbers(t *testing.T) {
	for line, want := range map[string]int64{"b 10.5": 10_500_000, "b 1e2": 100_000_000, "b .25": 250_000, "b -3": 0,
		"b NaN": 0, "b 99999999999999999999999": 0, "b": 0, "b 0x10": 0} {
		s, trace := seeFile(t, []byte("main;a 10\nmain;"+line+"\nmain;c 30\n"), importer.KindFolded)
		if s.ns["stacks/b"] != want || s.ns["stacks/a"] != 10e6 || s.ns["stacks/c"] != 30e6 ||
			(sumOf(trace.Left()) > 0) != (want == 0) {
			t.Errorf("%q: got %v, left out %v; want %d", line, s.ns, trace.Left(), want)
		}
	}
}

// message is a message of protocol buffers.
type message []byte

func (m message) number(field int, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3), v)
}

func (m message) bytes(field int, b []byte) message {
	return append(binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3|2), uint64(len(b))), b...)
}

func (m message) fixed(field int, v uint64) message {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(m, uint64(field)<<3|1), v)
}

// pprof is a profile: main calls work, which is inlined in outer, for 30 ns, and main alone takes 12.
func pprof(unit string) message {
	var p message
	p = p.bytes(1, message{}.number(1, 1).number(2, 2)).bytes(1, message{}.number(1, 3).number(2, 4))
	for _, sample := range [][]uint64{{3, 30, 2, 1}, {1, 12, 1}} {
		stack := message{}
		for _, id := range sample[2:] {
			stack = binary.AppendUvarint(stack, id)
		}
		p = p.bytes(2, message{}.bytes(1, stack).number(2, sample[0]).number(2, sample[1]))
	}
	p = p.bytes(4, message{}.number(1, 1).bytes(4, message{}.number(1, 1)))
	p = p.bytes(4, message{}.number(1, 2).bytes(4, message{}.number(1, 2)).bytes(4, message{}.number(1, 3)))
	for id, name := range []uint64{5, 6, 7} {
		p = p.bytes(5, message{}.number(1, uint64(id)+1).number(2, name).number(4, 8))
	}
	for _, text := range []string{"", "samples", "count", "cpu", unit, "main", "work", "outer", "a.go"} {
		p = p.bytes(6, []byte(text))
	}
	return p
}

// Stacks with their inlined functions, as one frame.
func TestPprofProfiles(t *testing.T) {
	s, _ := seeFile(t, pprof("nanoseconds"), importer.KindPprof)
	want := map[string]int64{"cpu/main": 42, "cpu/outer": 30, "cpu/work": 30}
	if !maps.Equal(s.ns, want) || s.frames != 1 {
		t.Errorf("got %v, %d frames; want %v", s.ns, s.frames, want)
	}
	for _, unit := range []string{"bytes", "count", "", "milli", "nanosecondss", "minus"} {
		_, err := importer.Frames{}.Read(bytes.NewReader(pprof(unit)), importer.KindPprof, nil)
		if err == nil || !strings.Contains(err.Error(), "no times: it has samples (count), cpu ("+unit+")") {
			t.Errorf("%q: got error %v; want one of a profile without times", unit, err)
		}
	}
}

// Each unit of time, in each spelling that go tool pprof takes, gives the same stacks.
func TestUnitsOfPprofProfiles(t *testing.T) {
	for unit, ns := range map[string]int64{"ns": 1, "nanosecond": 1, "Nanoseconds": 1, "us": 1e3, "µs": 1e3, "μs": 1e3,
		"microsecond": 1e3, "microseconds": 1e3, "ms": 1e6, "millisecond": 1e6, "milliseconds": 1e6, "s": 1e9,
		"sec": 1e9, "secs": 1e9, "second": 1e9, "seconds": 1e9, "minutes": 60e9, "hours": 3600e9} {
		s, _ := seeFile(t, pprof(unit), importer.KindPprof)
		want := map[string]int64{"cpu/main": 42 * ns, "cpu/outer": 30 * ns, "cpu/work": 30 * ns}
		if !maps.Equal(s.ns, want) || s.frames != 1 {
			t.Errorf("%s: got %v, %d frames; want %v", unit, s.ns, s.frames, want)
		}
	}
}

func TestTheTimesOfAPprofProfileAreChosen(t *testing.T) {
	profile := func(preferred uint64) []byte {
		p := message{}.bytes(1, message{}.number(1, 1).number(2, 2)).bytes(1, message{}.number(1, 3).number(2, 4)).
			bytes(1, message{}.number(1, 5).number(2, 6)).number(14, preferred).
			bytes(2, message{}.bytes(1, message{}.number(0, 0)[1:]).number(2, 7).number(2, 8).number(2, 9))
		for _, text := range []string{"", "wall", "ms", "cpu", "ns", "alloc", "bytes"} {
			p = p.bytes(6, []byte(text))
		}
		return p
	}
	for _, test := range []struct {
		sample    string
		preferred uint64
		want      string
		ns        int64
	}{{"", 0, "cpu", 8}, {"", 1, "wall", 7e6}, {"", 5, "cpu", 8}, {"wall", 0, "wall", 7e6}, {"cpu", 1, "cpu", 8}} {
		trace, err := importer.Frames{Sample: test.sample}.Read(bytes.NewReader(profile(test.preferred)),
			importer.KindPprof, nil)
		if err != nil {
			t.Errorf("%q: %v", test.sample, err)
			continue
		}
		s, err := see(t, trace, importer.Frames{})
		if want := map[string]int64{test.want + "/(unknown)": test.ns}; err != nil || !maps.Equal(s.ns, want) {
			t.Errorf("%q, default %d: got %v; want %v", test.sample, test.preferred, s.ns, want)
		}
	}
	for _, none := range []string{"alloc", "heap"} {
		_, err := importer.Frames{Sample: none}.Read(bytes.NewReader(profile(0)), importer.KindPprof, nil)
		if err == nil || !strings.Contains(err.Error(), "-sample is one of wall, cpu") {
			t.Errorf("%s: got error %v; want one with the names", none, err)
		}
	}
}

// perfetto is a trace of two threads, with a counter, an instant, a flow, a clock of the writer and interned names.
func perfetto() []byte {
	packet := func(m message) []byte { return message{}.bytes(1, m) }
	describe := func(m message) []byte { return packet(message{}.number(10, 1).bytes(60, m)) }
	event := func(at uint64, e message) []byte {
		return packet(message{}.number(8, at).number(10, 1).bytes(11, e))
	}
	const (
		begin = iota + 1
		end
		instant
		count
	)
	on := func(kind, track uint64) message { return message{}.number(9, kind).number(11, track) }
	clock := func(id, at, increments uint64) []byte {
		return message{}.number(1, id).number(2, at).number(3, increments).number(4, 1+999*increments)
	}
	return slices.Concat(
		packet(message{}.number(10, 1).number(13, 1)),
		describe(message{}.number(1, 1).bytes(3, message{}.number(1, 77).bytes(6, []byte("game")))),
		describe(message{}.number(1, 2).number(5, 1).bytes(4,
			message{}.number(1, 77).number(2, 5).bytes(5, []byte("render")))),
		describe(message{}.number(1, 3).number(5, 1).bytes(2, []byte("audio"))),
		describe(message{}.number(1, 4).bytes(2, []byte("fps")).bytes(8, nil)),
		event(1000, on(begin, 2).bytes(23, []byte("draw"))),
		event(1500, on(instant, 2).bytes(23, []byte("vsync"))),
		event(2000, on(begin, 3).bytes(23, []byte("mix")).fixed(47, 9)),
		packet(message{}.number(10, 1).bytes(12, message{}.bytes(2,
			message{}.number(1, 8).bytes(2, []byte("upload"))))),
		event(3000, on(begin, 2).number(10, 8).fixed(48, 9)),
		event(3500, on(end, 2)), event(4000, on(end, 3)), event(6000, on(end, 2)),
		event(1200, on(count, 4).fixed(44, math.Float64bits(59.5))),
		// another writer, whose clock counts microseconds from 7,000 ns on
		packet(message{}.number(10, 2).bytes(6, message{}.bytes(1, clock(6, 7000, 0)).bytes(1, clock(64, 1, 1)))),
		packet(message{}.number(10, 2).bytes(59, message{}.number(58, 64).bytes(11, message{}.number(11, 3)))),
		packet(message{}.number(10, 2).number(8, 1).bytes(11, message{}.number(9, begin).bytes(23, []byte("tail")))),
		packet(message{}.number(10, 2).number(8, 2).bytes(11, message{}.number(9, end))),
		packet(message{}.number(10, 2).bytes(2, []byte("ftrace"))),
	)
}

// Track events, their counters, instants and flows.
func TestPerfettoTraces(t *testing.T) {
	s, trace := seeFile(t, perfetto(), importer.KindPerfetto)
	want := map[string]int64{"render/draw": 5000, "render/upload": 500, "audio/mix": 2000, "audio/tail": 2000}
	if !maps.Equal(s.ns, want) || s.values["fps"] != 59.5 || fmt.Sprint(s.marks) != "[render/vsync]" {
		t.Errorf("got %v, values %v, marks %v; want %v", s.ns, s.values, s.marks, want)
	}
	if len(s.states) != 1 || s.lanes[s.states[0].Lane] != "render" || s.lanes[s.states[0].Waker] != "audio" {
		t.Errorf("got states %v; want that of the flow", s.states)
	}
	if left := fmt.Sprint(trace.Left()); left != "[{packets of other sources 1}]" {
		t.Errorf("got left out %s", left)
	}
	for cut := range perfetto() { // an error, or what is there
		file := bytes.NewReader(perfetto()[:cut])
		if x, err := (importer.Frames{}).Read(file, importer.KindPerfetto, nil); err == nil {
			see(t, x, importer.Frames{})
		}
	}
}

// FuzzProfiles: no file of any kind makes a panic, or frames whose times do not add up.
func FuzzProfiles(f *testing.F) {
	for _, file := range [][]byte{[]byte("a;b 1\nc 2\n"), pprof("nanoseconds"), perfetto(),
		[]byte(`{"nodes":[{"callFrame":{}}]}`)} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		for kind := importer.KindFolded; kind <= importer.KindPerfetto; kind++ {
			trace, err := importer.Frames{}.Read(bytes.NewReader(file), kind, nil)
			if err != nil {
				continue
			}
			checkTrace(t, trace)
		}
	})
}
