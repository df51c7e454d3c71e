package changes

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"sort"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Change is the difference of a zone, or of the whole frame, between two runs of a program. Times are self time in ms
// a frame.
type Change struct {
	Name    string
	Site    string
	Info    gather.ZoneInfo // after, or before if the zone is gone
	Caller  string          // the caller with most of the change; "" without a single one
	Before  float64
	After   float64
	Noise   float64 // a change up to this may be chance
	Verdict string  // by Judge

	place Place
	zones [2][]report.ZoneID
}

// Zones returns the ids of the zone in both runs. A list is empty if that run did not enter the zone.
func (c *Change) Zones() (before, after []report.ZoneID) { return c.zones[0], c.zones[1] }

// Difference holds the changes between two runs: the whole frame first, then the zones by the size of the change.
type Difference struct {
	Slower  int // number of changes with this verdict
	Changes []Change
	Paths   []Path   // set by Between: the call structures of both runs, callers first
	Busy    []string // set by Between: how many frames were disturbed
}

// WholeFrame is the name of the change of the busy time.
const WholeFrame = "(frame, busy)"

// Zones is the heading of the names of zones.
const Zones = "zone, self time a frame"

// Between compares two runs. It takes changes below percent for noise.
func Between(before, after *Times, percent float64) *Difference {
	whole := changeOf(Place{Name: WholeFrame}, zoneTimes{self: before.busy}, zoneTimes{self: after.busy})
	var variables Variables
	variables.Add(maps.Keys(before.zones))
	variables.Add(maps.Keys(after.zones))
	variables.Rename(Renamed(before.infos(), after.infos()))
	was, is := before.in(&variables), after.in(&variables)
	var zones []Change
	for at := range was {
		zones = append(zones, changeOf(at, was[at], is[at]))
	}
	for at := range is {
		if _, known := was[at]; !known {
			zones = append(zones, changeOf(at, zoneTimes{}, is[at]))
		}
	}
	d := Judged(whole, zones, percent)
	d.Paths = joinedPaths(before, after, d.Changes, &variables)
	d.Busy = append(before.busyMachine("before"), after.busyMachine("after")...)
	return d
}

func changeOf(place Place, was, is zoneTimes) Change {
	c := Change{Name: place.Name, place: place, Site: cmp.Or(is.site, was.site),
		Before: was.self.Mean, After: is.self.Mean, Noise: Noise(was.self, is.self), Info: is.info,
		zones: [2][]report.ZoneID{was.ids, is.ids}}
	if len(is.ids) == 0 {
		c.Info = was.info
	}
	c.Name = cmp.Or(c.Info.Name, c.Name) // a literal may have another name now
	const most = 0.8                     // of the change
	callers := map[Place]float64{}
	for at, ms := range was.callers {
		callers[at] -= ms
	}
	for at, ms := range is.callers {
		callers[at] += ms
	}
	share := 0.0
	for at, ms := range callers {
		by := ms / (c.After - c.Before)
		if by > share || by == share && at.Name < c.Caller {
			share, c.Caller = by, at.Name
		}
	}
	if share < most {
		c.Caller = ""
	}
	return c
}

// busyMachine says how many frames of a run were disturbed, and whether they count. Without one it is empty.
func (t *Times) busyMachine(run string) []string {
	words := report.DisturbedWords(t.disturbed, t.among)
	switch {
	case words == "":
		return nil
	case t.Frames() == t.among:
		return []string{run + ": " + words + ". They count, because too few others are left"}
	}
	return []string{run + ": " + words + ". They are left out"}
}

// Judged returns the Difference with these changes, and sets their verdicts.
func Judged(whole Change, zones []Change, percent float64) *Difference {
	sort.SliceStable(zones, func(i, k int) bool {
		a, b := &zones[i], &zones[k]
		return cmp.Or(cmp.Compare(math.Abs(b.After-b.Before), math.Abs(a.After-a.Before)), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Site, b.Site)) < 0
	})
	d := &Difference{Changes: append([]Change{whole}, zones...)}
	for i := range d.Changes {
		c := &d.Changes[i]
		switch c.Verdict = Judge(c.Before, c.After, c.Noise, percent); c.Verdict {
		case "slower":
			d.Slower++
		case "same":
			c.Caller = ""
		}
	}
	return d
}

// Shown returns the changes to show: the whole frame, and the zones with a verdict other than "same".
func (d *Difference) Shown() (shown []Change) {
	for _, i := range d.ShownAt() {
		shown = append(shown, d.Changes[i])
	}
	return shown
}

// ShownAt returns the indices in Changes of the changes to show.
func (d *Difference) ShownAt() (at []int) {
	for i := range d.Changes {
		if i == 0 || d.Changes[i].Verdict != "same" {
			at = append(at, i)
		}
	}
	return at
}

// Summary gives in a sentence the number of slower zones and of zones not shown.
func (d *Difference) Summary() string {
	return fmt.Sprintf("%d slower, %d the same or within noise", d.Slower,
		len(d.Changes)-len(d.Shown()))
}

// Headings are the headings of Cells.
var Headings = [...]string{"before ms", "after ms", "change", "", "noise", ""}

// Title returns the name with the caller.
func (c *Change) Title() string {
	if c.Caller == "" {
		return text.Name(c.Name)
	}
	return text.Name(c.Name) + ", called by " + text.Name(c.Caller)
}

// Cells returns the texts of a change without its title.
func (c *Change) Cells() [len(Headings)]string {
	return Cells(c.Before, c.After, fmt.Sprintf("%.3f", c.Noise), c.Verdict)
}

// Cells returns the texts of two times below Headings: with their difference, what stands in the column of the noise,
// and the verdict.
func Cells(before, after float64, noise, verdict string) [len(Headings)]string {
	return [...]string{fmt.Sprintf("%.3f", before), fmt.Sprintf("%.3f", after), fmt.Sprintf("%+.3f", after-before),
		Percentage(before, after), noise, verdict}
}

// Percentage returns a change in percent, or "-" if before is 0.
func Percentage(before, after float64) string {
	if !(before > 0) {
		return "-"
	}
	return fmt.Sprintf("%+.0f %%", 100*(after-before)/before)
}
