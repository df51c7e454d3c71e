package importer_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/importer"
)

// filesOfAllKinds are small files with whatever a reader may stop in: escapes, brackets in texts, bad events, numbers.
func filesOfAllKinds() map[string][]byte {
	const meta = `{"m\\":{"a\"]":["x\\","}\\\"",{"y":"\\\\"}]},"n":-1.5e3 ,"o":[[],{}],"traceEvents": [ `
	all := map[string][]byte{"pprof": pprof("nanoseconds"), "perfetto": perfetto(),
		"folded": []byte("# a note\nmain;a b;c 30\nmain;d\t5.5\nno number\n")}
	events := []string{half("B", "a\\\"b", 0), half("E", "a\\\"b", 9),
		`{"name":"c","ph":"X","ts":1.25,"dur":3,"tid":1},`,
		`{"name":"copy",` + event + `,"args":{"b":[-Infinity,{"c":nan}]}}`, `{"name":"copy",` + event, `"text\\"`,
		`{"ph":"C","name":"v","ts":2,"args":{"x":"12.5","y":3}}`, `{"ph":"i","name":"m","ts":3,"s":"g"}`}
	for n := 2; n <= len(events); n++ {
		all[fmt.Sprint("chrome ", n)] = []byte(meta + strings.Join(events[:n], ",\n") + `],"c":"\\"}`)
	}
	return all
}

