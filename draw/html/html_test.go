package html

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// page returns a dump as a page.
func page(t testing.TB, d *report.Dump, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, d, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// element returns the text between the n-th tag of a kind and its end.
func element(t testing.TB, page, tag string, n int) string {
	t.Helper()
	found := regexp.MustCompile(`(?s)<`+tag+`[^>]*>(.*?)</`+tag+`>`).FindAllStringSubmatch(page, -1)
	if len(found) <= n {
		t.Fatalf("got %d elements %s; want more than %d", len(found), tag, n)
	}
	return found[n][1]
}

func TestDataGolden(t *testing.T) {
	d := sampledump.Dump(1, 12, 5)
	d.History, d.FrameTrees = d.History[:22], d.FrameTrees[:1]
	got := strings.ReplaceAll(element(t, page(t, d, Options{}), "script", 0), `,"`, ",\n\"") + "\n"
	golden.Text(t, "data.random.golden", []byte(got))
}

func TestPolicyAllowsOwnPartsOnly(t *testing.T) {
	out := page(t, sampledump.Game(), Options{})
	policy := strings.NewReplacer("&#39;", "'", "&#43;", "+", "&#34;",
		`"`).Replace(out[strings.Index(out, `content="`)+9 : strings.Index(out, `<meta name="viewport"`)])
	for tag, text := range map[string]string{"script-src ": element(t, out, "script", 1),
		"style-src ": element(t, out, "style", 0)} {
		t.Run(tag, func(t *testing.T) {
			if want := tag + hash(text) + ";"; !strings.Contains(policy, want) {
				t.Errorf("got policy %s; want %s in it", policy, want)
			}
		})
	}
	for _, word := range []string{"unsafe", "http:", "https:", "*"} {
		if strings.Contains(policy, word) {
			t.Errorf("got %q in the policy %s; want none", word, policy)
		}
	}
	if !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("got policy %s; want default-src 'none'", policy)
	}
	for _, outside := range []string{"src=\"http", "href=\"http", "@import", "url("} {
		if strings.Contains(out, outside) {
			t.Errorf("got %q in the page; want nothing from outside", outside)
		}
	}
}

// columns is a tree as the page has it.
type columns struct {
	Z, L []int
	C    []float64
	S    []int64
	H    [][2]int64
}

// hier returns hierarchical ticks as the page's script does.
func (c *columns) hier() []int64 {
	listed := map[int]int64{}
	for _, e := range c.H {
		listed[int(e[0])] = e[1]
	}
	hier := make([]int64, len(c.S))
	for i := len(c.S) - 1; i >= 0; i-- {
		hier[i] += c.S[i]
		if v, ok := listed[i]; ok {
			hier[i] = v
		}
		for p := i - 1; p >= 0; p-- {
			if c.L[p] == c.L[i]-1 {
				hier[p] += hier[i]
				break
			}
		}
	}
	return hier
}

func TestTotalsEqualTheModel(t *testing.T) {
	for seed := range uint64(1000) {
		d := sampledump.Dump(seed, 1+int(seed%60), 1+int(seed%12))
		if seed%3 == 0 {
			d.Merged[0].Hier /= 2 // lanes together exceed the root of the lane that updates
		}
		b := dataOf(d, Options{})
		var got struct {
			Tps   float64
			Trees []columns
			Top   [][4]float64
		}
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		hier := got.Trees[0].hier()
		for i := range d.Merged {
			n := &d.Merged[i]
			want := ticksOf(n.Hier, d.TicksPerSecond)
			if hier[i] != want || got.Trees[0].S[i] != ticksOf(n.Self, d.TicksPerSecond) {
				t.Fatalf("seed %d, node %d: got hier %d self %d ticks; want %d, %d",
					seed, i, hier[i], got.Trees[0].S[i], want, ticksOf(n.Self, d.TicksPerSecond))
			}
		}
		var self, want int64
		for _, z := range got.Top {
			self += int64(z[2])
		}
		for _, v := range got.Trees[0].S {
			want += v
		}
		if self != want {
			t.Fatalf("seed %d: got %d self ticks in the list of zones; want %d", seed, self, want)
		}
	}
}

func TestPageOf10000NodesIsSmall(t *testing.T) {
	d := sampledump.Dump(4, 10000, 1000)
	for i := range d.History {
		d.FrameTrees = append(d.FrameTrees, report.FrameTree{Index: d.History[i].Index, Nodes: d.Merged})
	}
	got := page(t, d, Options{})
	if len(got) > 2e6 {
		t.Errorf("got %d bytes; want at most 2 MB", len(got))
	}
	if !regexp.MustCompile(`trees of \d+ of 124 frames, \d+ kB`).MatchString(got) {
		t.Error("got no line that says how many trees of frames the page holds; want one")
	}
	if all := page(t, d, Options{FrameBytes: -1}); !strings.Contains(all, "trees of 124 of 124 frames") {
		t.Error("got a limit although none was asked for")
	}
}

