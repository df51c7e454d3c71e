package listing

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/list"
)

// slowColumns are the columns of the list of a zone's slow calls.
var slowColumns = []list.Column{
	{Heading: "frame", Tip: "the frame in which the call ended", Width: 84, Number: true},
	{Heading: "goroutine", Tip: "on which it ran", Width: 150},
	{Heading: "length", Tip: "from its begin to its end", Width: 130, Number: true, Time: true},
	{Heading: "usually", Tip: "about half of the zone's calls take no longer", Width: 96, Number: true},
	{Heading: "most of it", Tip: "the zone in which most of the time was, or the caller"},
}

// SlowCalls lists the slow calls of a zone: those that the session keeps, and those of the events from the p99 on.
// eventsKey is the key that keeps events, or "".
func SlowCalls(v *process.View, zone report.ZoneID, eventsKey string) *Content {
	var shown report.Report
	v.AppendReport(&shown)
	kept := slices.DeleteFunc(shown.SlowCalls, func(c *report.SlowCall) bool { return c.Zone != zone })
	found, reading := Search(v.Session(), timeline.CallQuery{Zone: zone}).Found, Reading(shown.Tick)
	p99, shownP99, counted := p99Of(v.Session(), zone, found)
	rows, calls := slowRows(kept, reading)
	for i, row := range CallRows(v, found, reading) {
		c := &found[i]
		if k := slices.IndexFunc(kept, func(k *report.SlowCall) bool { return sameCall(k, c) }); k >= 0 {
			calls[k] = *c
		} else if c.Length() >= p99 {
			rows = append(rows, list.Row{Frame: c.Frame, At: len(calls), Keys: append(row.Keys[:3:3], 0, 0),
				Words: append(row.Words[:3:3], "", "called by "+row.Words[4])})
			calls = append(calls, *c)
		}
	}
	note := "N goes on"
	if shownP99 > 0 {
		note = "p99 of the calls is " + reading(shownP99) + "; N goes on"
	}
	return &Content{"slow calls of " + text.Name(v.Session().Zone(zone).Name), note, noSlow(counted, eventsKey),
		slowColumns, rows, 2, calls}
}

// noSlow says why there is no slow call, and what to do.
func noSlow(counted bool, eventsKey string) string {
	words := "no call of it was far longer than usual"
	if !counted {
		words = "its calls are not counted: Zone.SetPerCall keeps the slow ones"
	}
	if eventsKey != "" {
		words += "; " + eventsKey + " keeps all from now on"
	}
	return words
}

// p99Of returns the p99 of the calls found, in ms, and the one to show: the card's, unless more calls were found.
func p99Of(s *process.Session, zone report.ZoneID, found []timeline.Call) (ms, shown float64, counted bool) {
	lengths := make([]float64, len(found))
	for i := range found {
		lengths[i] = found[i].Length()
	}
	if sort.Float64s(lengths); len(found) > 0 {
		ms = lengths[len(lengths)-1-len(lengths)/100]
	}
	var spread report.CallSpread
	if spread.Take(s.AppendCalls(nil, zone)); spread.Count >= uint64(len(found)) {
		return ms, spread.Quantile(0.99), spread.Count > 0
	}
	return ms, ms, spread.Count > 0
}

// sameCall reports whether a kept slow call and a call of the events are one.
func sameCall(k *report.SlowCall, c *timeline.Call) bool {
	return k.Lane == c.Lane && c.Frame <= k.Frame && math.Abs(k.Time-c.Length()) <= 1e-3+k.Time*1e-6
}

// SlowCallOf returns the slow call of a row, nil if the session does not keep it.
func SlowCallOf(v *process.View, c *timeline.Call) *report.SlowCall {
	var shown report.Report
	v.AppendReport(&shown)
	for _, k := range shown.SlowCalls {
		if k.Zone == c.Zone && k.Lane == c.Lane && (c.End > c.Begin && sameCall(k, c) || k.Frame == c.Frame) {
			return k
		}
	}
	return nil
}

// ScopeOf returns the scope of a slow call, if events of it are kept. Its times are in ms from the beginning of the
// frame in which it ended.
func ScopeOf(s *process.Session, k *report.SlowCall) (c timeline.Call, found bool) {
	all := Search(s, timeline.CallQuery{Zone: k.Zone}).Found
	i := slices.IndexFunc(all, func(c timeline.Call) bool { return sameCall(k, &c) })
	if i < 0 {
		return c, false
	}
	c = all[i]
	for _, f := range s.AppendFrames(nil, math.MaxInt32) {
		if f.Index >= c.Frame && f.Index < k.Frame {
			c.Begin -= float64(f.Length)
			c.End -= float64(f.Length)
		}
	}
	return c, true
}

// slowRows makes rows of slow calls. Without events, a row leads to the frame in which its call ended.
func slowRows(kept []*report.SlowCall, reading func(float64) string) (rows []list.Row,
	calls []timeline.Call) {
	for i, c := range kept {
		most := "the zone itself"
		if part := c.Part(); part != nil {
			most = string(part.AppendText(nil, text.Name))
		}
		if c.Said != "" {
			most += ": " + text.Name(c.Said)
		}
		rows = append(rows, list.Row{Frame: c.Frame, At: i, Keys: []float64{float64(c.Frame), 0, c.Time, c.Usual, 0},
			Words: []string{strconv.FormatUint(c.Frame, 10), text.Name(c.LaneName), reading(c.Time), reading(c.Usual),
				most}})
		calls = append(calls, timeline.Call{Scope: timeline.Scope{Zone: c.Zone, Lane: c.Lane}, Frame: c.Frame})
	}
	return rows, calls
}
