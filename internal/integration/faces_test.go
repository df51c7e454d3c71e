package integration

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// faces are the displays of one session, and the numbers that each of them shows.
type faces struct {
	*testing.T
	session *process.Session
	panel   *viewer.Panel
	info    report.FrameInfo
}

// same fails if a face shows another number than it should, beyond the rounding to its decimals.
func (f *faces) same(face, what, got string, want float64) {
	f.Helper()
	decimals := 0
	if _, after, ok := strings.Cut(got, "."); ok {
		decimals = len(after)
	}
	v, err := strconv.ParseFloat(got, 64)
	if err != nil || math.Abs(v-want) > 0.5001*math.Pow10(-decimals) {
		f.Errorf("%s: %s: got %q; want %.4f", face, what, got, want)
	}
}

var (
	partsPattern = regexp.MustCompile(`^(?:.*?: |.* = )?([0-9.]+) busy \+ ([0-9.]+) waiting`)
	titlePattern = regexp.MustCompile(`^(average )?([0-9.]+) ms(?: = ([0-9.]+) busy \+ ([0-9.]+) waiting)?` +
		`(?:, (\w+))?  ([0-9.]+) fps`)
)

// words draws the panel and returns its texts.
func (f *faces) words(mode viewer.PanelMode) []draw.Words {
	f.panel.Change(func(o *viewer.Options) { o.Mode = mode })
	var l draw.List
	for range 60 {
		l.Reset()
		if f.panel.Draw(&l, 1280, 720, 1); !f.panel.Settling() {
			break
		}
	}
	return l.AppendWords(nil)
}

// parts checks each text of the form "1.2 busy + 3.4 waiting", and that there are at least so many.
func (f *faces) parts(face string, words []draw.Words, least int) {
	n := 0
	for _, w := range words {
		if m := partsPattern.FindStringSubmatch(w.Text); m != nil {
			n++
			f.same(face, "busy", m[1], f.info.Busy)
			f.same(face, "waiting", m[2], f.info.Waiting())
		}
	}
	if n < least {
		f.Errorf("%s: got %d texts with the parts of the frame; want at least %d", face, n, least)
	}
}

// window compares the header, the tip of the frame, the slowest strip's words and the call structure.
func (f *faces) window(tips int) {
	words := f.words(viewer.PanelFull)
	f.parts("window", words, 1+tips)
	large := 0
	for i, w := range words {
		switch {
		case w.Face == draw.FaceLarge && large == 0:
			large++ // fps
			f.same("window", "fps", w.Text, f.info.FPS)
		case w.Face == draw.FaceLarge:
			large++
			f.same("window", "frame", w.Text, f.info.Length)
		case w.Text == fmt.Sprintf("Frame %d", f.info.Index) && f.info.Age > 0:
			f.same("tip", "frame", numberOf(words[i+1:]), f.info.Length)
		case w.Text == "frame":
			f.same("call structure", "frame", words[i+1].Text, f.info.Length)
		}
	}
	if large != 2 {
		f.Errorf("window: got %d large numbers; want length and rate", large)
	}
	f.mark(words)
}

// numberOf returns the first of the words that is not a unit.
func numberOf(words []draw.Words) string {
	for _, w := range words {
		if w.Text != "ms" {
			return w.Text
		}
	}
	return ""
}

// mark checks that averaged numbers have their sign, and others do not.
func (f *faces) mark(words []draw.Words) {
	marked := 0
	for _, w := range words {
		if strings.HasPrefix(w.Text, "ø") {
			marked++
		}
	}
	if got, want := marked >= 3, f.info.Averaged(); got != want {
		f.Errorf("window: got %d numbers and columns marked as averages; averaged: %v", marked, want)
	}
}

// reports compares the title of the text report, and (root) in every mode.
func (f *faces) reports() {
	view := f.session.View().Get()
	for mode := range report.ReportMode(report.NumReportModes) {
		if mode == report.ReportExtra {
			continue // of other frames
		}
		view.Mode, view.Focus = mode, 0
		var r report.Report
		f.session.View().AppendReportOf(&r, view)
		f.title(&r)
		for i := range r.Records {
			if rec := &r.Records[i]; rec.Zone == 0 && mode != report.ReportCallTree {
				f.root(rec, int(mode))
			}
		}
	}
}

// root checks that (root) lasts as long as the frame, and not longer than its own maximum.
func (f *faces) root(rec *report.Record, mode int) {
	hier, share := rec.Values[report.ColumnHier], rec.Values[report.ColumnHierPercent]
	if hier > f.info.Length*1.000001 || share > 100.0001 {
		f.Errorf("mode %d: (root): got %v ms, %v %%; want at most the frame's %v", mode, hier, share, f.info.Length)
	}
	if rec.Mask.Has(report.ColumnMax) && hier > rec.Values[report.ColumnMax]*1.000001 {
		f.Errorf("mode %d: (root): got %v ms; want at most its maximum %v", mode, hier, rec.Values[report.ColumnMax])
	}
}

