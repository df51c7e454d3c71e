package viewer

import (
	"math"
	"sort"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/listing"
)

// callLines is the greatest number of printed calls.
const callLines = 40

// longCalls prints the longest calls of a zone over a time: "calls physics >5ms". It reports whether the line asks for
// that.
func longCalls(t *Line) (asked bool, err error) {
	name, over := t.Rest, -1.0
	if at := strings.LastIndexByte(t.Rest, '>'); at > 0 {
		_, over = report.FilterWords(strings.ReplaceAll(t.Rest[at:], " ", ""))
		if over >= 0 {
			name = strings.TrimSpace(t.Rest[:at])
		}
	}
	if over < 0 {
		return false, nil
	}
	zone, err := t.zone(name)
	if err != nil {
		return true, err
	}
	found, tick := listing.Search(t.Session, timeline.CallQuery{Zone: zone, From: over}), t.Panel.view.Info().Tick
	if found.Frames == 0 {
		t.Printf("calls are listed from events, and none are kept: the word events makes it")
		return true, nil
	}
	sort.SliceStable(found.Found, func(i, k int) bool { return found.Found[i].Length() > found.Found[k].Length() })
	t.Printf("%s of %s over %s in %s with events", printed.Count(found.Count, "call"),
		text.Name(t.Session.Zone(zone).Name), text.Reading(over, tick), printed.Count(found.Frames, "frame"))
	reading := func(ms float64) string { return text.Reading(ms, tick) }
	for i, r := range listing.CallRows(t.Panel.view, found.Found[:min(len(found.Found), callLines)], reading) {
		w, said := r.Words, string(found.Found[i].Remark.AppendText(nil, text.Name))
		if said != "" {
			said = ": " + said
		}
		t.Printf("%10s  frame %s at %s, on %s, called by %s%s", w[2], w[0], w[3], w[1], w[4], said)
	}
	if more := len(found.Found) - callLines; more > 0 {
		t.Printf("%d shorter ones are left out", more)
	}
	return true, nil
}

// locksLine prints the locks for which goroutines waited.
func (t *Line) locksLine() error {
	c := listing.Locks(t.Panel.view)
	if len(c.Rows) == 0 {
		t.Printf("%s", c.None)
	}
	for _, r := range c.Rows {
		if w := r.Words; t.asksFor(w[0]) {
			t.Printf("%10s in %s, longest %s: %s; waited: %s; released by %s", w[1], w[2], w[3], w[0], w[4], w[5])
		}
	}
	return nil
}

// goroutinesLine surveys the goroutines, and prints them by go statement.
func (t *Line) goroutinesLine() error {
	c := listing.Goroutines(t.Panel.view)
	if len(c.Rows) == 0 {
		t.Printf("%s", c.None)
		return nil
	}
	t.Printf("%s", c.Note)
	for _, r := range c.Rows {
		if w := r.Words; t.asksFor(w[0]) || t.asksFor(w[6]) {
			t.Printf("%s: %s alive, %s made, %s ended; %s", w[0], w[1], w[2], w[3], w[6])
		}
	}
	return nil
}

// allocationsLine begins or ends a trace of allocations. Without a word it prints the newest one, and what another
// costs.
func allocationsLine(t *Line) error {
	answer, err := allocated.Ask(t.Session.Sources().Tracer, t.Rest)
	traced := allocated.Of(t.Session.Sources().Allocated)
	if t.Rest == "" && traced != nil {
		list := traced.ByType(-1)
		for i := range list[:min(len(list), callLines)] {
			r := &list[i]
			t.Printf("%s: %s", text.Name(t.Session.Zone(r.Zone()).Name), r.AppendText(nil, text.Name))
		}
		t.Printf("%d rows; %s", len(list), traced.String())
		err = nil
	}
	if answer != "" {
		t.Printf("%s", answer)
	}
	return err
}

// marksLine prints the marks, with a word only those that contain it.
func (t *Line) marksLine() error {
	n, tick := 0, t.Panel.view.Info().Tick
	for _, m := range t.Session.AppendMarks(nil, 0, math.MaxUint64) {
		if words := text.Name(m.Text); t.asksFor(words) {
			t.Printf("frame %d at %s: %s", m.Frame, text.Reading(m.At, tick), words)
			n++
		}
	}
	if n == 0 {
		t.Printf("no marks")
	}
	return nil
}

// asksFor reports whether words contain the typed word, in any case. Without a typed word it is true.
func (t *Line) asksFor(words string) bool {
	return strings.Contains(strings.ToLower(words), strings.ToLower(t.Rest))
}
