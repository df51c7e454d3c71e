package html

import (
	"encoding/base64"
	"strings"

	"example.com/iprof/internal/pngfile"
	"example.com/iprof/process/report"
)

// document writes the whole page.
func (p *page) document() {
	s := pageParts(p.o.Live)
	d := p.d
	p.put(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="`, escaped(string(s.policy)), `">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>`, esc(d.Program), " - IProf ", markup(d.Time.Format("2006-01-02 15:04:05 MST")), `</title>
<link rel="icon" href="data:,">
<style>`, s.style, `</style>
</head>
<body>
`)
	p.header()
	if p.o.Live {
		p.live()
	}
	p.put("<main>\n")
	for _, w := range d.Warnings {
		p.put(`<p class="warning" role="note" dir="auto">`, esc(w), "</p>\n")
	}
	p.main()
	p.put("</main>\n<footer>")
	p.leftOut()
	p.put("</footer>\n<script>", scriptJS, "</script>\n</body>\n</html>\n")
}

// header writes the program and its numbers.
func (p *page) header() {
	d := p.d
	p.put(`<header><h1><b>IProf</b> <span dir="auto">`, esc(d.Program), `</span></h1><p class="facts"><span>`,
		markup(d.Time.Format("2006-01-02 15:04:05 MST")), "</span><span>", esc(d.GoVersion), "</span><span>",
		esc(d.Machine), "</span>")
	if len(d.Arguments) > 0 {
		arguments := esc(strings.Join(d.Arguments, " "))
		p.put(`<span class="arguments" title="`, arguments, `">`, arguments, "</span>")
	}
	p.put(`</p><dl id="facts">`)
	if d.Kind.HasFrames() {
		p.fact("frames", uintOf(d.Frames), "")
	} else {
		p.fact("kind", markup(d.Kind.String()), "")
	}
	p.fact("goroutines", esc(d.Goroutines()), "")
	if d.Kind.HasTime() {
		p.fact("calls", grouped(d.Calls), "")
	}
	overhead, unit := fit(ofDuration(d.Overhead))
	if d.RunTime > 0 {
		unit += " · " + share(float64(d.Overhead), float64(d.RunTime))
	}
	if d.RunTime > 0 && d.OverheadHigh > 0 {
		from, _, _ := strings.Cut(string(share(float64(d.OverheadLow), float64(d.RunTime))), " ")
		to := share(float64(d.OverheadHigh), float64(d.RunTime))
		_, unit = fit(ofDuration(d.Overhead))
		unit += " · " + markup(from) + " to " + to
	}
	p.fact("overhead", overhead, unit)
	if d.CPU > 0 {
		v, unit := fit(ofDuration(d.CPU))
		p.fact("processor time", v, unit)
	}
	v, unit := fit(ofDuration(d.RunTime))
	p.fact("run time", v, unit)
	p.framed()
	p.put("</dl></header>\n")
}

func (p *page) fact(name, value, unit markup) {
	p.put("<div><dt>", name, "</dt><dd>", value)
	if unit != "" {
		p.put(" <small>", unit, "</small>")
	}
	p.put("</dd></div>")
}

// framed writes the length of the frame chosen. A frame that was late because it waited says so.
func (p *page) framed() {
	f := p.chosen.of
	if f == nil {
		return
	}
	class, unit := markup(""), markup("")
	switch pace := f.Pace(p.budget); {
	case p.budget > 0 && float64(f.Judged()) > 2*p.budget:
		class = " far"
	case pace != report.PaceOnTime:
		class = " over"
	}
	if f.Pace(p.budget) == report.PaceWaited {
		unit = ", waited"
	}
	p.put(`<div class="big`, class, `" id="framed"><dt>`, markup(p.chosen.title), "</dt><dd>",
		timeOf(float64(f.Length)), unit, "</dd></div>")
}

// live writes whether the page follows the program, and the command that shows more. A page of a frame does not follow.
func (p *page) live() {
	p.put(`<p id="live" class="quiet"><b role="status">live</b>`)
	if p.o.Frame+p.o.Zone+p.o.Frames+p.o.Lane != "" {
		p.put(`<a href="`, p.query(Query{By: p.o.By}), `">back to the whole run, live</a>`)
	}
	if p.chosen.of != nil {
		p.neighbourFrames()
	}
	p.put("<span>The whole viewer: <code>", esc(p.o.Command), "</code></span></p>\n")
}

// command writes the command that shows a frame in the viewer.
func (p *page) command(t *report.FrameTree) {
	if p.o.Link == nil {
		return
	}
	if link := p.o.Link(t.Index, t.Verdict.Target().Name); link != "" {
		p.put(`<p class="quiet">In the viewer: <code>`, esc(link), "</code></p>\n")
	}
}

// neighbourFrames writes links to the frames beside the one chosen, and to the next ones over budget.
func (p *page) neighbourFrames() {
	at := p.open[p.chosen.of.Index]
	link := func(text markup, from, step int, over bool) {
		for i := from; i >= 0 && i < len(p.d.History); i += step {
			if f := &p.d.History[i]; f.Over || !over {
				p.put("<span>", linked(p.frameLink(f.Index), text), "</span>")
				return
			}
		}
	}
	link("← frame", at-1, -1, false)
	link("frame →", at+1, 1, false)
	link("← over budget", at-1, -1, true)
	link("over budget →", at+1, 1, true)
}

// main writes the parts of the page, the most important first.
func (p *page) main() {
	if p.o.Frame != "" && p.chosen.frame == nil {
		p.put(`<p class="warning" role="note">Frame `, esc(shortName(p.o.Frame)),
			" is not in the history any more; this is the whole run.</p>\n")
	}
	if p.o.Zone != "" && p.focus < 0 {
		p.put(`<p class="warning" role="note">No zone is named `, esc(shortName(p.o.Zone)), ".</p>\n")
	}
	server, run := p.d.Kind == report.KindServer, !p.d.Kind.HasFrames() && p.d.Kind != report.KindServer
	switch {
	case server: // routes first
		p.statistics()
		p.slowCalls()
	case run: // the whole run first
		p.structure(&p.chosen)
		p.trees(&p.chosen)
	}
	if p.d.Kind.HasTime() {
		p.verdict()
		p.history()
	}
	if p.o.Live {
		p.graphList(&p.chosen)
	}
	if s := &p.chosen; s.frame != nil {
		p.put(`<section id="frame">`)
		p.frameParts(s)
		p.timeline(s)
		p.put("</section>\n")
	}
	p.sections()
	if !server {
		p.slowCalls()
	}
	if p.d.Kind.HasFrames() {
		p.frames()
	}
	if !run {
		p.structure(&p.chosen)
		p.trees(&p.chosen)
	}
	p.view()
	p.zoneList(&p.chosen)
	if !server && p.d.Kind.HasTime() {
		p.statistics()
	}
	p.locks()
	p.goroutines()
	p.allocations()
	p.spawnTimes()
	p.values()
	if !p.o.Live {
		p.graphList(&p.chosen)
	}
}

// frames lists the slowest frames: in a document each with its pictures, in a live page with a link to them.
func (p *page) frames() {
	if len(p.worst) == 0 || p.chosen.frame != nil {
		return
	}
	p.put(`<section id="frames" aria-label="slowest frames"><h2>The slowest frames</h2>`, "\n")
	for _, i := range p.worst {
		t := &p.d.FrameTrees[i]
		s := p.subjectOf(t)
		title := markup(s.title)
		if s.of != nil {
			title += ": " + timeOf(float64(s.of.Length)) + " = " + partsOf(s.of)
		}
		if v := &t.Verdict; v.Found() {
			title += ` <small dir="auto">` + esc(string(v.AppendText(nil, shortName))) + "</small>"
		}
		if p.o.Live {
			p.put("<p>", linked(p.frameLink(t.Index), title), "</p>\n")
			continue
		}
		p.put(`<details data-k="f`, uintOf(t.Index), `"><summary>`, title, `</summary><div id="f`, uintOf(t.Index),
			`">`)
		p.drawnVerdict(t)
		p.frameParts(&s)
		p.command(t)
		p.put("<h3>Call structure of ", markup(s.title), "</h3>")
		p.icicle(&s, false, mostBarsOfFrame)
		p.timeline(&s)
		p.put("<h3>Call tree of ", markup(s.title), "</h3>")
		p.tree(s.nodes, s.whole, mostRowsOfFrame)
		p.put("</div></details>\n")
	}
	p.put("</section>\n")
}