func (f *faces) title(r *report.Report) {
	var b bytes.Buffer
	must.Do(f, text.WriteReport(&b, r, text.Options{}))
	m := titlePattern.FindStringSubmatch(b.String())
	if m == nil {
		f.Fatalf("text: got the title %q", b.String()[:80])
	}
	f.same("text", "frame", m[2], f.info.Length)
	f.same("text", "fps", m[6], f.info.FPS)
	if m[3] != "" {
		f.same("text", "busy", m[3], f.info.Busy)
		f.same("text", "waiting", m[4], f.info.Waiting())
	} else if f.info.Waiting() >= 0.05 {
		f.Error("text: got no waiting; want it in the title")
	}
	if got, want := m[1] != "", f.info.Averaged() && f.info.Lens.Kind == report.LensOff; got != want &&
		f.info.Lens.Kind == report.LensOff {
		f.Errorf("text: got the mark of an average %v; want %v", got, want)
	}
	if m[5] != f.info.Pace().String() {
		f.Errorf("text: got %q; want %q", m[5], f.info.Pace())
	}
	f.values(r, b.String())
}

// values compares the rows of the JSON with those of the text.
func (f *faces) values(r *report.Report, page string) {
	var b bytes.Buffer
	must.Do(f, text.WriteJSON(&b, &report.Dump{Report: r}))
	file := must.Get(asjson.Read(&b))(f)
	f.same("json", "frame", fmt.Sprintf("%.3f", file.Report.Length), f.info.Length)
	lines := strings.Split(page, "\n")
	first := 0
	for !strings.HasPrefix(lines[first], "  zone") {
		first++
	}
	for i, row := range file.Report.Rows {
		if first+1+i >= len(lines) {
			break
		}
		cells := strings.Fields(lines[first+1+i])
		if len(cells) >= 3 {
			f.same("text", "self of "+string(row.Zone), cells[len(cells)-3], row.Values["self_ms"])
		}
	}
}

// dumps compares the JSON and the page with the frame, which must be one of the history.
func (f *faces) dumps() {
	d := f.session.Dump(report.DumpOptions{AllFrames: true})
	var b bytes.Buffer
	must.Do(f, text.WriteJSON(&b, d))
	j := must.Get(asjson.Read(&b))(f)
	f.same("json", "report's frame", fmt.Sprintf("%.3f", j.Report.Length), f.info.Length)
	if f.info.Averaged() {
		return // the history has single frames
	}
	h := j.History[len(j.History)-1-f.info.Age]
	f.same("json", "frame", fmt.Sprintf("%.3f", h.Length), f.info.Length)
	f.same("json", "busy", fmt.Sprintf("%.3f", h.Busy), f.info.Busy)
	f.page(d)
}

// page compares the page of the frame: its header, the text of its column in the history, and its root.
func (f *faces) page(d *report.Dump) {
	var b bytes.Buffer
	index := strconv.FormatUint(f.info.Index, 10)
	must.Do(f, html.Write(&b, d, html.Options{Live: true, Query: html.Query{Frame: index}}))
	for what, want := range map[string]struct {
		pattern string
		value   float64
	}{
		"frame":          {`<dt>frame ` + index + `</dt><dd>([0-9.]+) ms`, f.info.Length},
		"call structure": {`<b>([0-9.]+) ms</b> = `, f.info.Length},
		"tip":            {`Frame ` + index + `  ([0-9.]+) ms`, f.info.Length},
		"busy":           {`Frame ` + index + `  [0-9.]+ ms\n([0-9.]+) busy`, f.info.Busy},
		"(root)":         {`<bdi>\(root\)</bdi>.*?</b><i>[0-9.]+</i><i>([0-9.]+)</i>`, f.info.Length},
	} {
		m := regexp.MustCompile(want.pattern).FindStringSubmatch(b.String())
		if m == nil {
			f.Errorf("page: got no %s", what)
			continue
		}
		f.same("page", what, m[1], want.value)
	}
}

// TestEveryFaceShowsTheSameNumbers compares every number of a frame in every display: window, HUD, text, JSON and page,
// for single frames, moving averages and a range.
func TestEveryFaceShowsTheSameNumbers(t *testing.T) {
	s := process.NewSession()
	r := world.NewGame(3, s)
	for range 200 {
		must.Do(t, r.Step())
	}
	for _, c := range []struct {
		name string
		view report.View
		tips int // texts with the frame's parts beside the header's
	}{
		{"a frame", report.View{Age: 37, Average: report.AverageInstant}, 1},
		{"another frame", report.View{Age: 111}, 1},
		{"the newest", report.View{Average: report.AverageInstant}, 0},
		{"short average", report.View{Average: report.AverageShort}, 0},
		{"long average", report.View{Average: report.AverageLong}, 0},
		{"all frames", report.View{Lens: report.Lens{Kind: report.LensAll}}, 0},
		{"a range", report.View{Lens: report.Lens{Kind: report.LensRange, From: 20, To: 60}}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.View().Set(c.view)
			f := &faces{t, s, viewer.PanelFor(s), s.View().Info()}
			f.window(c.tips)
			f.parts("overlay", f.words(viewer.PanelReportAndGraph), 0)
			f.hud()
			f.reports()
			f.dumps()
		})
	}
}

// hud compares the one-line display.
func (f *faces) hud() {
	words := f.words(viewer.PanelHUD)
	for i, w := range words[:len(words)-1] {
		switch strings.TrimSpace(w.Text) {
		case "busy":
			f.same("hud", "busy", words[i+1].Text, f.info.Busy)
		case "waiting":
			f.same("hud", "waiting", words[i+1].Text, f.info.Waiting())
		case "ms":
			f.same("hud", "frame", words[i-1].Text, f.info.Length)
		case "fps":
			f.same("hud", "fps", words[i-1].Text, f.info.FPS)
		}
	}
}
