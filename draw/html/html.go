// Package html writes a dump as one document. It needs no server, no network and no other file, unless [Options.Live]
// makes it follow a program.
//
//	f, err := os.Create("profile.html")
//	...
//	err = html.Write(f, dump, html.Options{})
//
// The document shows why the slowest frame was slow, the history, sections and slow calls, the ten slowest frames with
// their timelines, the call structure, a tree for each lane, the report of the program's view, the zones with their
// callers and callees, statistics, go statements and values. Pictures are SVG, made of a [draw.List]. Trees fold
// without a script. A short script sorts tables and follows a live program. The document follows the reader's choice
// of light or dark, fits a narrow screen and prints well.
//
// Names cannot harm the document. Each text is escaped where it is written: see markup. A content security policy
// allows no script and no style but the document's own, identified by their hashes.
package html

import (
	"bufio"
	_ "embed"
	"encoding/base64"
	"fmt"
	"image/color"
	"io"
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Options select what the page contains. The zero value is the default.
type Options struct {
	// Live makes the page follow a running program, which answers at the address of the page. Links to frames, zones
	// and orders are then queries of that address: see [Query]. Without Live they lead to places in the document.
	Live bool

	Command string // the command that shows more than the page; only for a page with Live

	Survey bool // the program answers ?goroutines=1 with a survey of its goroutines; only for a page with Live

	// Trace says what a trace of allocations costs, which the program answers ?allocations=N with, if N is one more
	// than Traces, the number of traces so far; "" if it cannot. Only for a page with Live.
	Trace  string
	Traces int

	// Link returns the command or address that shows a frame, and a zone in it, in the viewer; "" if there is none.
	// Only a page without Live uses it. nil means none.
	Link func(frame uint64, zone string) string

	Query // what is chosen
}

// Query has the choices of a reader of a live page, as in ?frame=12&zone=3&by=self. The dump of the page has the chosen
// frames and lane.
type Query struct {
	Frames string // choice of frames: see report.ParseFrames; "" is the whole run
	Lane   string // part of the name of a lane; "" is all of them
	Frame  string // index of a frame; "" is the whole run
	Zone   string // id or name of a zone, whose callers and callees are shown; "" is none
	By     string // order of zones: self, hier, count, average or name; else what rows of the report stand for
}

// Write writes d as a page. Long lists are cut, and say what they leave out, so a page has at most a few MB. It shows
// the program's arguments if the dump has them. Errors are the writer's. Any goroutine may call Write, and it takes no
// lock. Its memory does not grow with the page. Its cost is measured by BenchmarkWrite.
func Write(w io.Writer, d *report.Dump, o Options) error {
	p := newPage(w, d, &o)
	p.document()
	if err := p.out.Flush(); err != nil {
		return fmt.Errorf("html: writing the page: %w", err)
	}
	return nil
}

//go:embed assets/style.css
var styleCSS markup

//go:embed assets/script.js
var scriptJS markup

// static is the part that all pages share.
type static struct{ style, policy markup }

// parts has the parts of a page that does not change, and of a live page. pageParts fills them in. It is not a
// sync.OnceValue, because the linker keeps the initialisers of variables.
var (
	parts     [2]static
	partsOnce [2]sync.Once
)

// pageParts makes the style, and hashes style and script, once.
func pageParts(live bool) *static {
	at, may := 0, markup("")
	if live {
		at, may = 1, "; connect-src 'self'"
	}
	partsOnce[at].Do(func() {
		style := makeStyle()
		parts[at] = static{style, "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(scriptJS) +
			"; img-src data:" + may + "; base-uri 'none'; form-action 'none'"}
	})
	return &parts[at]
}

// hash returns the policy's source expression for exactly this text.
func hash(s markup) markup {
	sum := sha256Of(string(s))
	return markup("'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
}

// page writes one document.
type page struct {
	out        *bufio.Writer
	d          *report.Dump
	o          *Options
	budget     float64 // ms
	labels     []string
	same       map[string]bool // names of several zones
	colors     []color.NRGBA   // by zone
	worst      []int           // indexes of FrameTrees: those with a place in the document
	graphs     map[report.ZoneID]bool
	signs      map[report.ZoneID]gather.Estimated
	open       map[uint64]int // by FrameSummary.Index: the index in History
	worked     []float64      // by frame of the history: the height of its column, ms
	chosen     subject
	focus      report.ZoneID // the chosen zone, -1 for none
	run        subject
	units      []report.TimeUnit // of the columns of times of the table that is being written
	unitsNamed bool              // one of these is not ms, so that each heading names its own
}

// subject is the whole run or a frame. The call structure, the trees and the zones are of it.
type subject struct {
	title string
	nodes []report.TreeNode
	whole float64 // ms that percentages are of
	frame *report.FrameTree
	of    *report.FrameSummary
}

// newPage returns the page of a dump, with what its parts share.
func newPage(w io.Writer, d *report.Dump, o *Options) *page {
	p := &page{out: bufio.NewWriterSize(w, 64<<10), d: d, o: o, budget: d.Budget.Seconds() * 1000,
		colors: colorsOf(d), labels: make([]string, len(d.Zones)), same: make(map[string]bool, len(d.Zones)),
		open: make(map[uint64]int, len(d.History)), focus: -1,
		signs: make(map[report.ZoneID]gather.Estimated)}
	for i := range d.Zones {
		z := &d.Zones[i]
		_, known := p.same[z.Name]
		p.same[z.Name], p.labels[i] = known, labelOf(z)
	}
	for i := range d.History {
		p.open[d.History[i].Index] = i
	}
	p.worked = p.workOf(d.History)
	for i := range d.Merged {
		if n := &d.Merged[i]; n.Estimated > p.signs[n.Zone] {
			p.signs[n.Zone] = n.Estimated
		}
	}
	p.run = subject{title: "the whole run", nodes: d.Merged, whole: ofDuration(d.RunTime)}
	if p.run.whole <= 0 {
		p.run.whole = rootTime(d.Merged)
	}
	p.choose()
	p.worst, p.graphs = p.slowest(), p.graphed()
	return p
}

// rootTime returns the hierarchical time of all roots, in ms.
func rootTime(nodes []report.TreeNode) (ms float64) {
	for i := range nodes {
		if nodes[i].Parent < 0 {
			ms += nodes[i].Hier
		}
	}
	return ms
}

// choose finds the frame and the zone of the query.
func (p *page) choose() {
	p.chosen = p.run
	for i := range p.d.FrameTrees {
		if t := &p.d.FrameTrees[i]; p.o.Frame == uintText(t.Index) {
			p.chosen = p.subjectOf(t)
		}
	}
	for i := range p.d.Zones {
		if z := p.o.Zone; z != "" && (z == intText(i) || p.focus < 0 && (z == p.d.Zones[i].Name || z == p.labels[i])) {
			p.focus = report.ZoneID(i)
		}
	}
}

// subjectOf returns a frame as the subject of pictures and tables.
func (p *page) subjectOf(t *report.FrameTree) subject {
	s := subject{title: "frame " + uintText(t.Index), nodes: t.Nodes, whole: rootTime(t.Nodes), frame: t}
	if at, known := p.open[t.Index]; known {
		s.of = &p.d.History[at]
		s.whole = float64(s.of.Length)
	}
	return s
}
