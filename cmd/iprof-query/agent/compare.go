package agent

import (
	"context"
	"fmt"

	"example.com/iprof/gather"
	"example.com/iprof/internal/changes"
	"example.com/iprof/process/report"
)

// compareArguments are the arguments of the tool compare.
type compareArguments struct {
	Base    string  `json:"base" jsonschema:"path of the capture before the change"`
	Capture string  `json:"capture,omitempty" jsonschema:"path of the capture after it; without it, the one asked last"`
	Frames  string  `json:"frames,omitempty" jsonschema:"only these frames of the capture"`
	Before  string  `json:"base_frames,omitempty" jsonschema:"only these of the base, which may be the same file"`
	Percent float64 `json:"percent,omitempty" jsonschema:"changes below it are noise; 5 without it"`
	Limit   int     `json:"limit,omitempty" jsonschema:"at most so many rows"`
}

// compareHead is the head of an answer of compare.
type compareHead struct {
	Base    named    `json:"base_name"`
	Capture named    `json:"capture_name"`
	Slower  int      `json:"slower"`
	Frame   string   `json:"frame"`
	Unit    string   `json:"unit"`
	Busy    []string `json:"busy_machine,omitempty"`
}

// changeRow is the difference of a zone.
type changeRow struct {
	Verdict string `json:"verdict"`
	place
	Caller named  `json:"caller_name,omitempty"` // with most of the change
	Before number `json:"before_ms"`
	After  number `json:"after_ms"`
	Noise  number `json:"noise_ms"`
}

func (s *Server) compareTool(_ context.Context, in *compareArguments) (*answer, error) {
	c, err := s.capture(in.Capture)
	if err != nil {
		return nil, err
	}
	base, err := s.capture(in.Base)
	if err != nil {
		return nil, fmt.Errorf("base: %w", err)
	}
	if _, err := s.capture(c.name); err != nil { // it stays the one asked last
		return nil, err
	}
	if in.Percent == 0 {
		in.Percent = changes.Percent
	}
	before, err := base.times(in.Before)
	if err != nil {
		return nil, err
	}
	after, err := c.times(in.Frames)
	if err != nil {
		return nil, err
	}
	return differenceOf(changes.Between(before, after, in.Percent), base, c, in.Limit), nil
}

// times returns the times of the chosen frames.
func (c *capture) times(frames string) (*changes.Times, error) {
	l, err := c.lens(frames)
	if err != nil {
		return nil, err
	}
	l.Sum = false
	return changes.TakeOf(quoted(c.name), c.Session, l)
}

// differenceOf answers with the changes beyond the noise.
func differenceOf(d *changes.Difference, base, c *capture, limit int) *answer {
	whole := &d.Changes[0]
	head := compareHead{Base: named(base.name), Capture: named(c.name), Slower: d.Slower, Busy: d.Busy,
		Unit: "ms of self time, mean of a frame",
		Frame: fmt.Sprintf("busy %.3f before, %.3f after, noise %.3f: %s", whole.Before, whole.After, whole.Noise,
			whole.Verdict)}
	a := &answer{}
	for _, k := range d.Shown()[1:] {
		row := changeRow{Verdict: k.Verdict, Caller: named(k.Caller), Before: number(k.Before), After: number(k.After),
			Noise: number(k.Noise)}
		was, is := k.Zones()
		id := report.ZoneID(0)
		if len(is) > 0 {
			id = is[0]
		} else if len(was) > 0 {
			id = was[0]
		}
		row.place = placeOf(k.Name, id, func(report.ZoneID) gather.ZoneInfo { return k.Info })
		if len(is) == 0 {
			row.Zone = "" // the id is of the base
		}
		a.rows = append(a.rows, row)
	}
	a.limit(limit)
	a.head = head
	a.next = []string{"calls with a zone: its callers", "why: the slowest frame"}
	if len(d.Shown()) == 1 {
		a.next = []string{"no zone changed beyond the noise; a base of another machine proves nothing"}
	}
	return a
}
