package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/iprof/internal/tables"
	"example.com/iprof/process/report"
)

// callsArguments are the arguments of the tool calls.
type callsArguments struct {
	Capture string `json:"capture,omitempty" jsonschema:"path of the capture; without it, the one asked last"`
	Zone    string `json:"zone,omitempty" jsonschema:"id such as z17, or a name: its callers, callees and slow calls"`
	Call    string `json:"call,omitempty" jsonschema:"id of a slow call, such as c3: its parts; of another: c120.3.7"`
	Frames  string `json:"frames,omitempty" jsonschema:"with a zone: only these frames, such as over or 100-200"`
	Limit   int    `json:"limit,omitempty" jsonschema:"at most so many rows"`
}

// callsHead is the head of an answer of calls.
type callsHead struct {
	Unit  string    `json:"unit,omitempty"`
	Slow  []slowRow `json:"slow_calls,omitempty"`
	Seen  uint64    `json:"slow_calls_seen,omitempty"`
	Shown string    `json:"slow_calls_shown,omitempty"`
	kept  int
}

func (h *callsHead) shorten() bool {
	if len(h.Slow) <= 1 {
		return false
	}
	h.Slow = h.Slow[:len(h.Slow)-1]
	h.count()
	return true
}

// count says how many slow calls are shown.
func (h *callsHead) count() {
	if len(h.Slow) < h.kept {
		h.Shown = fmt.Sprintf("%d of %d kept", len(h.Slow), h.kept)
	}
}

// routeRow has the durations of the calls of a zone.
type routeRow struct {
	place
	Calls uint64 `json:"calls"`
	P50   number `json:"p50_ms"`
	P99   number `json:"p99_ms"`
	Max   number `json:"max_ms"`
	Mean  number `json:"mean_ms"`
}

// slowRow is a slow call.
type slowRow struct {
	ID    string `json:"call"`
	Zone  string `json:"zone"`
	Name  named  `json:"zone_name"`
	Frame string `json:"frame"`
	Lane  named  `json:"lane_name,omitempty"`
	Time  number `json:"ms"`
	Usual number `json:"usual_ms"`
	Said  named  `json:"said_name,omitempty"`
	Why   string `json:"why"`
	In    *place `json:"most_of_it_in,omitempty"`
}

// partRow is a part of a slow call.
type partRow struct {
	place
	Level int    `json:"level"`
	Calls uint32 `json:"calls"`
	Time  number `json:"ms"`
}

func (s *Server) callsTool(_ context.Context, in *callsArguments) (*answer, error) {
	c, err := s.capture(in.Capture)
	switch {
	case err != nil:
		return nil, err
	case strings.Contains(in.Call, "."):
		return c.listTable(tables.Find("calls"), &listArguments{ID: in.Call})
	case in.Call != "":
		return c.slowCall(in.Call)
	case in.Zone != "":
		zone, err := c.zoneOf(in.Zone)
		if err != nil {
			return nil, err
		}
		return c.graph(zone, &pick{Frames: in.Frames, Limit: in.Limit})
	}
	return c.slowCalls(0, in.Limit)
}

// graph answers with the callers and callees of a zone, and its slow calls.
func (c *capture) graph(zone report.ZoneID, p *pick) (*answer, error) {
	a, err := c.rows(p, report.View{Mode: report.ReportCallGraph, Focus: zone})
	if err != nil {
		return nil, err
	}
	head := callsHead{Unit: a.head.(*topHead).Unit}
	l, err := c.lens(p.Frames)
	if err == nil {
		err = c.slow(&head, c.Takes(l), zone, 3)
	}
	if err != nil {
		return nil, err
	}
	a.head = &head
	a.next = []string{"calls with another zone: its own callers"}
	if len(head.Slow) > 0 {
		a.next = append(a.next, "calls with call="+head.Slow[0].ID+": the parts of that call")
	}
	return a, nil
}

// slow sets the slow calls of a zone, or of all with zone 0, the greatest excess first. takes chooses frames by number
// and index; nil chooses all.
func (c *capture) slow(h *callsHead, takes func(number, index uint64) bool, zone report.ZoneID, most int) error {
	list, seen, err := c.slowly()
	if err != nil {
		return err
	}
	var at []int
	for i, k := range list {
		number := uint64(0)
		if c.File != nil {
			number, _ = c.File.Find(k.Frame)
		}
		if (zone == 0 || k.Zone == zone) && (takes == nil || takes(number, k.Frame)) {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(i, k int) int { return cmp.Compare(list[k].Excess(), list[i].Excess()) })
	h.Seen, h.kept = seen, len(at)
	for _, i := range at[:min(len(at), most)] {
		h.Slow = append(h.Slow, c.slowRow(i, list[i]))
	}
	h.count()
	return nil
}

func (c *capture) slowRow(i int, k *report.SlowCall) slowRow {
	row := slowRow{callID(i + 1), zoneID(k.Zone), named(k.Name), frameID(k.Frame), named(k.LaneName), number(k.Time),
		number(k.Usual), named(k.Said), sentence(k.AppendText(nil, quoted)), nil}
	if p := k.Part(); p != nil {
		in := placeOf(p.Name, p.Zone, c.Session.Zone)
		row.In = &in
	}
	return row
}

// slowCalls answers with the zones whose calls are counted, and with slow calls.
func (c *capture) slowCalls(zone report.ZoneID, limit int) (*answer, error) {
	r := &report.Report{WantCalls: true}
	c.Session.View().AppendReportOf(r, report.View{Lens: c.Kind().Whole()})
	a, head := &answer{}, callsHead{}
	if err := c.slow(&head, nil, zone, 4); err != nil {
		return nil, err
	}
	slices.SortStableFunc(r.Calls, func(x, y *report.CallRow) int { return cmp.Compare(y.Times.P99, x.Times.P99) })
	for _, k := range r.Calls {
		a.rows = append(a.rows, routeRow{placeOf(k.Name, k.Zone, c.Session.Zone), k.Count, number(k.Times.P50),
			number(k.Times.P99), number(k.Times.Max), number(k.Times.Mean)})
	}
	a.limit(limit)
	a.head = &head
	switch {
	case len(head.Slow) > 0:
		a.next = []string{"calls with call=" + head.Slow[0].ID + ": the parts of that call",
			"calls with zone=" + head.Slow[0].Zone + ": its callers and callees"}
	case len(a.rows) == 0:
		a.next = []string{"no zone counts its single calls: Zone.SetPerCall or iprofhttp does; top has the zones"}
	default:
		a.next = []string{"no call was far slower than usual; calls with a zone: its callers and callees"}
	}
	return a, nil
}

// slowCall answers with the parts of a slow call.
func (c *capture) slowCall(id string) (*answer, error) {
	n, err := idOf(id, 'c', "c3")
	list, _, unread := c.slowly()
	if unread != nil {
		return nil, unread
	}
	if err != nil || n == 0 || n > uint64(len(list)) {
		return nil, fmt.Errorf("there is no slow call %s: calls without arguments lists them", quoted(id))
	}
	k := list[n-1]
	a := &answer{head: c.slowRow(int(n)-1, k), next: []string{"frame with frame=" + frameID(k.Frame) +
		": what else happened then", "calls with zone=" + zoneID(k.Zone) + ": the usual callees"}}
	for _, p := range k.Parts {
		a.rows = append(a.rows, partRow{placeOf(p.Name, p.Zone, c.Session.Zone), p.Level, p.Count, number(p.Time)})
	}
	return a, nil
}
