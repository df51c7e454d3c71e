package viewer

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/card"
	"example.com/iprof/viewer/internal/list"
	"example.com/iprof/viewer/internal/listing"
	timelines "example.com/iprof/viewer/internal/timeline"
)

// listKind is the kind of a list in place of the table.
type listKind uint8

const (
	listCalls listKind = iota
	listFrames
	listMarks
	listMessages
	listOfSections
	listSlow
	listLocks
	listGoroutines
	listAllocations
)

// listPart is the list in place of the table.
type listPart struct {
	*shared
	list.List
	kind  listKind
	calls []timeline.Call
}

// The columns of the lists.
var (
	frameColumns = []list.Column{
		{Heading: "frame", Tip: "its number", Width: 84, Number: true},
		{Heading: "zone", Tip: "the zone's time with callees in that frame", Width: 96, Number: true, Time: true},
		{Heading: "frame's time", Tip: "the whole frame", Width: 110, Number: true},
		{Heading: "budget", Tip: "whether the frame was late"},
	}
	markColumns = []list.Column{
		{Heading: "frame", Tip: "the frame of the mark", Width: 84, Number: true},
		{Heading: "at", Tip: "from the beginning of the frame", Width: 96, Number: true},
		{Heading: "goroutine", Tip: "which made it; you: your own comment", Width: 150},
		{Heading: "mark", Tip: "what the program said, or you"},
	}
	messageColumns = []list.Column{
		{Heading: "time", Tip: "when it was shown", Width: 90, Number: true},
		{Heading: "message", Tip: "what stood above the footer"},
	}
)

// summary returns the title, the number of rows, and the words of the row under the cursor.
func (l *listPart) summary() (title string, rows int, row []string) {
	if !l.Open {
		return "", 0, nil
	}
	if r := l.Row(); r != nil {
		row = r.Words
	}
	return l.Title, l.Len(), row
}

// show opens a list in place of the table. The lock is held.
func (l *listPart) show(kind listKind, title string, columns []list.Column, rows []list.Row, by int) {
	l.kind, l.calls = kind, nil
	l.Show(title, l.intervals(columns), rows, by)
	l.typing, l.overlay.menu, l.overlay.page = false, menuNone, 0
	if l.options.Timeline == TimelineLarge {
		l.options.Timeline = TimelineShown
	}
	l.mark()
}

// intervals calls frames intervals where they are only pieces of the time.
func (l *listPart) intervals(columns []list.Column) []list.Column {
	if l.scene.Info.Kind.HasFrames() {
		return columns
	}
	columns = slices.Clone(columns)
	for i := range columns {
		c := &columns[i]
		c.Heading, c.Tip = l.interval(c.Heading), l.interval(c.Tip)
	}
	return columns
}

// interval is intervals for words without names.
func (l *listPart) interval(words string) string {
	if l.scene.Info.Kind.HasFrames() {
		return words
	}
	return strings.ReplaceAll(words, "frame", "interval")
}

// mark notes the frames of the list, which the history marks. Marks of the program have flags there.
func (l *listPart) mark() {
	l.marked = l.marked[:0]
	if l.Open && (l.kind != listMarks && l.kind != listMessages && l.kind != listOfSections) {
		l.marked = l.Frames(l.marked)
	}
}

// close shows the table again, and reports whether there was a list. With typedFirst it first clears a typed filter.
func (l *listPart) close(typedFirst bool) bool {
	switch {
	case !l.Open:
		return false
	case typedFirst && (l.typing || l.Filter != ""):
		l.SetFilter("")
	default:
		l.Open = false
	}
	l.typing = false
	l.mark()
	return true
}

// closeList closes the list, and ends the choice of a part of a histogram with it.
func (p *Panel) closeList(typedFirst bool) bool {
	done := p.listed.close(typedFirst)
	if done && !p.listed.Open {
		p.card.NoBrush()
	}
	return done
}

// typeList changes the text that filters the list, and reports whether there is a list.
func (l *listPart) typeList(change func(text string) string) (done bool) {
	l.change(func() {
		done = l.Open
		if done {
			l.SetFilter(change(l.Filter))
			l.mark()
		}
	})
	return done
}

// stepList moves the list's cursor, and reports whether there is a list.
func (l *listPart) stepList(rows int) (done bool) {
	l.change(func() {
		done = l.Open
		if done {
			l.Step(rows)
		}
	})
	return done
}

