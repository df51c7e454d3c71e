// Package text writes reports and dumps as words: aligned tables, drawn trees and JSON.
//
//	var r report.Report
//	process.Default().View().AppendReport(&r)
//	err := text.WriteReport(os.Stdout, &r, text.Options{})
//
// The package only formats: package process computes every number. All functions may be called from any goroutine.
// They take no lock, and return the first error of the writer, wrapped so that errors.Is finds it. A '~' before a
// value means that the value is estimated, not measured.
//
// Zone names may be any string, also a hostile one. In output for people, control characters, direction overrides and
// bytes that are not UTF-8 become escapes such as \x1b and \u202e, and a backslash becomes \\. So no name can control a
// terminal, and distinct names look different.
package text

import (
	"bufio"
	"io"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Options describe how reports and trees look. The zero value is the default.
type Options struct {
	Precision int   // decimals of milliseconds in reports, 1..4, clamped; 0 = 2
	Art       Art   // characters of drawn trees
	Color     Color // colour of hot values
	Cursor    bool  // mark the highlighted record of a report with ">"
	Top       int   // zones in the list by self time below a tree, or in a table of zones; 0 = 50, negative = none
	Idle      bool  // list idle zones one by one; otherwise two or more of them are one row at the end
	Width     int   // greatest number of cells of a report's line: columns are left out, then names cut; 0 = no limit

	// Zone finds a zone, as process.Session.Zone does. With it, a report's verdict ends with the function and the line
	// of its cause.
	Zone func(report.ZoneID) gather.ZoneInfo
}

// Art selects the characters of drawn trees.
type Art uint8

// The kinds of Art. ArtAuto is ArtBox when the writer is a terminal in a UTF-8 locale and ArtASCII otherwise.
const (
	ArtAuto Art = iota
	ArtASCII
	ArtBox
)

// Color selects whether terminal colours are used.
type Color uint8

// The kinds of Color. ColorAuto means colour on a terminal, unless NO_COLOR is set (https://no-color.org) or TERM is
// "dumb".
const (
	ColorAuto Color = iota
	ColorNever
	ColorAlways
)

// precision returns the number of decimals of milliseconds.
func (o *Options) precision() int {
	if o.Precision == 0 {
		return 2
	}
	return min(max(o.Precision, 1), 4)
}

// top returns the length of the list by self time.
func (o *Options) top() int {
	if o.Top == 0 {
		return 50
	}
	return max(o.Top, 0)
}

// printer collects output. It keeps the first error of the writer, so only flush returns an error.
type printer struct {
	_   [0]func() // not comparable: the code of == would be in each program
	w   *bufio.Writer
	pad string
}

func newPrinter(w io.Writer) *printer {
	return &printer{w: bufio.NewWriterSize(w, 32<<10), pad: spaces}
}

// spaces are as many as a line may need at once. They are not made, because strings.Repeat is large.
const spaces = "                                                                "

// put writes texts. It has so many callers that inlining would make each program larger.
//
//go:noinline
func (p *printer) put(parts ...string) {
	for _, s := range parts {
		p.w.WriteString(s)
	}
}

// spaces writes n spaces. A negative n writes none.
func (p *printer) spaces(n int) {
	for ; n > len(p.pad); n -= len(p.pad) {
		p.put(p.pad)
	}
	p.put(p.pad[:max(n, 0)])
}

// left writes s and pads it to the width on its right. A space follows a wider s, so that columns never run together.
func (p *printer) left(s string, width int) {
	p.put(s)
	if room := width - displayWidth(s); room >= 0 {
		p.spaces(room)
	} else {
		p.put(" ")
	}
}

// cell writes s, pads it to the width, and adds two spaces, also after a wider s.
func (p *printer) cell(s string, width int) { p.left(s, max(width, displayWidth(s))+2) }

// right writes s after the spaces that pad it to the width, at least one.
func (p *printer) right(s string, width int) { p.spaces(max(width-displayWidth(s), 1)); p.put(s) }

func (p *printer) flush() error { return p.w.Flush() }