// frameParts writes what else is known of a frame: its label, waits, memory, marks and picture.
func (p *page) frameParts(s *subject) {
	if f := s.of; f != nil {
		p.put(`<p class="facts">`)
		fact := func(text markup) {
			if text != "" {
				p.put("<span>", text, "</span>")
			}
		}
		fact(esc(shortName(f.Label)))
		fact(partsOf(f))
		if waits := waitsOf(f); waits != "" {
			fact(`<span title="about what all goroutines waited in this frame, added up: until they got a processor, ` +
				`and for locks">` +
				"all goroutines: " + waits + "</span>")
		}
		if f.AllocBytes > 0 {
			fact("allocated " + bytesOf(float64(f.AllocBytes)))
		}
		if f.Cycles > 0 {
			fact("garbage collections: " + uintOf(uint64(f.Cycles)) + ", " + fitted(float64(f.Pause)))
		}
		for i := range p.d.Marks {
			if m := &p.d.Marks[i]; m.Frame == f.Index {
				fact("⚑ " + esc(shortName(m.Text)) + " " + short(m.At))
			}
		}
		p.put("</p>")
	}
	if picture := s.frame.Picture; picture.Valid() {
		p.put(`<img alt="what the frame showed" width="`, intOf(picture.Width), `" height="`, intOf(picture.Height),
			`" src="data:image/png;base64,`, markup(base64.StdEncoding.EncodeToString(
				pngfile.Encode(picture.Width, picture.Height, picture.Pixels))), `">`)
	}
}

// leftOut says what the page does not have.
func (p *page) leftOut() {
	trees, zones := len(p.d.FrameTrees), len(p.d.Zones)
	if p.o.Live {
		p.put(`<p>Each frame of the history and each zone is a link to its page.</p>`)
		return
	}
	p.put("<p>This document has ", intOf(len(p.worst)), " of ", counted(uint64(max(len(p.d.History), trees)), "frame"),
		" one by one, and callers and callees of ", intOf(len(p.graphs)), " of ", counted(uint64(zones), "zone"),
		": those with the most time. iprof view shows all of a capture, and iprof html -full writes it into one ",
		"page.</p>")
}
