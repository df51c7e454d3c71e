package html_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/iprof/draw/html"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// page returns a dump as a page.
func page(t testing.TB, d *report.Dump, o html.Options) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, html.Write(&b, d, o))
	return strings.ReplaceAll(b.String(), "&#8201;", "\u2009")
}

// frameOf returns the options of a live page of a frame.
func frameOf(index uint64) html.Options {
	return html.Options{Live: true, Query: html.Query{Frame: fmt.Sprint(index)}}
}

// element returns the text between the first tag of a kind and its end.
func element(t testing.TB, page, tag string) string {
	t.Helper()
	name, _, _ := strings.Cut(tag, " ")
	found := regexp.MustCompile(`(?s)<` + tag + `[^>]*>(.*?)</` + name + `>`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("got no element %s", tag)
	}
	return found[1]
}

// section returns a section of the page, "" if it has none.
func section(page, id string) string {
	return regexp.MustCompile(`(?s)<section[^>]*id="` + id + `".*?</section>`).FindString(page)
}

var tagPattern = regexp.MustCompile(`<[^>]*>`)

// words returns the text of markup, with one space in place of tags.
func words(markup string) string {
	text := tagPattern.ReplaceAllString(markup, " ")
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' }), " ")
}

// TestPageGolden holds the whole page of a small run, without style and script.
func TestPageGolden(t *testing.T) {
	d := sampledump.Dump(1, 6, 4)
	d.History, d.FrameTrees, d.Statistics = d.History[:9], d.FrameTrees[:1], d.Statistics[:2]
	got := page(t, d, html.Options{})
	for _, tag := range []string{"style", "script"} {
		got = strings.Replace(got, element(t, got, tag), "", 1)
	}
	got = regexp.MustCompile(`sha256-[^&]*`).ReplaceAllString(got, "sha256")
	golden.Text(t, "page.golden", []byte(got))
}

func TestPolicyAllowsOwnPartsOnly(t *testing.T) {
	for _, o := range []html.Options{{}, {Live: true, Command: "iprof view x"}} {
		out := page(t, sampledump.Game(), o)
		policy := strings.NewReplacer("&#39;", "'", "&#34;", `"`).Replace(
			out[strings.Index(out, `content="`)+9 : strings.Index(out, `<meta name="viewport"`)])
		for tag, text := range map[string]string{"script-src ": element(t, out, "script"),
			"style-src ": element(t, out, "style")} {
			if want := tag + html.Hash(text) + ";"; !strings.Contains(policy, want) {
				t.Errorf("got policy %s; want %s in it", policy, want)
			}
		}
		for _, word := range []string{"unsafe", "http:", "https:", "*"} {
			if strings.Contains(policy, word) {
				t.Errorf("got %q in the policy %s; want none", word, policy)
			}
		}
		if !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("got policy %s; want default-src 'none'", policy)
		}
		if got := strings.Contains(policy, "connect-src 'self'"); got != o.Live {
			t.Errorf("live %v: may the page ask its server: %v", o.Live, got)
		}
		for _, outside := range []string{"src=\"http", "href=\"http", "@import", "url(", ` style="`, "<script>var"} {
			if strings.Contains(out, outside) {
				t.Errorf("got %q in the page; want nothing from outside, and no style that the policy forbids", outside)
			}
		}
	}
}

// The script is short, and there is no other.
func TestTheScriptIsShort(t *testing.T) {
	if n := strings.Count(html.Script(), "\n"); n > 150 {
		t.Errorf("got %d lines; want at most 150", n)
	}
	if n := strings.Count(page(t, sampledump.Game(), html.Options{}), "<script"); n != 1 {
		t.Errorf("got %d scripts; want 1", n)
	}
}