func TestFramesAreLeftOutByImportance(t *testing.T) {
	d := &report.Dump{}
	for i, busy := range []float32{1, 9, 2, 8, 3} {
		d.History = append(d.History, report.FrameSummary{Index: uint64(i), Busy: busy})
		d.FrameTrees = append(d.FrameTrees, report.FrameTree{Index: uint64(i)})
	}
	want := []int{1, 4, 3, 2, 0}
	for i, got := range d.ByImportance() {
		if got != want[i] {
			t.Fatalf("got %v; want %v", d.ByImportance(), want)
		}
	}
}

// failing fails at the k-th write and counts those after it.
type failing struct{ k, after int }

var errFull = errors.New("disk full")

func (f *failing) Write(p []byte) (int, error) {
	if f.k--; f.k > 0 {
		return len(p), nil
	}
	f.after -= f.k
	return 0, errFull
}

func TestWriterFailsAtEveryWrite(t *testing.T) {
	d := sampledump.Dump(2, 5000, 300)
	for k := 1; ; k++ {
		w := &failing{k: k}
		err := Write(w, d, Options{})
		if err == nil && w.k > 0 {
			if k < 3 {
				t.Errorf("got one write; want several, or the test shows nothing")
			}
			return
		}
		if !errors.Is(err, errFull) || w.after > 0 {
			t.Fatalf("write %d failed: got error %v and %d writes after it; want %v and none", k, err, w.after, errFull)
		}
	}
}

func TestNumbersThatAreNone(t *testing.T) {
	d := &report.Dump{Merged: []report.TreeNode{{Parent: -1, Self: math.NaN(), Hier: math.Inf(1),
		Count: math.Inf(-1)}}, TicksPerSecond: math.NaN(),
		Series: []report.Series{{Values: []float32{float32(math.NaN())}}}}
	if b := dataOf(d, Options{}); !json.Valid(b) {
		t.Errorf("got %s; want valid JSON", b)
	}
}

// FuzzPage writes a hostile name everywhere and checks that it stays text.
func FuzzPage(f *testing.F) {
	for _, name := range sampledump.HostileNames {
		f.Add(name[:min(len(name), 5000)]) // longer ones keep the fuzzer busy making them shorter
	}
	plain := page(f, sampledump.Dump(1, 4, 3), Options{})
	tags := strings.Count(plain, "<")
	f.Fuzz(func(t *testing.T, name string) {
		d := sampledump.Dump(1, 4, 3)
		d.Zones[1].Name, d.Zones[1].File, d.Lanes[0].Name = name, name, name
		d.Lanes[0].CPU = time.Second // its title is made from the name
		d.Program, d.Machine, d.GoVersion, d.History[0].Label = name, name, name, name
		d.Marks = []report.FrameMark{{Text: name}}
		out := page(t, d, Options{})
		if got := strings.Count(out, "<"); got != tags {
			t.Errorf("got %d times '<'; want %d as with a harmless name", got, tags)
		}
		checkPlain(t, out)
		var data struct{ Zones [][]any }
		if err := json.Unmarshal([]byte(element(t, out, "script", 0)), &data); err != nil {
			t.Fatal(err)
		}
		if got := data.Zones[1][0]; got != visible(name) {
			t.Errorf("got name %q; want %q", got, visible(name))
		}
	})
}

// checkPlain fails when the page holds characters that steer what shows them.
func checkPlain(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Error("got invalid UTF-8; want none")
	}
	for _, r := range s {
		if r != '\n' && r != '\u2009' && !strconv.IsPrint(r) {
			t.Errorf("got %U; want printable characters only", r)
			return
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	d := sampledump.Dump(4, 10000, 1000)
	d.Lanes = nil
	b.Run("nodes=10000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := Write(io.Discard, d, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkOpen measures from asking for a page to its first tables, in a real browser.
func BenchmarkOpen(b *testing.B) {
	p := browser.Start(b)
	for _, nodes := range []int{1000, 10000} {
		b.Run("nodes="+strconv.Itoa(nodes), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "profile.html")
			written := page(b, sampledump.Dump(4, nodes, 1000), Options{})
			if err := os.WriteFile(path, []byte(written), 0o644); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				p.Load(path)
			}
			p.Eval("document.querySelector('#expand').click()")
		})
	}
}