// walkList goes to the next or previous row of the list, and reports whether the list has such rows.
func walkList(p *Panel, direction int) bool {
	moved, open := false, false
	p.change(func() {
		open = p.listed.Open && p.listed.kind != listMessages && p.listed.Len() > 0
		moved = open && p.listed.Step(direction)
	})
	if open && !moved {
		p.Note("no more rows there")
	} else if open {
		goToListed(p)
	}
	return open
}

// goToListed shows the frame of the row under the list's cursor, and its call in the timeline. It reports whether there
// is a list.
func goToListed(p *Panel) bool {
	p.mu.Lock()
	l, s := &p.listed, p.session
	row, open := l.Row(), l.Open
	if row == nil || s == nil || l.kind == listMessages {
		p.mu.Unlock()
		return open
	}
	frame, kind, at := row.Frame, l.kind, row.At
	var call timeline.Call
	if row.At < len(l.calls) {
		call = l.calls[row.At]
		frame = call.Frame
	}
	p.mu.Unlock()
	switch {
	case kind == listOfSections:
		p.strip.selectSection(uint64(at))
		return true
	case kind == listMarks && at > 0:
		p.strip.goToComment(at - 1)
		return true
	}
	if frame == listing.NoFrame {
		p.Note("no frame of it is known")
		return true
	}
	if kind == listSlow {
		if slow := listing.SlowCallOf(p.view, &call); slow != nil {
			drawCall(s, p, slow)
			return true
		}
	}
	s.Pause()
	if !p.view.ShowFrame(frame) {
		p.Note(fmt.Sprintf("frame %d has left the history", frame))
		return true
	}
	if call.Zone <= 0 {
		return true
	}
	p.view.SetCursorZone(call.Zone)
	if call.End > call.Begin {
		p.change(func() {
			p.showTimeline()
			p.timeline.GoTo(timelines.Goal{Frame: frame, Lane: call.Lane, Level: call.Level, Zone: call.Zone,
				Begin: call.Begin, End: call.End})
		})
	}
	return true
}

// endBrush ends the choice, and lists the calls or the frames of the range. Any goroutine may call it.
func endBrush(p *Panel) {
	var r card.Range
	p.change(func() { r = p.card.EndBrush() })
	switch {
	case !r.On:
	case r.Calls:
		p.listed.listCalls(timeline.CallQuery{Zone: r.Zone, From: r.From, To: r.To})
	default:
		p.change(func() { p.listed.listFrames(r) })
	}
}

// listFrames lists the frames in which the time of a zone was in a range. The lock is held.
func (l *listPart) listFrames(r card.Range) {
	d, reading := &l.scene, listing.Reading(l.scene.Info.Tick)
	var rows []list.Row
	for i, v := range d.Around.History {
		at := len(d.Frames) - len(d.Around.History) + i
		ms := float64(v)
		if at < 0 || !(v > 0) || ms < r.From || r.To > 0 && ms > r.To {
			continue
		}
		f := &d.Frames[at]
		late := ""
		if f.Over {
			late = "over"
		}
		rows = append(rows, list.Row{Frame: f.Index, Keys: []float64{float64(f.Index), ms, float64(f.Length), 0},
			Words: []string{strconv.FormatUint(f.Index, 10), reading(ms),
				reading(float64(f.Length)), late}})
	}
	name := text.Name(d.Zone(r.Zone).Name)
	l.show(listFrames, "frames with "+name+listing.RangeWords(r.From, r.To, d.Info.Tick), frameColumns, rows, 1)
	l.List.Note = fmt.Sprintf("%d of %s until %d; N goes on", len(rows),
		printed.Count(len(d.Around.History), "frame"), newestIndex(d.Frames))
	l.None = "no frame of the history has that"
}

// newestIndex returns the number of the newest of the frames.
func newestIndex(frames []report.FrameSummary) uint64 {
	if len(frames) == 0 {
		return 0
	}
	return frames[len(frames)-1].Index
}

// listCalls lists the calls of a zone by their lengths.
func (l *listPart) listCalls(q timeline.CallQuery) {
	if l.session != nil {
		l.open(listCalls, listing.Calls(l.view, q, l.eventsKey()))
	}
}

// open opens a list.
func (l *listPart) open(kind listKind, of *listing.Content) {
	l.change(func() {
		l.show(kind, of.Title, of.Columns, of.Rows, of.By)
		l.calls, l.List.Note, l.None = of.Calls, l.interval(of.Note), l.interval(of.None)
	})
}

// eventsKey returns the key that keeps events, or "".
func (l *listPart) eventsKey() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return eventsKey(l.keys)
}

