package importer_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
)

// seen has the contents of the frames of a file: hierarchical times in nanoseconds by lane and zone, as "lane/zone",
// their calls, and the rest.
type seen struct {
	ns     map[string]int64
	calls  map[string]int
	all    map[string]int64 // durations of all slices by zone, those in others of their zone, too
	marks  []string         // by lane: "lane/text"
	values map[string]float64
	states []gather.LaneState
	lanes  map[gather.LaneID]string
	frames int
	length time.Duration // of the last frame
	whole  time.Duration // of all frames
}

// see reads frames.
func see(t *testing.T, trace *importer.Trace, o importer.Frames) (s seen, err error) {
	t.Helper()
	s = seen{ns: map[string]int64{}, calls: map[string]int{}, all: map[string]int64{}, values: map[string]float64{},
		lanes: map[gather.LaneID]string{0: ""}}
	s.frames, err = trace.Write(o, func(*importer.Trace) {}, func(f *gather.Frame) error {
		s.length = time.Duration(f.End - f.Begin)
		s.whole += s.length
		for i := range f.Lanes {
			l := &f.Lanes[i]
			s.lanes[l.ID] = l.Name
			for _, n := range l.Nodes[1:] {
				s.calls[l.Name+"/"+f.Zones[n.Zone].Name] += int(n.Count)
				for up := n; up.Parent >= 0; up = l.Nodes[up.Parent] {
					s.all[f.Zones[up.Zone].Name] += int64(n.Self)
					if up.Depth == 0 {
						s.ns[l.Name+"/"+f.Zones[up.Zone].Name] += int64(n.Self)
					}
				}
			}
		}
		for _, m := range f.Marks {
			s.marks = append(s.marks, s.lanes[m.Lane]+"/"+m.Text)
		}
		for _, v := range f.Values {
			s.values[f.Counters[v.Counter].Name] = v.Value
		}
		s.states = append(s.states, f.States...)
		return nil
	})
	return s, err
}

// seeText reads a text in the trace event format.
func seeText(t *testing.T, text string) (seen, importer.Result) {
	t.Helper()
	trace, err := importer.Frames{}.Read(strings.NewReader(text), importer.KindChrome, nil)
	if err != nil {
		t.Fatalf("%v\n%.300s", err, text)
	}
	s, err := see(t, trace, importer.Frames{})
	if err != nil {
		t.Fatalf("%v\n%.300s", err, text)
	}
	r := importer.Result{Left: trace.Left(), Changed: trace.Changed(), Unfinished: trace.Unfinished}
	return s, r
}

const (
	head = `{"traceEvents":[{"name":"work","ph":"X","ts":0,"dur":1000,"pid":1,"tid":1},`
	tail = `{"name":"draw","ph":"X","ts":500,"dur":400,"pid":1,"tid":1},
		{"name":"late","ph":"X","ts":2000,"dur":500,"pid":1,"tid":1}]}`
	event = `"ph":"X","ts":450,"dur":1,"pid":1,"tid":1`
)

