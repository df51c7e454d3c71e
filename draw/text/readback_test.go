package text

import (
	"bytes"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// readJSON reads what WriteJSON wrote.
func readJSON(t *testing.T, d *report.Dump) *asjson.File {
	t.Helper()
	b := write(t, func(w io.Writer) error { return WriteJSON(w, d) })
	checkPlain(t, string(b))
	f := must.Get(asjson.Read(bytes.NewReader(b)))(t)
	return f
}

// unescape undoes printed.Distinct, to show that it can be undone.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i]]
		v, _ := strconv.ParseUint(s[i+1:i+1+digits], 16, 32)
		switch s[i] {
		case '\\':
			b.WriteByte('\\')
		case 'x':
			b.WriteByte(byte(v))
		default:
			b.WriteRune(rune(v))
		}
		i += digits
	}
	return b.String()
}

func TestEscapedNamesArePlainAndReadBack(t *testing.T) {
	seen := map[string]string{}
	for _, name := range sampledump.HostileNames {
		got := printed.Distinct(name)
		checkPlain(t, got)
		if back := unescape(got); back != name {
			t.Errorf("Distinct(%.40q): got %.40q back; want it unchanged", name, back)
		}
		if other, known := seen[got]; known {
			t.Errorf("%.40q and %.40q look alike: %q", name, other, got)
		}
		seen[got] = name
	}
	for name, want := range map[string]string{"a\x1b[m": `a\x1b[m`, "\u202e": `\u202e`, "\xff": `\xff`, "é日": "é日",
		`\`: `\\`, "\U000e0041": `\U000e0041`} {
		t.Run(name, func(t *testing.T) {
			if got := printed.Distinct(name); got != want {
				t.Errorf("Distinct(%q): got %q; want %q", name, got, want)
			}
		})
	}
}

// checkPlain fails when s could do more to a terminal than show characters.
func checkPlain(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("got invalid UTF-8 %.60q; want none", s)
	}
	for _, r := range s {
		if r != '\n' && r != '\r' && !strconv.IsPrint(r) {
			t.Errorf("got %U; want printable characters only", r)
			return
		}
	}
}

// FuzzSinks writes a hostile name through every writer.
func FuzzSinks(f *testing.F) {
	for _, name := range sampledump.HostileNames {
		f.Add(name[:min(len(name), 5000)]) // longer ones keep the fuzzer busy making them shorter
	}
	f.Fuzz(func(t *testing.T, name string) {
		d := sampledump.Dump(1, 4, 3)
		d.Zones[1].Name = name
		d.Lanes[0].Name = name
		d.Program = name
		d.Machine = name
		d.Warnings, d.Time = []string{name}, time.Time{}
		r := sampledump.Flat()
		r.Title, r.Records[0].Name, r.Records[1].Site = name, name, name
		r.Values = append(r.Values, report.FrameValue{Name: name, Kind: report.ValueCount})
		d.Values = append(d.Values, report.ValueSeries{FrameValue: r.Values[0]})
		checkPlain(t, string(write(t, func(w io.Writer) error { return WriteReport(w, r, Options{}) })))
		checkPlain(t, string(write(t, func(w io.Writer) error { return WriteTree(w, d, Options{}) })))
		checkPlain(t, string(write(t, func(w io.Writer) error { return WriteZones(w, d, Options{}) })))
		checkPlain(t, Name(name))
		d.Report = r
		f := readJSON(t, d)
		if got := []asjson.Text{f.Zones[1].Name, f.Report.Rows[0].Zone}; string(got[0]) != name || got[1] != got[0] {
			t.Errorf("JSON: got %q back; want %q", got, name)
		}
	})
}

// Locks read back: who waited for whom, and in which frame longest.
func TestLocksReadBack(t *testing.T) {
	d := sampledump.Game()
	d.Traced, d.LockWaits = true, []report.LockWait{
		{Lock: "lock \x1b[1m", Lane: 3, LaneName: "main.serve server.go:42 #1", By: "loader", At: "w.go:88", Time: 12,
			HasFrame: true},
		{Lock: "mutex", Lane: 4, LaneName: "worker", Time: 30}}
	got := readJSON(t, d)
	frame := uint64(0)
	want := []asjson.Lock{
		{Name: "mutex", Waits: 1, Time: 30, Waiter: "worker", Waiters: 1, Longest: 30, LongestLane: 4},
		{Name: "lock \x1b[1m", Waits: 1, Time: 12, Waiter: "main.serve server.go:42", Waiters: 1, Holder: "loader",
			At: "w.go:88", Held: 12, Longest: 12, LongestLane: 3, LongestFrame: &frame}}
	if !got.Traced || !reflect.DeepEqual(got.Locks, want) {
		t.Errorf("got traced %v, %+v; want %+v", got.Traced, got.Locks, want)
	}
}