// What is read of a file does not depend on the pieces in which it arrives.
func TestPiecesMakeNoDifference(t *testing.T) {
	pieces := map[string]func(io.Reader) io.Reader{"bytes": iotest.OneByteReader, "halves": iotest.HalfReader,
		"with the end": iotest.DataErrReader}
	for name, file := range filesOfAllKinds() {
		kind := importer.KindOf(bytes.NewReader(file))
		read := func(in io.Reader) (s seen, left, changed []importer.Count, unfinished bool) {
			trace, err := importer.Frames{}.Read(in, kind, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if s, err = see(t, trace, importer.Frames{}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return s, trace.Left(), trace.Changed(), trace.Unfinished
		}
		want, left, changed, unfinished := read(bytes.NewReader(file))
		for how, cut := range pieces {
			s, l, c, u := read(cut(bytes.NewReader(file)))
			if !reflect.DeepEqual(s, want) || !reflect.DeepEqual(l, left) || !reflect.DeepEqual(c, changed) ||
				u != unfinished {
				t.Errorf("%s in %s: got %v, left %v, changed %v, no end: %v; want %v, %v, %v, %v", name, how, s, l, c,
					u, want, left, changed, unfinished)
			}
		}
	}
}

// Begins and ends that cross each other in any way have the sums of a stack for each name, and the order of the file
// means nothing.
func TestPairsInAnyOrder(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		var list []string
		open, left, at := map[string]int{}, 0, 0
		for steps := 4 + r.IntN(40); steps > 0 || left > 0; steps-- {
			name := string(rune('a' + r.IntN(1+r.IntN(6))))
			kind := "B"
			if steps <= 0 || r.IntN(2) == 0 {
				kind = "E"
			}
			if kind == "E" && open[name] == 0 {
				continue
			}
			at += 100 + r.IntN(900)
			list = append(list, half(kind, name, float64(at)))
			if kind == "B" {
				open[name]++
				left++
			} else {
				open[name]--
				left--
			}
		}
		if len(list) == 0 {
			continue
		}
		r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		file := "[" + strings.Join(list, ",") + "]"
		s, result := seeText(t, file)
		for name, ns := range sumsOf(t, []byte(file)) {
			if s.all[name] != ns {
				t.Errorf("seed %d: %s: got %d ns; want %d\n%s", seed, name, s.all[name], ns, file)
			}
		}
		if len(result.Left) > 0 {
			t.Errorf("seed %d: got left out %v; want nothing", seed, result.Left)
		}
	}
}

// heldFile is a file with many things of one kind, and the least number of bytes that each of them is counted for.
type heldFile struct {
	name  string
	kind  importer.Kind
	file  []byte
	bytes int64
}

const heldThings = 2000

// heldEvents are files of events, each with many like one.
func heldEvents() (all []heldFile) {
	for _, f := range []struct {
		name  string
		bytes int64
		event string // %[1]d is its number
	}{
		{"slices", 190, `{"ph":"X","name":"a","ts":%[1]d,"dur":1,"tid":0}`},
		{"halves", 60, `{"ph":"B","name":"a","ts":%[1]d,"tid":0}`},
		{"marks", 95, `{"ph":"i","s":"g","name":"m","ts":%[1]d}`},
		{"values", 95, `{"ph":"C","name":"v","ts":%[1]d,"args":{"x":1}}`},
		{"lanes", 590, `{"ph":"M","name":"thread_name","tid":%[1]d,"args":{"name":"x"}}`},
		{"processes", 590, `{"ph":"M","name":"process_name","pid":%[1]d,"args":{"name":"x"}}`},
		{"names", 480, `{"ph":"X","name":"n%[1]d","ts":0,"dur":1,"tid":0}`},
		{"beginnings of flows", 590, `{"ph":"s","id":%[1]d,"ts":0,"tid":0}`},
		{"flows", 950, `{"ph":"s","id":1,"ts":0,"tid":0},{"ph":"f","id":1,"ts":%[1]d,"tid":1}`},
	} {
		var b strings.Builder
		b.WriteByte('[')
		for i := range heldThings {
			fmt.Fprintf(&b, f.event+",", i)
		}
		b.WriteString(`{"ph":"X","name":"z","ts":0,"dur":9,"tid":0}]`)
		all = append(all, heldFile{f.name, importer.KindChrome, []byte(b.String()), f.bytes})
	}
	return all
}

// heldPackets are files of packets, each with many like one.
func heldPackets() (all []heldFile) {
	event := func(e message) message { return message{}.number(8, 5).number(10, 1).bytes(11, e) }
	named := func(kind, track uint64) message {
		return message{}.number(9, kind).number(11, track).bytes(23, []byte("x"))
	}
	for _, f := range []struct {
		name   string
		bytes  int64
		packet func(i uint64) message
	}{
		{"tracks", 1150, func(i uint64) message { return event(message{}.number(9, 9).number(11, 1000+i)) }},
		{"described tracks", 590, func(i uint64) message {
			return message{}.number(10, 1).bytes(60, message{}.number(1, 1000+i).bytes(2, []byte("x")))
		}},
		{"writers", 590, func(i uint64) message { return message{}.number(10, 2+i) }},
		{"interned names", 60, func(i uint64) message {
			return message{}.number(10, 1).bytes(12, message{}.bytes(2, message{}.number(1, i).bytes(2, []byte("x"))))
		}},
		{"begins", 60, func(i uint64) message { return event(named(1, 1)) }},
		{"ends", 60, func(i uint64) message { return event(named(2, 1)) }},
		{"arrows", 120, func(i uint64) message { return event(named(1, 1).fixed(47, i)) }},
		{"arrivals", 500, func(i uint64) message { return event(named(1, 1+i%2).fixed(47, 1)) }},
	} {
		file := message{}.bytes(1, message{}.number(10, 1).number(13, 1))
		for i := range uint64(heldThings) {
			file = append(file, message{}.bytes(1, f.packet(i))...)
		}
		all = append(all, heldFile{f.name, importer.KindPerfetto, file, f.bytes})
	}
	return all
}

// Many small things of a file, of each kind, count against the limit of memory. The account is that of another program,
// for which the bytes of a file raise no limit.
func TestAllThatIsHeldCounts(t *testing.T) {
	all := append(heldEvents(), heldPackets()...)
	all = append(all, heldFile{"stacks", importer.KindFolded, []byte(strings.Repeat("a;b 1\n", heldThings)), 110})
	for _, f := range all {
		limits := budget.Usual
		limits.Memory, limits.Written = heldThings*f.bytes, 1<<40
		_, err := importer.Frames{}.Read(bytes.NewReader(f.file), f.kind, limits.Peer())
		if !errors.As(err, new(*budget.Error)) {
			t.Errorf("%s: got error %v with a limit of %d bytes; want one of the limit", f.name, err, limits.Memory)
		}
	}
}