// All events behind a bad one are read, and it is counted with its reason.
func TestOneBadEventCostsOneEvent(t *testing.T) {
	for _, test := range []struct{ bad, why string }{
		{`{"name":"copy",` + event + `,"args":{"bandwidth":inf}}`, "such as inf"},
		{`{"name":"copy",` + event + `,"args":{"bandwidth":NaN}}`, "such as inf"},
		{`{"name":"copy",` + event + `,"args":{"b":[-Infinity,{"c":nan}]}}`, "such as inf"},
		{`{"name":"copy","ph":"X","ts":1,"dur":"","pid":1,"tid":1}`, "(dur) is not a number"},
		{`{"name":"copy","ph":"X","ts":1,"dur":"soon","pid":1,"tid":1}`, "(dur) is not a number"},
		{`{"name":"copy","ph":"X","ts":1,"dur":,"pid":1,"tid":1}`, "such as inf"},
		{`{"name":"copy","ph":"X","ts":1,"dur":1e999,"pid":1,"tid":1}`, "over 192 years"},
		{`{"name":"copy","ph":"X","ts":1e400,"dur":1,"pid":1,"tid":1}`, "too large"},
		{`{"name":"copy","ph":"X","ts":99999999999999999999999,"dur":1,"pid":1,"tid":1}`, "too large"},
		{`{"name":"copy","ph":"X","dur":1,"pid":1,"tid":1}`, "(ts) is not a number"},
		{`{"name":"copy","ph":"X","ts":true,"dur":1,"pid":1,"tid":1}`, "(ts) is not a number"},
		{`{"name":{"a":1},"ph":"X","ts":1,"dur":1,"pid":1,"tid":1}`, "of a wrong type"},
		{`{"name":12,"ph":"X","ts":1,"dur":1,"pid":1,"tid":1}`, "of a wrong type"},
		{`{"name":"copy","ph":7,"ts":1,"dur":1,"pid":1,"tid":1}`, "without a kind"},
		{`{"name":"copy","ph":"XX","ts":1,"dur":1,"pid":1,"tid":1}`, "without a kind"},
		{`{"name":"copy` + "\n" + `",` + event + `}`, "not in JSON"},
		{`{"name":"copy",` + event, "not in JSON"},
		{`{"name":"copy",` + event + `,"args":{"a":1}`, "not in JSON"},
		{`{"name":"copy",` + event + `,"args":{"a":[1}}`, "not in JSON"},
		{`{"name":"copy",` + event + `,'args':0}`, "not in JSON"},
		{`{"name" "copy",` + event + `}`, "not in JSON"},
		{`7`, "beside events"}, {`"text"`, "beside events"}, {`[1,2]`, "beside events"}, {`null`, "beside events"},
		{`{"ph":"Q","ts":1}`, "unknown kind"},
	} {
		s, r := seeText(t, head+test.bad+",\n"+tail)
		if want := int64(400_000); s.ns["thread 1/draw"] != want || s.ns["thread 1/late"] != 500_000 {
			t.Errorf("%s: got %v; want draw and late", test.bad, s.ns)
		}
		if len(r.Left) != 1 || r.Left[0].Count != 1 || r.Unfinished ||
			!strings.Contains(r.Left[0].Description, test.why) {
			t.Errorf("%s: got %v, no end: %v; want one %q", test.bad, r.Left, r.Unfinished, test.why)
		}
	}
}

func TestEndsOfFiles(t *testing.T) {
	const one = `{"name":"a","ph":"X","ts":0,"dur":10}`
	for text, unfinished := range map[string]bool{
		"[" + one + "]": false, "[" + one + ",]": false, "[" + one: true, "[" + one + ",": true,
		"[" + one + `,{"name":"b`: true, `{"traceEvents":[` + one + "]}": false, `{"traceEvents":[` + one + "]": true,
		`{"traceEvents":[` + one: true, one: false, one + "\n" + one + "\n": false, one + "\n" + `{"na`: true,
		`{"a":{"b":["]",1]},"traceEvents":[` + one + `],"c":[1,{"d":"}"}],"e":1}`: false,
		"\n \t[\n" + one + "\n]\n":                      false,
		"[" + one + `,{"name":"b" 7]`:                   false,
		`[{"name":"b` + "\n" + `"},` + "\n" + one + "]": false,
	} {
		s, r := seeText(t, text)
		if r.Unfinished != unfinished || s.ns["thread /a"] != 10_000 {
			t.Errorf("%q: no end: %v, %v; want %v", text, r.Unfinished, s.ns, unfinished)
		}
	}
}

// Files that stand behind each other are read to the last.
func TestFilesPutTogether(t *testing.T) {
	const one, other = `{"name":"a","ph":"X","ts":0,"dur":10}`, `{"name":"b","ph":"X","ts":20,"dur":5}`
	for text, left := range map[string]int{
		"[" + one + "]\n[" + other + "]": 0, "[" + one + "][" + other: 0, "[" + one + "]" + other: 0,
		`{"traceEvents":[` + one + `]}{"traceEvents":[` + other + `]}`: 0,
		`{"traceEvents":[` + one + `],"c":1}` + "\n[" + other + "]":    0,
		one + "\n[" + other + "]":                                      0, "[" + one + `]{"otherData":{}}` + other: 1,
		"[" + one + "]}\n" + other: 1, "[" + one + "," + other + "]\n// by hand": 1, "[" + one + "," + other + "]]": 0,
	} {
		s, r := seeText(t, text)
		whole := s.ns["thread /a"] == 10_000 && s.ns["thread /b"] == 5_000
		if got := sumOf(r.Left); !whole || got < left || left == 0 && got > 0 {
			t.Errorf("%q: got %v, left out %v; want a, b and %d left out", text, s.ns, r.Left, left)
		}
	}
}

