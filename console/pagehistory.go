package console

import (
	"fmt"
	"math"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/printed"
)

// This file has the charts of the page: the history of frames, and that of the highlighted row.

// strip returns the lines of the history: a bar for each frame, the newest on the right. A full bar is twice the
// budget, or without one the longest bar in sight. The strip scrolls so that the frame shown is in sight.
func (p *page) strip(width, rows int) []string {
	label := p.label(width, rows)
	room, age := max(0, width-len(label)), p.report.Frame.Age
	if p.report.Frame.Kept { // a kept frame is no longer in the history
		age = -1
	}
	newest := max(0, age-room/2) // age of the rightmost bar
	if age < room {              // the frame shown is in sight without scrolling
		newest = 0
	}
	frames := p.now.Frames[:max(0, len(p.now.Frames)-newest)]
	frames = frames[max(0, len(frames)-room):]
	bars, longest := make([]bar, len(frames)), 0.
	for i := range frames {
		f := &frames[i]
		bars[i] = bar{ms: float64(f.Judged()), style: green}
		if !p.report.Frame.Judges() {
			bars[i].ms = float64(f.Busy + f.Others)
		} else if f.Over {
			bars[i].style = red
		}
		if age > 0 && len(frames)-1-i == age-newest {
			bars[i].style = reversed
		}
		longest = max(longest, bars[i].ms)
	}
	if budget := p.report.Frame.Budget.Seconds() * 1000; budget > 0 {
		longest = 2 * budget
	}
	lines := p.chart(bars, longest, room, rows)
	for i := range lines {
		margin := strings.Repeat(" ", len(label))
		switch {
		case i == rows-1:
			margin = p.styled(bold, label)
		case i == 0 && longest > 0:
			margin = p.styled(faint, padded(text.Duration(longest), len(label)))
		}
		lines[i] = margin + lines[i]
	}
	return lines
}

// label returns the word before the history. In several rows, it has room for a time.
func (p *page) label(width, rows int) string {
	label := text.Cut(p.state(), width)
	if rows > 1 && label != "" {
		label = padded(label, len("1000.0 ms "))
	}
	return label
}

// bar is a value of a chart.
type bar struct {
	ms    float64
	style string
}

// chart returns rows of lines with a bar for each value, up to a height of top. The bars fill the width.
func (p *page) chart(bars []bar, top float64, width, rows int) []string {
	lines := make([]string, rows)
	for row := range lines {
		var b strings.Builder
		for i := 0; i < len(bars); {
			style, run := bars[i].style, ""
			for ; i < len(bars) && bars[i].style == style; i++ {
				run += strings.Repeat(p.part(bars[i].ms/top, rows, row), (i+1)*width/len(bars)-i*width/len(bars))
			}
			b.WriteString(p.styled(style, run))
		}
		lines[row] = b.String()
	}
	return lines
}

// part returns the part of a bar in a row from the top. Each value has a bar.
func (p *page) part(share float64, rows, row int) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		share = 0
	}
	return printed.Bar(1./8+max(share, 0)*float64(rows)-float64(rows-1-row), p.unicode)
}

// rowHistory returns the time of the highlighted row in the frames up to the one shown, if it has room.
func (p *page) rowHistory(width, room int) []string {
	at := p.report.Cursor
	if at < 0 || at >= len(p.now.Report.Records) || room < leastChart+1 {
		return nil
	}
	values := p.now.History(at)
	values = values[max(0, len(values)-width):]
	bars, longest := make([]bar, len(values)), 0.
	for i, v := range values {
		bars[i] = bar{ms: float64(v), style: green}
		longest = max(longest, bars[i].ms)
	}
	if longest <= 0 {
		return nil
	}
	title := fmt.Sprintf("  %s with callees: the last %s, at most %s", text.Name(p.now.Report.Records[at].Name),
		printed.Count(len(values), p.report.Frame.Kind.Frame()), text.Duration(longest))
	lines := []string{p.styled(bold, padded(text.Cut(title, width), width))}
	return append(lines, p.chart(bars, longest, width, room-1)...)
}

// The least number of lines of a row's history, and the greatest where the pane follows below.
const (
	leastChart = 2
	mostChart  = 9
)

// state returns a word for the state of the page.
func (p *page) state() string {
	f := &p.report.Frame
	switch {
	case !gather.Enabled && f.Frames == 0: // replayed frames are shown even in such a build
		return "nothing is measured: built with the tag iprof_off"
	case f.Frames == 0:
		return ""
	case !f.Recording:
		return "NOT RECORDING "
	case f.Kept:
		return "KEPT "
	case f.Paused:
		return "PAUSED "
	case f.Age > 0:
		return "OLD "
	}
	return "live "
}
