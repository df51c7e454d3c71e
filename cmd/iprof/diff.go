package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/changes"
	"example.com/iprof/process"
)

// change is the difference of a zone, or of the whole frame, between two captures. Times are self time in ms a frame.
type change struct {
	Name    string  `json:"name"`
	Site    string  `json:"site,omitempty"`
	Before  float64 `json:"before_ms"`
	After   float64 `json:"after_ms"`
	Noise   float64 `json:"noise_ms"` // a change up to this may be chance
	Verdict string  `json:"verdict"`  // slower, faster, new or same
}

// difference is what diff prints with -json.
type difference struct {
	Slower  int      `json:"slower"` // number of changes with this verdict
	Changes []change `json:"changes"`
	words   string   // heading of the names; "" is that of captures
}

// The statuses of diff are those of the command diff.
const (
	diffSame    = 0
	diffSlower  = 1
	diffTrouble = 2
)

// diff is the command diff. It compares two captures. Its status is 1 if anything became slower.
func diff(args []string) int {
	f := flag.NewFlagSet("diff", flag.ContinueOnError)
	asJSON := f.Bool("json", false, "write one JSON object")
	percent := f.Float64("percent", 5, "changes below so many percent are noise")
	if err := f.Parse(args); err != nil {
		return diffTrouble
	}
	if f.NArg() != 2 || !(*percent >= 0) {
		fmt.Fprintln(os.Stderr, "usage: iprof diff [-json] [-percent 5] BEFORE AFTER: captures, directories of them, "+
			"or profiles for go tool pprof")
		return diffTrouble
	}
	slower, err := writeDiff(os.Stdout, f.Arg(0), f.Arg(1), *percent, *asJSON)
	switch {
	case err != nil:
		fail(err)
		return diffTrouble
	case slower > 0:
		return diffSlower
	}
	return diffSame
}

// writeDiff compares two captures, or two directories of captures.
func writeDiff(w io.Writer, before, after string, percent float64, asJSON bool) (slower int, err error) {
	sets := isDirectory(before)
	profiles := !sets && isProfile(before)
	if sets != isDirectory(after) || !sets && profiles != isProfile(after) {
		return 0, errMixed
	}
	if sets {
		d, err := compareSets(before, after, percent)
		if err != nil {
			return 0, err
		}
		return d.Slower, d.write(w, asJSON)
	}
	by := compare
	if profiles {
		by = compareProfiles
	}
	d, err := by(before, after, percent)
	if err != nil {
		return 0, err
	}
	return d.Slower, d.write(w, asJSON)
}

// leastFrames is the least number of frames whose spread means anything.
const leastFrames = 10

// compare reads two captures into one session, one after the other, so that equal zones have equal ids.
func compare(before, after string, percent float64) (*difference, error) {
	s := process.NewSession()
	s.SetHistoryLimits(process.HistoryLimits{Frames: 100_000, Bytes: 256 << 20})
	j := &joint{session: s}
	s.AddSink(j)
	var reports [2]process.Report
	var frames [2]spread
	for i, path := range []string{before, after} {
		j.frames = spread{}
		if err := j.read(path); err != nil {
			return nil, err
		}
		if frames[i] = j.frames; frames[i].n < leastFrames {
			return nil, fmt.Errorf("%s: %d frames are too few to compare", path, int(frames[i].n))
		}
		s.SetView(process.View{Mode: process.ReportSelfTime, Lens: process.Lens{Kind: process.LensAll}})
		s.SetComparing(i == 1)
		reports[i].Want = process.ColumnsOf(process.ColumnDeviationSelf)
		s.AppendReport(&reports[i])
		if i == 0 {
			s.PinBaseline()
			s.Reset()
		}
	}
	return judged(&reports, &frames, percent), nil
}

// judged compares the frames as a whole, and then each zone but the idle ones.
func judged(reports *[2]process.Report, frames *[2]spread, percent float64) *difference {
	whole := change{Name: "(frame, busy)", Before: frames[0].mean, After: frames[1].mean,
		Noise: noise(frames[0].deviation(), frames[1].deviation(), frames)}
	whole.judge(percent)
	was := map[process.ZoneID]float64{}
	for i := range reports[0].Records {
		r := &reports[0].Records[i]
		was[r.Zone] = r.Values[process.ColumnDeviationSelf]
	}
	var zones []change
	for i := range reports[1].Records {
		r := &reports[1].Records[i]
		if r.Idle {
			continue
		}
		self := r.Values[process.ColumnSelf]
		c := change{Name: r.Name, Site: r.Site, Before: self - r.Delta.MS, After: self}
		c.Noise = noise(was[r.Zone], r.Values[process.ColumnDeviationSelf], frames)
		if c.judge(percent); r.Delta.New {
			c.Before, c.Verdict = 0, "new"
		}
		zones = append(zones, c)
	}
	slices.SortStableFunc(zones, func(a, b change) int {
		return cmp.Compare(math.Abs(b.After-b.Before), math.Abs(a.After-a.Before))
	})
	d := &difference{Changes: append([]change{whole}, zones...)}
	for _, c := range d.Changes {
		if c.Verdict == "slower" {
			d.Slower++
		}
	}
	return d
}

// noise is that of the difference of two means, by the deviations.
func noise(before, after float64, frames *[2]spread) float64 {
	return changes.Noise(changes.Sample{Frames: frames[0].n, Deviation: before},
		changes.Sample{Frames: frames[1].n, Deviation: after})
}

// judge sets the verdict.
func (c *change) judge(percent float64) {
	c.Verdict = changes.Judge(c.Before, c.After, c.Noise, percent)
}

// write writes the changes as lines or as JSON. Lines leave out zones that are the same.
func (d *difference) write(w io.Writer, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(d)
	}
	const headings = "%10s %10s %10s %8s  %-6s  %s\n"
	fmt.Fprintf(w, headings, "before ms", "after ms", "change", "", "", cmp.Or(d.words, "zone, self time a frame"))
	same := 0
	for i, c := range d.Changes {
		if c.Verdict == "same" && i > 0 {
			same++
			continue
		}
		fmt.Fprintf(w, "%10.3f %10.3f %+10.3f %8s  %-6s  %s\n", c.Before, c.After, c.After-c.Before,
			percentage(c.Before, c.After), c.Verdict, text.Name(c.Name))
	}
	_, err := fmt.Fprintf(w, "%d slower; %d zones are the same, or change by no more than noise\n", d.Slower, same)
	if d.words != "" && err == nil {
		_, err = fmt.Fprintln(w, "Profiles have no frames, so noise is not known, and do not say what waits.")
	}
	return err
}
