package main

import (
	"io"
	"math"

	"example.com/iprof/internal/asjson"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// fileOf returns what each command says of a capture in JSON.
func fileOf(s *process.Session, c *opened) *asjson.File {
	return &asjson.File{Kind: s.View().Info().Kind.String(), Program: asjson.Text(c.Program),
		GoVersion: asjson.Text(c.GoVersion), Machine: asjson.Text(c.Machine), Time: c.Start, Frames: c.Frames,
		Complete: &c.Complete, Disturbed: c.disturbed(s)}
}

// disturbed counts the disturbed frames of all frames, nil if they were not judged.
func (c *opened) disturbed(s *process.Session) *asjson.Disturbed {
	if c.unjudged {
		return nil
	}
	if c.sums != nil {
		return &asjson.Disturbed{Frames: c.sums.Disturbed, Among: int(c.Frames)}
	}
	return asjson.DisturbedOf(s.AppendFrames(nil, math.MaxInt))
}

// writeReport writes a report of a capture as JSON.
func writeReport(w io.Writer, s *process.Session, c *opened, r *report.Report) error {
	f, left := fileOf(s, c), c.pick.cut(r)
	f.Report = asjson.ReportOf(r, s.Zone)
	f.Report.Left = left
	return asjson.Write(w, f)
}

// topJSON writes the data of top as JSON.
func topJSON(w io.Writer, s *process.Session, c *opened) error {
	r, err := topReport(s, c)
	if err != nil {
		return err
	}
	return writeReport(w, s, c, r)
}

// framesJSON writes the data of frames as JSON.
func framesJSON(w io.Writer, s *process.Session, c *opened) error {
	list, left, err := c.slowestFrames(s)
	if err != nil {
		return err
	}
	f := fileOf(s, c)
	f.Slowest, f.SlowestLeft = []asjson.Frame{}, left
	for i := range list {
		f.Slowest = append(f.Slowest, asjson.FrameOf(list[i]))
	}
	sections, dropped := c.sectionsOf(s)
	f.Sections, f.SectionsDropped = asjson.SectionsOf(sections), dropped
	return asjson.Write(w, f)
}

// verdictsJSON writes the data of verdicts as JSON.
func verdictsJSON(w io.Writer, s *process.Session, c *opened) error {
	list, left, err := c.verdictsOf(s)
	if err != nil {
		return err
	}
	f := fileOf(s, c)
	f.Verdicts, f.VerdictsLeft = []asjson.Verdict{}, left
	for i := range list {
		if v := asjson.VerdictOf(&list[i], s.Zone); v != nil {
			for k := range v.Causes {
				v.Causes[k].Path = -1 // the file has no trees
			}
			f.Verdicts = append(f.Verdicts, *v)
		}
	}
	return asjson.Write(w, f)
}

// comparison returns the difference for JSON. Profiles have no frames, so their noise is not known.
func (d *difference) comparison() *asjson.Comparison {
	out := &asjson.Comparison{Unit: unitFrame, Slower: d.Slower, Busy: d.Busy,
		Changes: []asjson.Change{}}
	switch d.profiles {
	case "":
	case profileNames:
		out.Unit = unitSecond
	default:
		out.Unit = "ms"
	}
	for i := range d.Changes {
		c := &d.Changes[i]
		change := changeOf(c.Name, c.Before, c.After, c.Verdict)
		change.Site, change.Caller = asjson.SiteOf(c.Info), asjson.Text(c.Caller)
		if d.profiles == "" {
			change.Noise = &c.Noise
		}
		out.Changes = append(out.Changes, change)
	}
	return out
}

// comparison returns the difference for JSON.
func (d *fleetDifference) comparison() *asjson.Comparison {
	out := &asjson.Comparison{Unit: d.Unit, Method: d.Method, Machines: &d.Machines, Slower: d.Slower,
		Changes: []asjson.Change{}}
	for i := range d.Changes {
		c := &d.Changes[i]
		change := changeOf(c.Name, c.Before, c.After, c.Verdict)
		change.Evened, change.Chance = c.Evened, &c.Chance
		out.Changes = append(out.Changes, change)
	}
	return out
}

func changeOf(name string, before, after float64, verdict string) asjson.Change {
	return asjson.Change{Zone: asjson.Text(name), Before: before, After: after, Verdict: verdict}
}
