package agent

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"example.com/iprof/internal/tables"
	"example.com/iprof/process/report"
)

// listArguments are the arguments of the tool list.
type listArguments struct {
	Capture string `json:"capture,omitempty" jsonschema:"path of the capture; without it, the one asked last"`
	What    string `json:"what" jsonschema:"frames, zones, sections, locks, calls, lanes, waits, hot and so on"`
	Frames  string `json:"frames,omitempty" jsonschema:"only of these: 100-200,over,worst:10, section:\"level 3\""`
	Name    string `json:"name,omitempty" jsonschema:"only those whose name contains this, or physics >5ms"`
	ID      string `json:"id,omitempty" jsonschema:"only of this zone z17, lane l3, frame f140 or call c120.3.7"`
	By      string `json:"by,omitempty" jsonschema:"sums by zone, path, package, lane, frame, line or route"`
	Lane    string `json:"lane,omitempty" jsonschema:"only goroutines whose names contain this"`
	Sort    string `json:"sort,omitempty" jsonschema:"a column of the answer"`
	Limit   int    `json:"limit,omitempty" jsonschema:"at most so many rows"`
}

// lists are the lists of the tool list.
var lists = []string{"frames", "zones", "sections", "locks", "calls", "lanes", "waits", "memory", "hot", "forks",
	"values", "marks"}

// listHead is the head of an answer of list.
type listHead struct {
	What string `json:"what"`
}

func (s *Server) listTool(_ context.Context, in *listArguments) (*answer, error) {
	c, err := s.capture(in.Capture)
	if err != nil {
		return nil, err
	}
	a := &answer{head: listHead{in.What}}
	switch in.What {
	case "frames":
		err = c.listFrames(a, in)
	case "zones":
		c.listZones(a, in.Name)
	case "sections":
		c.listSections(a, in.Name)
	case "locks":
		err = c.listLocks(a, in)
	default:
		if kind := tables.Find(in.What); kind != nil {
			a, err = c.listTable(kind, in)
			break
		}
		if near := report.Nearest(in.What, lists); near != "" {
			return nil, fmt.Errorf("what: there is no list %s; did you mean %s?", quoted(in.What), near)
		}
		return nil, fmt.Errorf("what: there is no list %s; there are %s", quoted(in.What), strings.Join(lists, ", "))
	}
	if err != nil {
		return nil, err
	}
	a.limit(in.Limit)
	return a, nil
}

// usualFrames is the number of frames in a list without a limit.
const usualFrames = 12

func (c *capture) listFrames(a *answer, in *listArguments) error {
	l, err := c.lens(in.Frames)
	if err != nil {
		return err
	}
	if l.Kind == report.LensAll {
		l.Sum = false
	}
	list, all, err := c.frames(l, cmp.Or(max(in.Limit, 0), usualFrames))
	for i := range list {
		a.rows = append(a.rows, frameRowOf(&list[i]))
	}
	a.head, a.next = listHead{"frames, the slowest first"}, []string{"why with frames=f140: why that frame was slow"}
	a.all = all
	return err
}

func (c *capture) listZones(a *answer, name string) {
	for id, z := range tables.ZonesOf(c.Session) {
		if id > 0 && (contains(z.Name, name) || contains(z.Function, name)) {
			a.rows = append(a.rows, placeOf(z.Name, report.ZoneID(id), c.Session.Zone))
		}
	}
	a.next = []string{"calls with zone=z17: callers and callees; list with a name finds zones and functions"}
}

// sectionRow is a section of the run.
type sectionRow struct {
	Name   named  `json:"section_name"`
	From   string `json:"from"`
	To     string `json:"to"`
	Frames uint64 `json:"frames"`
	Mean   number `json:"mean_ms"`
	P99    number `json:"p99_ms"`
	Worst  number `json:"worst_ms"`
	Frame  string `json:"worst_frame"`
}

func (c *capture) listSections(a *answer, name string) {
	list, dropped := c.Sections()
	for _, s := range list {
		if contains(s.Name, name) {
			a.rows = append(a.rows, sectionRow{named(s.Name), frameID(s.From), frameID(s.To), s.Frames, number(s.Mean),
				number(s.P99), number(s.Worst), frameID(s.WorstFrame)})
		}
	}
	a.all = len(a.rows) + int(dropped)
	a.next = []string{`top with frames=section:"NAME": where its time goes`, "why with its worst_frame"}
	if len(list) == 0 {
		a.next = []string{"the program marked no sections"}
	}
}

// lockRow is a lock for which goroutines waited.
type lockRow struct {
	Name    named  `json:"lock_name"`
	Place   named  `json:"waited_at_name,omitempty"`
	Waits   uint64 `json:"waits"`
	Time    number `json:"ms"`
	Waiter  named  `json:"waited_most_name,omitempty"`
	Holder  named  `json:"released_by_name,omitempty"`
	At      named  `json:"released_at_name,omitempty"`
	Held    number `json:"released_there_ms,omitempty"`
	Longest number `json:"longest_ms,omitempty"`
	Frame   string `json:"longest_in_frame,omitempty"`
}

func (c *capture) listLocks(a *answer, in *listArguments) error {
	l, err := c.lens(in.Frames)
	if err != nil {
		return err
	}
	list, traced, err := c.locks(l)
	if err != nil {
		return err
	}
	for _, k := range list {
		if !contains(k.Name, in.Name) && !contains(k.Place, in.Name) {
			continue
		}
		r := lockRow{named(k.Name), named(k.Place), k.Count, number(k.Time), named(k.Waiter), named(k.Holder),
			named(k.At), number(k.Held), number(k.Longest.Time), ""}
		if k.Longest.HasFrame {
			r.Frame = frameID(k.Longest.Frame)
		}
		a.rows = append(a.rows, r)
	}
	a.head = listHead{"locks by the sum of waits"}
	if a.next = []string{"frame with frame=longest_in_frame"}; !traced {
		a.next = append(a.next, "locks of package sync are known with an execution trace only (exectrace.Watch); "+
			"those of package wait always")
	}
	return nil
}