func sumOf(counts []importer.Count) (n int) {
	for _, c := range counts {
		n += c.Count
	}
	return n
}

// Such a slice has no length, and the file is said to have it.
func TestDurationsBelowZeroAreCounted(t *testing.T) {
	for dur, want := range map[string]int{"-3": 1, `"-0.5"`: 1, "-0.0": 0, "0": 0, "3": 0} {
		_, r := seeText(t, `[{"name":"a","ph":"X","ts":5,"dur":`+dur+`},{"name":"b","ph":"X","ts":0,"dur":10}]`)
		if sumOf(r.Changed) != want || want > 0 && !strings.Contains(r.Changed[0].Description, "below 0") {
			t.Errorf("%s: got %v; want %d", dur, r.Changed, want)
		}
	}
}

// Microseconds since 1970 with three decimals lose nothing.
func TestTimesAreDecimal(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, `,{"name":%q,"ph":"X","ts":%d.079,"dur":1.000,"pid":1,"tid":1}`,
			[]string{"even", "odd"}[i%2], 1732107141551429+i)
	}
	s, r := seeText(t, "["+b.String()[1:]+"]")
	if s.ns["thread 1/even"] != 1e6 || s.ns["thread 1/odd"] != 1e6 || len(r.Changed) > 0 {
		t.Errorf("got %v, %v; want 1 ms each, none cut", s.ns, r.Changed)
	}
	for text, want := range map[string]int64{`1.5e3`: 1_500_000, `"12.25"`: 12_250, `0.0004`: 0, `0.0006`: 1,
		`1500E-3`: 1_500, `007`: 7_000, `1e-400`: 0, `0e400`: 0, `2.5e+1`: 25_000} {
		s, _ := seeText(t, `[{"name":"a","ph":"X","ts":0,"dur":`+text+`},
			{"name":"b","ph":"X","ts":0,"dur":2e6,"tid":2}]`)
		if s.ns["thread /a"] != want {
			t.Errorf("%s: got %d ns; want %d", text, s.ns["thread /a"], want)
		}
	}
}

func half(kind, name string, at float64) string {
	return fmt.Sprintf(`{"ph":%q,"name":%q,"ts":%v,"pid":1,"tid":1}`, kind, name, at)
}

// Events in any order of the file become the same.
func TestOrderMeansNothing(t *testing.T) {
	list := []string{half("B", "a", 0), half("B", "b", 10), half("E", "b", 20), half("B", "b", 30), half("E", "a", 50),
		`{"ph":"X","name":"c","ts":32,"dur":5,"pid":1,"tid":1}`, half("E", "none", 60), half("B", "d", 70),
		half("E", "d", 80)}
	want := map[string]int64{"thread 1/a": 50_000, "thread 1/b": 30_000, "thread 1/c": 5_000, "thread 1/d": 10_000}
	for turn := range len(list) {
		s, r := seeText(t, "["+strings.Join(slices.Concat(list[turn:], list[:turn]), ",")+"]")
		if !maps.Equal(s.ns, want) || len(r.Left) != 1 || len(r.Changed) != 1 {
			t.Errorf("from %d on: got %v, %v, %v; want %v", turn, s.ns, r.Left, r.Changed, want)
		}
	}
	slices.Reverse(list)
	if s, _ := seeText(t, "["+strings.Join(list, ",")+"]"); !maps.Equal(s.ns, want) {
		t.Errorf("backwards: got %v; want %v", s.ns, want)
	}
}

// A slice that was closed with the one around it lasts until its own end, if that comes.
func TestEndsInAWrongOrder(t *testing.T) {
	list := []string{half("B", "a", 0), half("B", "b", 1), half("E", "a", 5), half("E", "b", 8), half("E", "b", 9),
		half("B", "a", 10), half("B", "b", 11), half("E", "a", 15)}
	s, r := seeText(t, "["+strings.Join(list, ",")+"]")
	want := map[string]int64{"thread 1/a": 10_000, "thread 1, beside/b": 7_000, "thread 1/b": 4_000}
	if !maps.Equal(s.ns, want) || len(r.Left) != 1 || len(r.Changed) != 2 || r.Changed[0].Count != 1 {
		t.Errorf("got %v, left out %v, changed %v; want %v", s.ns, r.Left, r.Changed, want)
	}
}

