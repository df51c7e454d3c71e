package agent

import (
	"context"
	"fmt"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// whyArguments are the arguments of the tool why.
type whyArguments struct {
	Capture string `json:"capture,omitempty" jsonschema:"path of the capture; without it, the one asked last"`
	Frames  string `json:"frames,omitempty" jsonschema:"f140, over, worst:10, 100-200,over; without it, the slowest"`
	Picture bool   `json:"picture,omitempty" jsonschema:"add a picture of the slowest of them"`
}

// mostJudged is the greatest number of frames that one question explains.
const mostJudged = 200

// whyHead is the head of an answer of why.
type whyHead struct {
	Frames string       `json:"frames"`
	Causes []causeCount `json:"causes,omitempty"`
}

func (h *whyHead) shorten() (shorter bool) {
	if shorter = len(h.Causes) > 0; shorter {
		h.Causes = h.Causes[:len(h.Causes)-1]
	}
	return shorter
}

// causeCount counts the frames of one cause.
type causeCount struct {
	Cause named  `json:"cause_name"`
	Count int    `json:"frames"`
	Worst string `json:"slowest"`
	worst float64
	key   blame
}

// blame is the key by which verdicts are counted.
type blame struct {
	kind report.CauseKind
	zone report.ZoneID
	name string
}

// verdictRow explains a frame.
type verdictRow struct {
	ID     string     `json:"frame"`
	Time   number     `json:"ms"`
	Usual  number     `json:"usual_ms,omitempty"`
	Budget number     `json:"budget_ms,omitempty"`
	Why    string     `json:"why"`
	Causes []causeRow `json:"causes,omitempty"`
}

func (r *verdictRow) shorten() (shorter bool) {
	if shorter = len(r.Causes) > 0; shorter {
		r.Causes = r.Causes[:len(r.Causes)-1]
	}
	return shorter
}

// causeRow is a cause of a slow frame.
type causeRow struct {
	Kind string `json:"kind"`
	place
	Lane    named   `json:"lane_name,omitempty"`
	Callers []named `json:"caller_names,omitempty"` // innermost first
	Time    number  `json:"ms"`
	Usual   number  `json:"usual_ms"`
	Count   number  `json:"calls,omitempty"`
	Often   number  `json:"usual_calls,omitempty"`
	State   string  `json:"state,omitempty"`
	Reason  named   `json:"waited_for_name,omitempty"`
	At      named   `json:"waited_at_name,omitempty"`
	By      named   `json:"ended_by_name,omitempty"`
	ByAt    named   `json:"ended_at_name,omitempty"`
}

func (s *Server) whyTool(_ context.Context, in *whyArguments) (*answer, error) {
	c, err := s.capture(in.Capture)
	if err != nil {
		return nil, err
	}
	if in.Frames == "" && !c.Kind().HasFrames() {
		a, err := c.slowCalls(0, 5)
		if err == nil {
			a.next = append(a.next, "frames of a "+c.Kind().String()+" are only pieces of the time, so these are its "+
				"slowest calls")
		}
		return a, err
	}
	words := in.Frames
	if words == "" {
		words = "worst:2" // the first frame has the start of the program
	}
	l, err := c.lens(words)
	if err != nil {
		return nil, err
	}
	list, all, err := c.frames(l, mostJudged)
	if err != nil {
		return nil, err
	}
	if in.Frames == "" {
		list, all = slowestOf(list), 1
	}
	return c.explain(list, all, in.Picture)
}

// slowestOf returns the slowest frame, but not the first of the program, which has its start.
func slowestOf(list []report.FrameSummary) []report.FrameSummary {
	for i := range list {
		if list[i].Index > 0 {
			return list[i : i+1]
		}
	}
	return list[:min(len(list), 1)]
}

// explain explains frames, the slowest first.
func (c *capture) explain(list []report.FrameSummary, all int, picture bool) (*answer, error) {
	a, head := &answer{}, whyHead{}
	usual := 0
	for i := range list {
		v, err := c.verdict(list[i].Index)
		if err != nil {
			return nil, err
		}
		if !v.Found() {
			usual++
			continue
		}
		a.rows = append(a.rows, verdictRowOf(v, c.Session.Zone))
		head.Causes = count(head.Causes, v)
	}
	head.Frames = fmt.Sprintf("%d of %d explained", len(a.rows), all)
	if usual > 0 {
		head.Frames += fmt.Sprintf("; %d were within budget and as usual", usual)
	}
	slices.SortStableFunc(head.Causes, func(a, b causeCount) int { return b.Count - a.Count })
	head.Causes = head.Causes[:min(len(head.Causes), 5)]
	if len(list) == 1 {
		head.Causes = nil
	}
	a.head = &head
	switch {
	case len(list) == 0:
		a.next = []string{"no frame was chosen; why without frames explains the slowest"}
	case len(a.rows) == 0:
		a.next = []string{"frame with frame=" + frameID(list[0].Index) + ": where its time went"}
	default:
		id := a.rows[0].(*verdictRow).ID
		a.next = []string{"frame with frame=" + id + ": its call tree and waits",
			"why with frames=over: whether others have the same cause"}
	}
	if picture && len(list) > 0 {
		var err error
		if a.png, err = c.picture(list[0].Index); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// count adds a verdict to the counts of causes.
func count(list []causeCount, v *report.Verdict) []causeCount {
	kind, zone, name := v.Blames()
	key := blame{kind, zone, name}
	at := slices.IndexFunc(list, func(k causeCount) bool { return k.key == key })
	if at < 0 {
		at, list = len(list), append(list, causeCount{Cause: named(name), key: key})
	}
	if k := &list[at]; k.Count == 0 || v.Time > k.worst {
		k.Worst, k.worst = frameID(v.Index), v.Time
	}
	list[at].Count++
	return list
}

// verdict explains a frame.
func (c *capture) verdict(index uint64) (*report.Verdict, error) {
	s, age, err := c.around(index)
	if err != nil {
		return nil, err
	}
	v := new(report.Verdict)
	s.VerdictOf(v, age)
	return v, nil
}

func verdictRowOf(v *report.Verdict, zone func(report.ZoneID) gather.ZoneInfo) *verdictRow {
	r := &verdictRow{ID: frameID(v.Index), Time: number(v.Time), Usual: number(v.Usual), Budget: number(v.Budget),
		Why: sentence(v.AppendText(nil, quoted))}
	for i := range v.Causes[:min(len(v.Causes), 4)] {
		r.Causes = append(r.Causes, causeRowOf(&v.Causes[i], zone))
	}
	return r
}

func causeRowOf(c *report.Cause, zone func(report.ZoneID) gather.ZoneInfo) causeRow {
	r := causeRow{Kind: c.Kind.String(), place: placeOf(c.Name, c.Zone, zone), Lane: named(c.Lane),
		Time: number(c.Time), Usual: number(max(c.Usual, 0)), Count: number(c.Count), Often: number(c.Often)}
	for _, caller := range c.Callers[:min(len(c.Callers), 3)] {
		r.Callers = append(r.Callers, named(caller))
	}
	if q := &c.State; c.Kind == report.CauseState || q.Reason != "" {
		r.State = q.Kind.String()
		r.Reason = named(q.Reason)
		r.At = named(q.Place)
		r.By = named(q.By)
		r.ByAt = named(q.At)
	}
	return r
}
