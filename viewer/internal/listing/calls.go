package listing

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/list"
)

// The columns of single calls.
var (
	callColumns = []list.Column{
		{Heading: "frame", Tip: "the frame in which the call began", Width: 84, Number: true},
		{Heading: "goroutine", Tip: "on which it ran", Width: 150},
		{Heading: "length", Tip: "from its begin to its end", Width: 130, Number: true, Time: true},
		{Heading: "at", Tip: "its begin, from the beginning of the frame", Width: 96, Number: true},
		{Heading: "called by", Tip: "the zone around it"},
	}
	saidColumns = []list.Column{
		{Heading: "value", Tip: "what the program said of it with Scope.Value", Width: 96, Number: true},
		{Heading: "text", Tip: "what the program said of it with Scope.Text"},
	}
)

// Reading returns the window's format of times, whose letters include µ.
func Reading(tick float64) func(ms float64) string {
	return func(ms float64) string { return strings.Replace(text.Reading(ms, tick), " us", " µs", 1) }
}

// RangeWords names the range of durations of a list.
func RangeWords(from, to, tick float64) string {
	reading := Reading(tick)
	switch {
	case to <= 0 && from <= 0:
		return ""
	case to <= 0:
		return " of at least " + reading(from)
	case from <= 0:
		return " of at most " + reading(to)
	}
	return " of " + reading(from) + " to " + reading(to)
}

// callWord returns the length of a call in words. For a partly known call it is a lower bound.
func callWord(c *timeline.Call, reading func(float64) string) string {
	if c.Before || c.After {
		return "at least " + reading(c.Length())
	}
	return reading(c.Length())
}

// CallRows makes rows of calls.
func CallRows(v *process.View, calls []timeline.Call, reading func(float64) string) []list.Row {
	lanes := map[report.LaneID]string{}
	for _, l := range v.AppendLanes(nil) {
		lanes[l.ID] = text.Name(l.Name)
	}
	rows := make([]list.Row, len(calls))
	for i := range calls {
		c := &calls[i]
		lane, ok := lanes[c.Lane]
		if !ok {
			lane = fmt.Sprintf("lane %d", c.Lane)
		}
		parent := "(root)"
		if c.Parent > 0 {
			parent = text.Name(v.Session().Zone(c.Parent).Name)
		}
		rows[i] = list.Row{Frame: c.Frame, At: i, Keys: []float64{float64(c.Frame), 0, c.Length(), c.Begin, 0},
			Words: []string{strconv.FormatUint(c.Frame, 10), lane, callWord(c, reading), reading(c.Begin), parent}}
	}
	return rows
}

// addRemarks adds columns with the program's remarks on the calls, if there are any. The column of the enclosing zone
// gives up room.
func addRemarks(columns []list.Column, rows []list.Row, calls []timeline.Call) []list.Column {
	if !slices.ContainsFunc(calls, func(c timeline.Call) bool { return c.Remark != nil }) {
		return columns
	}
	for i := range rows {
		m, key, words := calls[i].Remark, math.Inf(-1), ""
		if m != nil && m.Valued {
			key = m.Value
		}
		if m != nil && m.Text != "" {
			words = text.Name(m.Text)
		}
		rows[i].Keys = append(rows[i].Keys, key, 0)
		rows[i].Words = append(rows[i].Words, string(m.AppendValue(nil)), words)
	}
	columns = append(slices.Clone(columns), saidColumns...)
	columns[len(callColumns)-1].Width = 150
	return columns
}

// Search finds the calls of a zone in the history. It locks the session for one frame at a time, so that the
// program goes on meanwhile.
func Search(s *process.Session, q timeline.CallQuery) *timeline.CallSearch {
	found, scopes := &timeline.CallSearch{Query: q}, []timeline.Scope(nil)
	for _, f := range s.AppendFrames(nil, math.MaxInt32) {
		scopes = s.AppendTimelineFrame(scopes[:0], 0, f.Index)
		found.Take(f.Index, scopes)
	}
	found.End()
	return found
}

// Calls lists the calls of a zone by their lengths. eventsKey is the key that keeps events, or "".
func Calls(v *process.View, q timeline.CallQuery, eventsKey string) *Content {
	found, tick := Search(v.Session(), q), v.Info().Tick
	rows := CallRows(v, found.Found, Reading(tick))
	c := &Content{Title: "calls of " + text.Name(v.Session().Zone(q.Zone).Name) + RangeWords(q.From, q.To, tick),
		Columns: addRemarks(callColumns, rows, found.Found), Rows: rows, By: 2, Calls: found.Found,
		Note: foundWords(found), None: "no call of that length is in the frames with events"}
	if found.Frames == 0 {
		c.None = "calls are listed from events, and none are kept"
		if eventsKey != "" {
			c.None += ": " + eventsKey + " keeps them from now on"
		}
	}
	return c
}

// foundWords names the number of found calls and the searched frames.
func foundWords(found *timeline.CallSearch) string {
	words := fmt.Sprintf("%d in %s with events", found.Count, printed.Count(found.Frames, "frame"))
	if found.Frames > 0 {
		words += fmt.Sprintf(", %d to %d", found.First, found.Last)
	}
	if more := found.Count - len(found.Found); more > 0 {
		words = fmt.Sprintf("the newest %d of ", len(found.Found)) + words
	}
	return words + "; N goes on"
}