// listCursorSlow lists the slow calls of the cursor's zone, or closes that list.
func listCursorSlow(s *process.Session, p *Panel) {
	if listKindIs(p, listSlow) || s == nil {
		return
	}
	if r, ok := cursorRecord(p.view); ok && r.Zone > 0 {
		p.listed.open(listSlow, listing.SlowCalls(p.view, r.Zone, p.listed.eventsKey()))
		return
	}
	p.Note(noCalls)
}

// listLocksOf lists the locks for which goroutines waited, or closes that list.
func listLocksOf(s *process.Session, p *Panel) {
	if !listKindIs(p, listLocks) && s != nil {
		p.listed.open(listLocks, listing.Locks(p.view))
	}
}

// listGoroutinesOf surveys the goroutines and lists them, or closes that list.
func listGoroutinesOf(s *process.Session, p *Panel) {
	if !listKindIs(p, listGoroutines) && s != nil {
		p.listed.open(listGoroutines, listing.Goroutines(p.view))
	}
}

// listAllocationsOf lists the newest traced allocations, or closes that list.
func listAllocationsOf(s *process.Session, p *Panel) {
	if !listKindIs(p, listAllocations) && s != nil {
		p.listed.open(listAllocations, listing.Allocations(p.view))
	}
}

// traceAllocations traces allocations until a slow frame, when the user has agreed to the cost.
func traceAllocations(s *process.Session, p *Panel) {
	if s == nil {
		return
	}
	tracer := s.Sources().Tracer
	answer, err := allocated.Ask(tracer, "")
	if err == nil {
		if !p.Ask(answer + ". Once more: yes") {
			return
		}
		answer, err = allocated.Ask(tracer, "slow")
	}
	if err != nil {
		answer = err.Error()
	}
	p.Note(answer)
}

// noCalls is the note of a row that is no zone's.
const noCalls = "no zone under the cursor has calls of its own"

// listCursorCalls lists the calls of the cursor's zone, or closes that list.
func listCursorCalls(s *process.Session, p *Panel) {
	if listKindIs(p, listCalls) || s == nil {
		return
	}
	if r, ok := cursorRecord(p.view); ok && r.Zone > 0 {
		p.listed.listCalls(timeline.CallQuery{Zone: r.Zone})
		return
	}
	p.Note(noCalls)
}

// listKindIs closes the list if it has the kind, and reports whether it did.
func listKindIs(p *Panel, kind listKind) (was bool) {
	p.change(func() { was = p.listed.Open && p.listed.kind == kind && p.closeList(false) })
	return was
}

// commentRows makes rows of the user's comments, for the list of marks.
func commentRows(all []report.Comment) []list.Row {
	rows := make([]list.Row, len(all))
	for i := range all {
		c, who := &all[i], "you"
		if c.From < c.To {
			who = fmt.Sprintf("you, to frame %d", c.To)
		}
		rows[i] = list.Row{Frame: c.From, At: i + 1, Keys: []float64{float64(c.From), 0, 0, 0},
			Words: []string{strconv.FormatUint(c.From, 10), "", who, text.Name(c.Text)}}
	}
	return rows
}

// listProgramMarks lists the marks of the program and the user's comments, or closes the list.
func listProgramMarks(s *process.Session, p *Panel) {
	if listKindIs(p, listMarks) || s == nil {
		return
	}
	marks, lanes := s.AppendMarks(nil, 0, math.MaxUint64), p.view.AppendLanes(nil)
	reading := listing.Reading(p.view.Info().Tick)
	rows := make([]list.Row, len(marks))
	for i := range marks {
		m := &marks[i]
		lane := ""
		for k := range lanes {
			if lanes[k].ID == m.Lane {
				lane = text.Name(lanes[k].Name)
			}
		}
		rows[i] = list.Row{Frame: m.Frame, Keys: []float64{float64(m.Frame), m.At, 0, 0},
			Words: []string{strconv.FormatUint(m.Frame, 10), reading(m.At), lane, text.Name(m.Text)}}
	}
	p.change(func() {
		rows = append(rows, commentRows(p.options.Comments)...)
		l := &p.listed
		l.show(listMarks, "marks", markColumns, rows, 0)
		l.List.Note = fmt.Sprintf("%d until now; N goes on, / searches", len(rows))
		l.None = "the program has made no mark"
	})
}

// closeListed closes the list.
func closeListed(_ *process.Session, p *Panel) { p.change(func() { p.closeList(false) }) }
