package agent

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/iprof/internal/importer"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// openArguments are the arguments of the tool open.
type openArguments struct {
	Capture string `json:"capture,omitempty" jsonschema:"path of a file; without it, files are listed"`
}

// fileRow is a file that can be opened.
type fileRow struct {
	File    named  `json:"file_name"`
	Bytes   int64  `json:"bytes"`
	Written string `json:"written"`
}

func (s *Server) openTool(_ context.Context, in *openArguments) (*answer, error) {
	if in.Capture == "" {
		return s.listFiles(), nil
	}
	c, err := s.capture(in.Capture)
	if err != nil {
		return nil, err
	}
	return c.overview()
}

// listFiles lists the files that can be opened.
func (s *Server) listFiles() *answer {
	list, whole := s.folders.captures()
	a := &answer{all: len(list), next: []string{"open with one of these as capture"}}
	for _, f := range list {
		a.rows = append(a.rows, fileRow{named(f.name), f.bytes, f.written.UTC().Format(time.DateTime)})
	}
	head := struct {
		What string `json:"what"`
	}{"files that may be captures, the newest first"}
	if !whole {
		head.What += fmt.Sprintf("; the folders have more than %d files, the rest was not looked at", mostVisited)
	}
	if len(list) == 0 {
		a.next = []string{"record a capture: iprof run -o game.iprof ./cmd/game; or start iprof mcp with the folder " +
			"that has them"}
	}
	a.head = head
	return a
}

// overview is what a capture has.
type overview struct {
	Capture  named    `json:"capture_name"`
	Program  named    `json:"program_name,omitempty"`
	Go       named    `json:"go_version_name,omitempty"`
	Machine  named    `json:"machine_name,omitempty"`
	Start    string   `json:"start,omitempty"`
	Kind     string   `json:"kind"`
	Frames   uint64   `json:"frames"`
	First    string   `json:"first,omitempty"`
	Last     string   `json:"last,omitempty"`
	Budget   number   `json:"budget_ms,omitempty"`
	Over     *uint64  `json:"frames_over_budget,omitempty"`
	P50      number   `json:"frame_p50_ms,omitempty"`
	P99      number   `json:"frame_p99_ms,omitempty"`
	Longest  number   `json:"frame_max_ms,omitempty"`
	Damage   []string `json:"damage,omitempty"`
	Cut      bool     `json:"cut_off_at_its_end,omitempty"`
	Imported string   `json:"imported,omitempty"`
	Reason   named    `json:"trigger_name,omitempty"`
	Trigger  string   `json:"trigger_frame,omitempty"`
	Sections int      `json:"sections,omitempty"`
	Times    string   `json:"times,omitempty"`
}

// overview says what a capture has.
func (c *capture) overview() (*answer, error) {
	o := overview{Capture: named(c.name), Program: named(c.Program), Kind: c.Kind().String(), Frames: c.Frames,
		Cut: !c.Complete, Imported: cutBytes(c.imported, 300, false), Reason: named(c.Reason)}
	if c.GoVersion != importer.NotKnown {
		o.Go, o.Machine = named(c.GoVersion), named(c.Machine)
	}
	if c.Start.Year() >= 1970 { // else it is not known
		o.Start = c.Start.UTC().Format(time.DateTime)
	}
	for _, d := range c.Damages[:min(len(c.Damages), 3)] {
		o.Damage = append(o.Damage, shown(d.Error()))
	}
	if c.HasFrame {
		o.Trigger = frameID(c.Frame)
	}
	list, _ := c.Sections()
	o.Sections = len(list)
	a := &answer{}
	if c.Frames > 0 && c.Kind().HasFrames() {
		if err := c.frameTimes(&o, a); err != nil {
			return nil, err
		}
	}
	a.head, a.next = o, c.nextOf(&o)
	return a, nil
}

// frameTimes sets the distribution of the frames' times, and lists the slowest as rows.
func (c *capture) frameTimes(o *overview, a *answer) error {
	var times []float32
	over := uint64(0)
	budget := c.Late()
	c.judged(func(_ uint64, ms float32) {
		if times = append(times, ms); budget > 0 && float64(ms) > budget {
			over++
		}
	})
	slices.Sort(times)
	at := func(q float64) number { return number(times[min(int(q*float64(len(times))), len(times)-1)]) }
	o.P50, o.P99, o.Longest = at(0.5), at(0.99), at(1)
	if budget > 0 {
		o.Budget, o.Over = number(c.Session.FrameBudget().Seconds()*1000), &over
	}
	o.Times = "of frames: busy and blocked, without chosen waits"
	o.First, o.Last = c.ends()
	slow, _, err := c.frames(report.Lens{Kind: report.LensSlowest, Slowest: 5}, 5)
	for _, f := range slow {
		a.rows = append(a.rows, frameRowOf(&f))
	}
	return err
}

// ends returns the ids of the first and the last frame.
func (c *capture) ends() (first, last string) {
	frames := c.Session.AppendFrames(nil, math.MaxInt)
	last = frameID(frames[len(frames)-1].Index)
	if c.File == nil {
		return frameID(frames[0].Index), last
	}
	one := process.NewSession()
	if _, err := c.File.Load(one, 0, 1); err != nil {
		return "", last
	}
	return frameID(one.AppendFrames(nil, 1)[0].Index), last
}

// nextOf names the next questions.
func (c *capture) nextOf(o *overview) (next []string) {
	switch {
	case c.Frames == 0:
		return []string{"top: the program ended no frame, so there are only sums"}
	case !c.Kind().HasFrames():
		next = append(next, "calls: which route or zone has slow calls", "top: which zones have the most time")
	case o.Trigger != "":
		next = append(next, "why with frames="+o.Trigger+": the frame that triggered this file")
	default:
		next = append(next, "why: why the slowest frame was slow", "why with frames=over: what makes frames late")
	}
	if o.Sections > 0 {
		next = append(next, "list with what=sections")
	}
	return append(next, "compare with base=FILE: what became slower")
}

// frameRow is a frame in a list.
type frameRow struct {
	ID      string `json:"frame"`
	Label   named  `json:"label_name,omitempty"`
	Length  number `json:"ms"`
	Judged  number `json:"busy_and_blocked_ms"`
	Blocked number `json:"blocked_ms,omitempty"`
	Over    bool   `json:"over_budget,omitempty"`
	GC      uint32 `json:"gc_cycles,omitempty"`
	Away    number `json:"other_programs_ms,omitempty"`
}

func frameRowOf(f *report.FrameSummary) frameRow {
	return frameRow{frameID(f.Index), named(f.Label), number(f.Length), number(f.Judged()), number(f.Blocked), f.Over,
		f.Cycles, number(f.Away)}
}

// contains reports whether a text has another, in any case.
func contains(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}
