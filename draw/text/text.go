// Package text writes reports and dumps as words: aligned tables, drawn trees, CSV and JSON.
//
//	var r process.Report
//	process.Default().AppendReport(&r)
//	err := text.WriteReport(os.Stdout, &r, text.Options{})
//
// It only formats. Every number comes from package process; text decides its unit and its digits and nothing else. All
// functions may be called from any goroutine, take no lock, and return the first error of the writer unchanged in meaning
// (errors.Is finds it). The character '~' before a value is kept for values that were estimated rather than measured.
//
// Zone names are any string, also hostile ones. Where people read them, control characters, direction overrides and bytes
// that are not UTF-8 are written as \x1b or \u202e, and a backslash as \\, so that no name can drive a terminal and no two
// names look alike.
package text

import (
	"bufio"
	"io"
	"strings"
)

// Options says how reports and trees look. The zero value is the default.
type Options struct {
	Precision int   // decimals of milliseconds in reports, 1..4, clamped; 0 = 2
	Art       Art   // what trees are drawn with
	Color     Color // whether hot values are coloured
	Cursor    bool  // mark the highlighted record of a report with ">"
	Top       int   // zones in the list by self time below a tree, or in a table of zones; 0 = 50, negative = none
	Width     int   // cells a line of a report may take: columns are left out, then names cut; 0 = no limit
}

// Art chooses the characters of drawn trees.
type Art uint8

// The kinds of Art. AutoArt is Box when the writer is a terminal in a UTF-8 locale and ASCII otherwise.
const (
	AutoArt Art = iota
	ASCII
	Box
)

// Color chooses whether terminal colours are used.
type Color uint8

// The kinds of Color. AutoColor colours on a terminal, unless NO_COLOR is set (https://no-color.org) or TERM is "dumb".
const (
	AutoColor Color = iota
	NoColor
	AlwaysColor
)

// precision returns the decimals of milliseconds.
func (o *Options) precision() int {
	if o.Precision == 0 {
		return 2
	}
	return min(max(o.Precision, 1), 4)
}

// top returns the number of zones in the list by self time.
func (o *Options) top() int {
	if o.Top == 0 {
		return 50
	}
	return max(o.Top, 0)
}

// printer collects output. The first error of the writer sticks, so that only flush needs to look.
type printer struct {
	w   *bufio.Writer
	pad string
}

func newPrinter(w io.Writer) *printer {
	return &printer{w: bufio.NewWriterSize(w, 32<<10), pad: strings.Repeat(" ", 64)}
}

func (p *printer) put(parts ...string) {
	for _, s := range parts {
		p.w.WriteString(s)
	}
}

// spaces writes n spaces; none when n is negative.
func (p *printer) spaces(n int) {
	for ; n > len(p.pad); n -= len(p.pad) {
		p.put(p.pad)
	}
	p.put(p.pad[:max(n, 0)])
}

// left writes s and pads it to the width on its right, right pads it on its left.
func (p *printer) left(s string, width int) { p.put(s); p.spaces(width - displayWidth(s)) }

func (p *printer) right(s string, width int) { p.spaces(width - displayWidth(s)); p.put(s) }

func (p *printer) flush() error { return p.w.Flush() }