// A slice that overlaps another by little is cut. Otherwise it moves to another lane, with the slices inside it.
func TestOverlapsAreKept(t *testing.T) {
	const a = `[{"ph":"X","name":"a","ts":0,"dur":161,"tid":1},`
	s, r := seeText(t, a+`{"ph":"X","name":"b","ts":160.964,"dur":161,"tid":1},
		{"ph":"X","name":"in","ts":160.97,"dur":9,"tid":1}]`)
	if s.ns["thread 1/b"] != 160_964 || s.ns["thread 1/in"] != 8_970 || s.ns["thread 1/a"] != 161_000 ||
		r.Changed[0].Count != 1 {
		t.Errorf("got %v, %v; want b cut by 36 ns", s.ns, r.Changed)
	}
	s, r = seeText(t, a+`{"ph":"X","name":"b","ts":100,"dur":161,"tid":1},
		{"ph":"X","name":"in","ts":170,"dur":9,"tid":1},
		{"ph":"X","name":"c","ts":300,"dur":9,"tid":1}]`)
	want := map[string]int64{"thread 1/a": 161_000, "thread 1, beside/b": 161_000, "thread 1, beside/in": 9_000,
		"thread 1/c": 9_000}
	if !maps.Equal(s.ns, want) || r.Changed[0].Count != 2 {
		t.Errorf("got %v, %v; want %v", s.ns, r.Changed, want)
	}
	var b strings.Builder
	for i := range 300 { // each overlaps all others
		fmt.Fprintf(&b, `{"ph":"X","name":"o","ts":%d,"dur":1000,"tid":1},`, i)
	}
	s, r = seeText(t, "["+b.String()+"]")
	if calls := s.calls["thread 1/o"] + s.calls["thread 1, beside 100/o"]; len(s.lanes) != 102 || calls != 201 {
		t.Errorf("got %d lanes, %d calls, %v", len(s.lanes), calls, r.Changed)
	}
}