func TestLargePagesAreSmall(t *testing.T) {
	d := sampledump.Dump(4, 10000, 1000)
	for i := range d.History {
		d.FrameTrees = append(d.FrameTrees, report.FrameTree{Index: d.History[i].Index, Nodes: d.Merged})
	}
	got := page(t, d, html.Options{})
	if len(got) > 2e6 {
		t.Errorf("got %d bytes; want at most 2 MB", len(got))
	}
	want := fmt.Sprintf("This document has %d of %d frames one by one, and callers and callees of %d of", html.Frames,
		len(d.FrameTrees), html.Graphed)
	if !strings.Contains(got, want) {
		t.Errorf("got no %q: the page must say what it leaves out", want)
	}
	for part, want := range map[string]string{"trees": "more below", "top": "more zones",
		"structure": "Too small to draw"} {
		if !strings.Contains(section(got, part), want) {
			t.Errorf("%s: got no %q", part, want)
		}
	}
	if n := strings.Count(section(got, "trees"), "\n"); n > 5000 {
		t.Errorf("got %d lines of trees; want fewer", n)
	}
}

// What a tree leaves out adds up: its rows, and the numbers of rows left out, are all nodes.
func TestTreesCountWhatTheyLeaveOut(t *testing.T) {
	d := sampledump.Dump(4, 10000, 1000)
	d.Lanes, d.FrameTrees = nil, nil
	want := 0
	for i := range d.Merged {
		if n := &d.Merged[i]; n.Count != 0 || n.Hier != 0 || n.Self != 0 || n.Open || n.Charges != (report.Charges{}) {
			want++
		}
	}
	tree := section(page(t, d, html.Options{}), "trees")
	got := strings.Count(tree, "</svg></span>") + strings.Count(tree, `class="name"`)
	for _, m := range regexp.MustCompile(`… and ([0-9\x{2009}]+) more below`).FindAllStringSubmatch(tree, -1) {
		n := must.Get(strconv.Atoi(strings.ReplaceAll(m[1], "\u2009", "")))(t)
		got += n
	}
	if got -= strings.Count(tree, ">waiting</span>"); got != want {
		t.Errorf("got rows and rest of %d nodes; want %d", got, want)
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
	d := sampledump.Dump(2, 1000, 300)
	for k := 1; ; k++ {
		w := &failing{k: k}
		err := html.Write(w, d, html.Options{})
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
	nan, inf := math.NaN(), math.Inf(1)
	d := &report.Dump{Merged: []report.TreeNode{{Parent: -1, Self: nan, Hier: inf, Count: math.Inf(-1)},
		{Parent: 0, Level: 1, Self: inf, Hier: nan, Count: nan}},
		TicksPerSecond: nan, History: []report.FrameSummary{{Length: float32(nan), Busy: float32(inf)}, {Index: 1,
			Busy: 3}},
		Series: []report.Series{{Values: []float32{float32(nan), float32(inf)}}},
		Values: []report.ValueSeries{{FrameValue: report.FrameValue{Total: nan, Max: inf},
			Values: []float32{float32(inf), 2}}},
	}
	d.FrameTrees = []report.FrameTree{{Nodes: d.Merged, Parts: []report.Part{{Time: nan, Usual: inf}},
		Verdict: report.Verdict{Usual: inf, Causes: []report.Cause{{Time: nan}}},
		Timeline: report.FrameTimeline{Lanes: []report.FrameLane{{From: float32(inf),
			Scopes: []report.FrameScope{{Begin: float32(nan), End: float32(inf)}}}}}}}
	d.Verdict = d.FrameTrees[0].Verdict
	for _, o := range []html.Options{{}, frameOf(0)} {
		for _, m := range regexp.MustCompile(` (?:d|x|y|viewBox|textLength)="[^"]*"`).FindAllString(page(t, d, o), -1) {
			if strings.Contains(m, "NaN") || strings.Contains(m, "Inf") {
				t.Fatalf("got%s; want numbers", m)
			}
		}
	}
}

// shapes returns the tags of a page without the values of their attributes.
func shapes(page string) map[string]bool {
	all := map[string]bool{}
	for {
		_, tag, found := strings.Cut(page, "<")
		if !found {
			return all
		}
		var shape []byte
		quoted := false
		for len(tag) > 0 && tag[0] != '>' {
			if tag[0] == '"' {
				quoted = !quoted
			} else if !quoted {
				shape = append(shape, tag[0])
			}
			tag = tag[1:]
		}
		all[string(shape)], page = true, tag
	}
}

// hostile returns a dump with one name everywhere.
func hostile(name string) *report.Dump {
	d := drawnGame()
	at := len(d.History) - 30
	d.History, d.FrameTrees, d.Statistics = d.History[at:], d.FrameTrees[treeOf(d, d.Verdict.Index):], d.Statistics[:3]
	d.FrameTrees, d.Values, d.Series = d.FrameTrees[:2], d.Values[:1], d.Series[:2]
	d.Lanes[0].Name, d.Lanes[0].CPU = name, time.Second // its title is made from the name
	d.Program = name
	d.Machine = name
	d.GoVersion = name
	d.Arguments = []string{name}
	d.Marks = []report.FrameMark{{Frame: d.History[20].Index, Text: name}}
	d.History[20].Label, d.Warnings = name, []string{name}
	for i := range d.Zones {
		d.Zones[i].Name, d.Zones[i].File, d.Zones[i].Function = name, name, name
	}
	for i := range d.FrameTrees {
		t := &d.FrameTrees[i]
		for k := range t.Timeline.Lanes {
			l := &t.Timeline.Lanes[k]
			l.Name = name
			l.Remarks = []report.FrameRemark{{Scope: 0, Remark: &report.Remark{Text: name}}}
		}
		for k := range t.Verdict.Causes {
			c := &t.Verdict.Causes[k]
			c.Name = name
			c.Lane = name
			c.State.Reason = name
			c.State.Place = name
			c.State.At = name
		}
	}
	d.Sections = []report.Section{{Name: name, From: d.History[0].Index, To: d.History[9].Index}}
	d.SlowCalls = []*report.SlowCall{{Zone: 1, Name: name, LaneName: name, Said: name, Time: 9,
		Parts: []report.CallPart{{Zone: 2, Name: name, Time: 3}}}}
	d.Spawns = []report.SpawnTimes{{Spawn: report.Spawn{Crowd: name, Path: []string{name}}}}
	for i := range d.Values {
		d.Values[i].Name = name
	}
	d.Report = sampledump.HostileReport()
	d.Report.Records, d.Report.Title = d.Report.Records[:1], name
	d.Report.Records[0].Name, d.Report.Records[0].Site = name, name
	return d
}

// FuzzPage writes a hostile name everywhere. Each tag of the page has the form of one with harmless names.
func FuzzPage(f *testing.F) {
	for _, name := range sampledump.HostileNames {
		f.Add(name[:min(len(name), 5000)]) // longer ones keep the fuzzer busy making them shorter
	}
	known := map[string]bool{}
	for _, d := range []*report.Dump{drawnGame(), hostile("plain"), hostile("日本語"), hostile(""),
		sampledump.Dump(1, 40, 30)} {
		for _, o := range []html.Options{{}, frameOf(d.History[20].Index)} {
			for shape := range shapes(page(f, d, o)) {
				known[shape] = true
			}
		}
	}
	f.Fuzz(func(t *testing.T, name string) {
		d := hostile(name)
		for _, o := range []html.Options{{Command: name}, frameOf(d.FrameTrees[0].Index), {Live: true, Command: name,
			Query: html.Query{Zone: name, Frame: name, By: name}}} {
			out := page(t, d, o)
			for shape := range shapes(out) {
				if !known[shape] {
					t.Errorf("got %s; want tags as with a harmless name", shape)
				}
			}
			if n := strings.Count(out, "<script"); n != 1 {
				t.Errorf("got %d scripts; want 1", n)
			}
			checkPlain(t, out)
			if short := name[:min(len(name), 60)]; len(name) < 60 && !strings.Contains(out, html.Visible(short)) {
				t.Errorf("got no %q in the page", html.Visible(short))
			}
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
	for name, o := range map[string]html.Options{"document": {}, "live": {Live: true}} {
		b.Run(name+"/nodes=10000", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must.Do(b, html.Write(io.Discard, d, o))
			}
		})
	}
}
