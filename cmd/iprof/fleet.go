package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/fleets"
	"example.com/iprof/process/report"
)

// leastMachines is the least number of captures of a set. With fewer no difference can be significant, because there
// are too few ways to deal them to two sets: 70 with four and four, 252 with five and five.
const leastMachines = 5

// mostChance is the significance level: the largest p of a change that counts.
const mostChance = 0.01

// fleetChange is the difference of a zone between two sets of captures or profiles, one of each machine. Times are the
// medians of the machines' self times, for captures in ms a frame, for profiles in ms a second.
type fleetChange struct {
	Name    string
	Zone    gather.ZoneInfo // where its code is, in the newest file
	Before  float64
	After   float64
	Evened  bool    // times are scaled to equally fast machines
	Chance  float64 // the probability of such a difference in any zone by chance
	Verdict string
}

// fleetDifference is the difference of two sets.
type fleetDifference struct {
	Method   string
	Unit     string
	Machines [2]int

	Disturbed, Among int     // frames in which other programs took the processor, and all
	Spread           float64 // of the whole times of one set: standard deviation by the median, as part of the median

	Slower  int
	Changes []fleetChange
}

// fleetMethod names the test.
const fleetMethod = "Permutations of the machines, largest statistic of all zones (Westfall and Young); p at most 0.01"

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// The units of times.
const (
	unitFrame  = "ms a frame"
	unitSecond = "ms a second"
	unitRun    = "ms a run"
)

// compareSets compares the captures, or the profiles, below two directories.
func compareSets(before, after string, percent float64) (*fleetDifference, error) {
	d := &fleetDifference{Method: fleetMethod, Unit: unitFrame}
	var files []string
	for i, dir := range []string{before, after} {
		found, err := captures(dir)
		if err != nil {
			return nil, err
		}
		if d.Machines[i] = len(found); len(found) < leastMachines {
			return nil, fmt.Errorf("%s: %d captures or profiles are too few to compare: a set has at least %d, "+
				"one of each machine", dir, len(found), leastMachines)
		}
		files = append(files, found...)
	}
	set := fleet{rows: map[changes.Place]*fleetRow{}, perRun: isCommand(files[0])}
	for _, path := range files {
		if err := set.read(path); err != nil {
			return nil, err
		}
	}
	set.byVariable(d.Machines[0])
	switch {
	case set.kind != "":
		d.Unit = unitSecond
	case set.perRun:
		d.Unit = unitRun
	}
	d.Disturbed, d.Among = set.disturbed, set.among
	d.Spread = set.spread(d.Machines[0])
	d.Changes = set.changes(d.Machines[0], percent)
	for _, c := range d.Changes {
		if c.Verdict == "slower" {
			d.Slower++
		}
	}
	return d, nil
}

// visible returns the least change of the whole that is beyond chance, as part of it: four standard errors of the
// difference of two means.
func (d *fleetDifference) visible() float64 {
	return 4 * d.Spread * math.Sqrt(1/float64(d.Machines[0])+1/float64(d.Machines[1]))
}

// spread returns the larger spread of the whole times of the two sets. first is the number of files in the first set.
func (s *fleet) spread(first int) (most float64) {
	for at, r := range s.rows {
		if at.Name != changes.WholeFrame && at.Name != allFunctions {
			continue
		}
		for _, set := range [][]float64{r.ms[:first], r.ms[first:]} {
			middle := median(slices.Clone(set))
			away := make([]float64, len(set))
			for i, ms := range set {
				away[i] = math.Abs(ms - middle)
			}
			if middle > 0 {
				most = max(most, 1.4826*median(away)/middle) // of a normal distribution: its standard deviation
			}
		}
	}
	return most
}

// median sorts some values, and returns the middle one.
func median(values []float64) float64 {
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// isCommand reports whether a capture is of a program that runs once, from beginning to end. Its frames are only pieces
// of the run, so runs are compared as a whole.
func isCommand(path string) bool {
	file, err := os.Open(path)
	if err != nil || isProfile(file) {
		return false
	}
	c, err := newestOf(path, file)
	if err != nil {
		return false
	}
	c.close()
	return c.Kind() == report.KindCommand
}

// captures returns the files of captures and profiles below a directory, by name.
func captures(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && slices.Contains(extensions, filepath.Ext(path)) {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

// extensions are the endings of captures and profiles: go tool pprof keeps pprof.game.wall.001.pb.gz.
var extensions = []string{".iprof", ".gz", ".pprof"}

// changes compares all rows. The whole frame is first, then come the zones with the largest change. first is the number
// of files in the first set.
func (s *fleet) changes(first int, percent float64) []fleetChange {
	var list []fleetChange
	var times [][]float64
	for _, at := range slices.SortedFunc(maps.Keys(s.rows), changes.Place.Compare) {
		list = append(list, fleetChange{Name: s.rows[at].name, Zone: s.rows[at].zone})
		times = append(times, s.rows[at].upTo(s.files))
	}
	for i, r := range fleets.Compare(times, first, fleets.Limits{Least: changes.Least, Percent: percent}) {
		c := &list[i]
		c.Before = r.Before
		c.After = r.After
		c.Evened = r.Evened
		c.Chance = r.Chance
		c.judge(percent)
	}
	slices.SortStableFunc(list, func(a, b fleetChange) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()),
			cmp.Compare(math.Abs(b.After-b.Before), math.Abs(a.After-a.Before)))
	})
	return list
}

// rank sorts the whole frame first: its rank is 0.
func (c *fleetChange) rank() int {
	if c.Name == changes.WholeFrame || c.Name == allFunctions {
		return 0
	}
	return 1
}

// judge sets the verdict. A change counts if it is beyond chance and the given percentage.
func (c *fleetChange) judge(percent float64) {
	if c.Verdict = "same"; c.Chance <= mostChance {
		c.Verdict = changes.Judge(c.Before, c.After, 0, percent)
	}
}

// shown returns the difference as people read it.
func (d *fleetDifference) shown() *comparison {
	files, names := "captures", changes.Zones
	switch d.Unit {
	case unitSecond:
		files, names = "profiles", profileNames
	case unitRun:
		names = "zone, self time a run"
	}
	c := &comparison{names: names, noise: "p", within: "the same or within chance",
		head: fmt.Sprintf("%d %s before, %d after; medians. %s.", d.Machines[0], files, d.Machines[1], d.Method)}
	for i := range d.Changes {
		of := &d.Changes[i]
		r := compared{before: of.Before, after: of.After, noise: fmt.Sprintf("%.2g", of.Chance), verdict: of.Verdict,
			title: text.Name(of.Name), zone: of.Zone, whole: i == 0}
		if of.Evened && r.shown() {
			r.title += " (*)"
			c.notes = []string{"(*) scaled as if all machines were equally fast"}
		}
		c.rows = append(c.rows, r)
	}
	if least := d.visible(); d.Unit == unitRun && least > 0.05 {
		c.notes = append(c.notes, fmt.Sprintf("Runs of one program differ by %.0f %%, so changes below about %.0f %% "+
			"are not seen. More runs or a quieter machine show smaller ones.", 100*d.Spread, 100*least))
	}
	if words := report.DisturbedWords(d.Disturbed, d.Among); d.Disturbed > d.Among/10 {
		c.notes = append(c.notes, words+". They count: repeat on a quieter machine what looks like chance.")
	}
	return c
}
