package html

import (
	"fmt"
	"strconv"

	"example.com/iprof/process/report"
)

// frames adds the pictures, the trees and the timelines of single frames, as many as fit, the important frames first.
// Pictures take at most an eighth of the room. If there are timelines, the first trees take at most half of it. Trees
// that fit besides the timelines come last.
func (e *encoder) frames(d *report.Dump, o *Options) {
	k := frameSize{asked: len(d.FrameTrees)}
	for i := range d.FrameTrees {
		if isTimed(&d.FrameTrees[i]) {
			k.timed++
		}
	}
	limit := o.FrameBytes
	if limit == 0 {
		limit = min(defaultFrameBytes, max(mostData-e.size(), 0))
	}
	half, part := limit, limit
	if limit > 0 {
		part /= pictureShare
	}
	if k.timed > 0 && limit > 0 {
		half /= 2
	}
	names := laneNames{index: map[string]int{}}
	tree := func(b []byte, i int) []byte { return appendFrameTree(b, d, &d.FrameTrees[i]) }
	line := func(b []byte, i int) []byte { return names.append(b, &d.FrameTrees[i]) }
	shown := func(b []byte, i int) []byte { return appendPicture(b, &d.FrameTrees[i]) }
	order, start := d.ByImportance(), e.size()
	e.fitting(`,"pictures":[`, pictured(d, order), shown, start, part)
	k.kept = e.fitting(`],"frames":[`, order, tree, start, half)
	var timed []int
	for _, i := range order[:k.kept] {
		if isTimed(&d.FrameTrees[i]) {
			timed = append(timed, i)
		}
	}
	k.lines = e.fitting(`],"timelines":[`, timed, line, start, limit)
	k.kept += e.fitting(`],"further":[`, order[k.kept:], tree, start, limit)
	k.bytes = e.size() - start
	e.b = names.appendTo(append(e.b, `],"laneNames":`...))
	e.b = appendText(append(e.b, `,"kept":`...), k.String())
}

// fitting adds a key and a list of items up to the first item that would exceed limit bytes since start. A negative
// limit means no limit. It returns the number of items.
func (e *encoder) fitting(key string, list []int, item func(b []byte, i int) []byte, start, limit int) int {
	e.b = append(e.b, key...)
	for n, i := range list {
		before := len(e.b)
		if n > 0 {
			e.b = append(e.b, ',')
		}
		if e.b = item(e.b, i); limit >= 0 && e.size()-start > limit {
			e.b = e.b[:before]
			return n
		}
		e.flush()
	}
	return len(list)
}

// appendFrameTree appends the tree of a frame.
func appendFrameTree(b []byte, d *report.Dump, t *report.FrameTree) []byte {
	b = strconv.AppendUint(append(b, `{"i":`...), t.Index, 10)
	b = appendVerdict(appendColumns(b, t.Nodes, d.TicksPerSecond), &t.Verdict, nodeOf(t))
	return append(appendDrawn(b, t), '}')
}

// frameSize has the numbers and the size of the trees and timelines of single frames.
type frameSize struct{ kept, asked, lines, timed, bytes int }

// String returns the page's text about them.
func (s frameSize) String() string {
	if s.asked == 0 {
		return "no trees of single frames"
	}
	lines := ""
	if s.timed > 0 {
		lines = fmt.Sprintf(", timelines of %d of %d", s.lines, s.timed)
	}
	return fmt.Sprintf("trees of %d of %d frames%s, %d kB", s.kept, s.asked, lines, (s.bytes+999)/1000)
}