// Slices are as deep as in our own lanes. Deeper ones are counted, beside the flag that allows more.
func TestDepth(t *testing.T) {
	deep := func(n int, limits string) (calls int, left []importer.Count) {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"ph":"X","name":"f","ts":%d,"dur":%d,"tid":1},`, i, 1000+2*(n-i))
		}
		o := importer.Frames{Limits: budget.Usual, Every: time.Second}
		must.Do(t, o.Limits.Set(limits))
		file := strings.NewReader("[" + b.String() + "]")
		trace, err := importer.Frames{}.Read(file, importer.KindChrome, o.Limits.File())
		if err != nil {
			t.Fatal(err)
		}
		_, err = trace.Write(o, func(*importer.Trace) {}, func(f *gather.Frame) error {
			for _, n := range f.Lanes[0].Nodes {
				calls += int(n.Count)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return calls, trace.Left()
	}
	for _, test := range []struct{ n, calls int }{{1500, 1500}, {measure.DefaultDepth + 3, measure.DefaultDepth}} {
		calls, left := deep(test.n, "time=1h")
		if calls != test.calls || (len(left) > 0) != (test.n > test.calls) {
			t.Errorf("%d deep: got %d calls, left out %v", test.n, calls, left)
		}
	}
	calls, left := deep(50, "depth=20")
	if calls != 20 || left[0].Count != 30 || !strings.Contains(left[0].Description, "-limits depth=") {
		t.Errorf("got %d calls, left out %v; want 20, and 30", calls, left)
	}
}

// What is no slice of a thread.
func TestOtherKindsOfEvents(t *testing.T) {
	async := func(kind, id, name string, at int) string {
		return fmt.Sprintf(`{"ph":%q,"cat":"net","id":%q,"name":%q,"ts":%d,"pid":1,"tid":1}`, kind, id, name, at)
	}
	s, r := seeText(t, "["+strings.Join([]string{
		`{"ph":"X","name":"main","ts":0,"dur":100,"pid":1,"tid":1}`,
		`{"ph":"X","name":"job","ts":50,"dur":20,"pid":1,"tid":2}`,
		`{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"worker"}}`,
		async("b", "0x1", "load", 10), async("b", "0x2", "load", 20), async("b", "0x1", "dns", 12),
		async("e", "0x1", "dns", 15), async("e", "0x2", "load", 60), async("n", "0x1", "hit", 13), async("e", "0x1",
			"load", 40),
		`{"ph":"i","name":"click","ts":5,"pid":1,"tid":1,"s":"t"}`,
		`{"ph":"I","name":"all","ts":6,"pid":1,"tid":1,"s":"g"}`,
		`{"ph":"C","name":"fps","ts":1,"pid":1,"args":{"value":60}}`,
		`{"ph":"C","name":"heap","ts":1,"pid":1,"args":{"used":"12.5","free":3}}`,
		`{"ph":"C","name":"heap","ts":2,"pid":1,"args":{"used":20}}`,
		`{"ph":"C","name":"none","ts":1,"pid":1,"args":{}}`,
		`{"ph":"s","cat":"f","name":"post","id":1,"ts":10,"pid":1,"tid":1}`,
		`{"ph":"f","cat":"f","name":"post","id":1,"ts":50,"pid":1,"tid":2,"bp":"e"}`,
		`{"ph":"s","cat":"f","name":"post","id":2,"ts":10,"pid":1,"tid":1}`,
		`{"ph":"f","cat":"f","id":3,"ts":11,"pid":1,"tid":1}`,
		`{"ph":"N","name":"o","ts":1}`, `{"ph":"P","name":"p","ts":1}`, `{"ph":"v","ts":1}`,
		`{"ph":"v","ts":2,"pid":1,"args":{"dumps":{"process_totals":{"resident_set_bytes":"1f00","is_peak":true}}}}`,
		`{"ph":"M","name":"process_labels"}`,
	}, ",")+"]")
	want := map[string]int64{"thread 1/main": 100_000, "worker/job": 20_000, "net 0x1/load": 30_000,
		"net 0x1/dns":  3_000,
		"net 0x2/load": 40_000}
	if !maps.Equal(s.ns, want) {
		t.Errorf("got %v; want %v", s.ns, want)
	}
	if got := strings.Join(s.marks, " "); got != "thread 1/click /all net 0x1/hit" {
		t.Errorf("got marks %s", got)
	}
	if want := map[string]float64{"fps": 60, "heap": 20, "heap used": 12.5, "heap free": 3,
		"resident_set_bytes": 0x1f00}; !maps.Equal(s.values,
		want) {
		t.Errorf("got values %v; want %v", s.values, want)
	}
	if len(s.states) != 1 || s.lanes[s.states[0].Lane] != "worker" || s.lanes[s.states[0].Waker] != "thread 1" ||
		s.states[0].Begin != 10_000 || s.states[0].End != 50_000 || s.states[0].Reason != "post" {
		t.Errorf("got states %v; want one of worker from 10 to 50 us", s.states)
	}
	left := fmt.Sprint(r.Left)
	for _, kind := range []string{"{snapshots of objects 1}", "{samples of stacks 1}",
		"{memory dumps without sums of a process 1}",
		"{counter events without a number 1}", "{flow events without a slice at the other end 2}"} {
		if !strings.Contains(left, kind) {
			t.Errorf("got left out %s; want %s, too", left, kind)
		}
	}
}

// encodings are a text as files have it.
func encodings(text string) map[string][]byte {
	all := map[string][]byte{"plain": []byte(text), "mark": []byte("\ufeff" + text)}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte(text))
	w.Close()
	all["gzip"] = z.Bytes()
	all["cut gzip"] = append(all["gzip"][:z.Len()-8:z.Len()-8], "no sum!!"...)
	for name, order := range map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
		var b []byte
		for _, u := range utf16.Encode([]rune(text)) {
			b = order.AppendUint16(b, u)
		}
		all["UTF-16 "+name] = b
		all["UTF-16 with a mark "+name] = slices.Concat(order.AppendUint16(nil, 0xfeff), b)
	}
	return all
}

// Compression, byte order marks and UTF-16, and the kinds of files that have them.
func TestEncodings(t *testing.T) {
	var b strings.Builder // longer than what is read at once
	for i := range 20_000 {
		fmt.Fprintf(&b, `,{"name":"🙂é","ph":"X","ts":%d,"dur":1,"pid":1,"tid":1}`, i)
	}
	for name, file := range encodings("[" + b.String()[1:] + "]") {
		if kind := importer.KindOf(bytes.NewReader(file)); kind != importer.KindChrome {
			t.Errorf("%s: got kind %v", name, kind)
		}
		if s, r := seeText(t, string(file)); s.ns["thread 1/🙂é"] != 20e6 || r.Unfinished || len(r.Left) > 0 {
			t.Errorf("%s: got %v, %v", name, s.ns, r)
		}
	}
	for _, other := range []string{"", "\x1f\x8b", "hello", "\x89IPROF\r\n", "\xff\xfe", "{"} {
		importer.KindOf(strings.NewReader(other)) // does not panic
	}
}

// In files of other programs these names are as any other.
func TestOurConventionsAreOurs(t *testing.T) {
	s, r := seeText(t, `[{"name":"q","ph":"X","ts":0,"dur":10,"pid":1,"tid":1,"args":{"calls":250}},
		{"name":"q","ph":"X","ts":20,"dur":10,"pid":1,"tid":1,"args":{"calls":0}},
		{"name":"q","ph":"X","ts":40,"dur":10,"pid":1,"tid":1,"args":{"calls":"many"}},
		{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"frames"}},
		{"name":"decode","ph":"X","ts":0,"dur":50,"pid":1,"tid":2},
			{"name":"(root)","ph":"X","ts":60,"dur":10,"pid":1,"tid":2},
		{"name":"high","ph":"X","ts":0,"dur":50,"pid":1,"tid":1073741825}]`)
	if s.calls["thread 1/q"] != 3 || s.ns["frames/decode"] != 50_000 || s.ns["frames/(root)"] != 10_000 ||
		s.ns["thread 1073741825/high"] != 50_000 || len(r.Left) > 0 {
		t.Errorf("got %v, calls %v, left out %v", s.ns, s.calls, r.Left)
	}
	s, _ = seeText(t, `{"otherData":{"exporter":"iprof"},"traceEvents":[
		{"name":"q","ph":"X","ts":0,"dur":10,"pid":1,"tid":1,"args":{"calls":250}},
		{"ph":"M","name":"thread_name","pid":1,"tid":0,"args":{"name":"frames"}},
		{"name":"frame 0","ph":"X","ts":0,"dur":5,"pid":1,"tid":0},
			{"name":"frame 1","ph":"X","ts":5,"dur":5,"pid":1,"tid":0}]}`)
	if s.calls["thread 1/q"] != 250 || s.frames != 2 || len(s.ns) != 1 {
		t.Errorf("our own: got %v, calls %v, %d frames", s.ns, s.calls, s.frames)
	}
}

// Where there are several processes, and no two lanes have one name.
func TestLanesHaveTheirProcess(t *testing.T) {
	name := func(what string, pid, tid int, name string) string {
		return fmt.Sprintf(`{"ph":"M","name":%q,"pid":%d,"tid":%d,"args":{"name":%q}},`, what, pid, tid, name)
	}
	var b strings.Builder
	b.WriteString("[" + name("process_name", 1, 0, "browser") + name("process_name", 2, 0,
		"tab") + name("process_name", 3, 0, "tab"))
	for pid := 1; pid <= 4; pid++ {
		b.WriteString(name("thread_name", pid, 1, "Main"))
		fmt.Fprintf(&b, `{"name":"a","ph":"X","ts":0,"dur":100,"pid":%d,"tid":1},`, pid)
	}
	b.WriteString(name("thread_name", 1, 2, "Main") + `{"name":"a","ph":"X","ts":0,"dur":100,"pid":1,"tid":2}]`)
	s, _ := seeText(t, b.String())
	got := slices.Sorted(maps.Keys(s.ns))
	want := []string{"browser: Main (1)/a", "browser: Main (2)/a", "process 4: Main/a", "tab 2: Main/a",
		"tab 3: Main/a"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}

// Frames are as long as it takes, and an event far from all others is not believed.
func TestAnyLength(t *testing.T) {
	at := func(ts string) string { return `{"name":"a","ph":"X","ts":` + ts + `,"dur":1000,"pid":1,"tid":1},` }
	hours := at("1732107141000000") + at("1732107142000000") + at("1732215141000000") + at("1732215142000000")
	long := at("1732107141000000000") + at("1732107142000000000") + at("1732215141000000000") +
		at("1732215142000000000")
	for _, test := range []struct {
		text   string
		frames int
		stray  int
		length time.Duration
	}{
		{hours, 54001, 0, 2 * time.Second}, {at("0") + hours, 54001, 1, 2 * time.Second},
		{at("0") + at("6e9") + at("6.001e9") + at("6.1e9") + at("6.2e9"), 12001, 1,
			time.Second / 60}, // since the start
		{hours + at("9e14"), 54001, 1, 2 * time.Second}, {hours + at("3e15"), 54001, 1, 2 * time.Second},
		{hours + `{"name":"b","ph":"X","ts":1732107141000000,"dur":1732107141000000,"pid":2},`,
			54001, 1, 2 * time.Second},
		{long, 0, 0, 0}, {at("0") + long, 0, 1, 0}, {long + at("0"), 0, 1, 0},
	} {
		trace := must.Get(importer.Frames{}.Read(strings.NewReader("["+test.text+"]"), importer.KindChrome, nil))(t)
		s, err := see(t, trace, importer.Frames{})
		if err != nil || s.ns["thread 1/a"] != 4e6 || test.frames > 0 && s.frames != test.frames || s.frames > 100_001 {
			t.Errorf("%.60s: %v, %d frames, %v", test.text, err, s.frames, s.ns)
		}
		if got := trace.Left(); test.stray != len(got) || len(got) > 0 && got[0].Count != 1 {
			t.Errorf("%.60s: left out %v", test.text, got)
		}
		if long := test.length > time.Second; long != strings.Contains(trace.Note(), "-every") && test.length > 0 {
			t.Errorf("%.60s: got note %q", test.text, trace.Note())
		}
	}
}

// A file without slices is no empty report, and the error says what the file has.
func TestNothingIsAnError(t *testing.T) {
	for text, want := range map[string]string{
		"[]":                             "it is empty",
		`{"traceEvents":[]}`:             "it is empty",
		`[{"ph":"P","ts":1},{"ph":"P"}]`: "2 samples of stacks",
		`[{"ph":"i","name":"a","ts":1}]`: "1 mark",
		`[{"ph":"C","name":"a","ts":1,"args":{"v":1}},{"ph":"e","id":1,"ts":2}]`: "1 value of counters",
	} {
		trace, err := importer.Frames{}.Read(strings.NewReader(text), importer.KindChrome, nil)
		if err == nil {
			_, err = see(t, trace, importer.Frames{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v; want %q", text, err, want)
		}
	}
	stop := errors.New("stop")
	trace, _ := importer.Frames{}.Read(strings.NewReader(`[{"ph":"X","ts":1,"dur":1}]`), importer.KindChrome, nil)
	if _, err := trace.Write(importer.Frames{}, func(*importer.Trace) {},
		func(*gather.Frame) error { return stop }); err != stop {
		t.Errorf("got error %v of the sink", err)
	}
}

// FuzzChrome: no text makes a panic, or frames whose times do not add up.
func FuzzChrome(f *testing.F) {
	for _, text := range []string{head + tail, half("B", "a", 0) + half("E", "a", 1), "[" + half("b", "x", 1e3) + "," +
		half("e", "x", 2e3), `[{"ph":"s","id":1,"ts":1},{"ph":"f","id":1,"ts":"2e0","tid":3},
			{"ph":"X","ts":-1e15,"dur":1e30}]`,
		`{"otherData":{"exporter":"iprof"},"traceEvents":[{"ph":"X","tid":1073741830,"dur":5,
			"args":{"kind":2,"waker":1}}]}`,
	} {
		for _, file := range encodings(text) {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		importer.KindOf(bytes.NewReader(file))
		trace, err := importer.Frames{}.Read(bytes.NewReader(file), importer.KindChrome, nil)
		if err != nil {
			return
		}
		checkTrace(t, trace)
	})
}

// checkTrace checks the first hundred frames of a trace.
func checkTrace(t *testing.T, trace *importer.Trace) {
	t.Helper()
	frames := 0
	trace.Write(importer.Frames{}, func(*importer.Trace) {}, func(f *gather.Frame) error {
		checkFrame(t, f)
		if frames++; frames > 100 {
			return errors.New("enough")
		}
		return nil
	})
}

// checkFrame checks what holds for each frame: self times are at least 0 and sum to the frame, parents come first.
func checkFrame(t *testing.T, f *gather.Frame) {
	t.Helper()
	for i := range f.Lanes {
		l, sum := &f.Lanes[i], f.Begin
		for k, n := range l.Nodes {
			if sum += n.Self; n.Self < 0 || int(n.Parent) >= k || int(n.Zone) >= len(f.Zones) {
				t.Fatalf("lane %q: node %d: %+v", l.Name, k, n)
			}
		}
		if sum != f.End {
			t.Fatalf("lane %q: the times sum to %d; want %d", l.Name, sum-f.Begin, f.End-f.Begin)
		}
	}
}
