package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"

	"example.com/iprof/gather"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/pprofread"
	"example.com/iprof/platform"
)

// fleet holds the times of each zone in captures or profiles of many machines. It keeps one number for each file and
// zone.
type fleet struct {
	rows  map[changes.Place]*fleetRow
	kind  string // of profile, such as "wall"; "" for captures
	files int

	perRun           bool // times are sums of a run, not means of its frames
	disturbed, among int  // frames

	variables changes.Variables
}

// fleetRow is a zone, or the whole frame.
type fleetRow struct {
	name string
	zone gather.ZoneInfo // of the newest file that has it
	ms   []float64       // by file; shorter if the last files lack the zone
}

// upTo returns the row's times in the first files. Files without the zone have 0.
func (r *fleetRow) upTo(files int) []float64 {
	r.ms = append(r.ms, make([]float64, files-len(r.ms))...)
	return r.ms
}

// add adds a time of the last file, and returns the row.
func (s *fleet) add(at changes.Place, name string, ms float64) *fleetRow {
	r := s.rows[at]
	if r == nil {
		r = &fleetRow{name: name}
		s.rows[at] = r
	}
	r.upTo(s.files)[s.files-1] += ms
	return r
}

// read adds a capture or a profile. All files must be of one kind.
func (s *fleet) read(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	kind, profile := "", isProfile(file)
	var p *pprofread.Profile
	if profile {
		if p, err = readProfile(path, file); err != nil {
			return err
		}
		if kind = p.Type; p.Duration <= 0 {
			return fmt.Errorf("%s: the profile has no duration", path)
		}
	}
	if s.files++; s.files > 1 && kind != s.kind {
		return fmt.Errorf("%s: compare sets of captures, or sets of profiles with the same type of times", path)
	}
	if s.kind = kind; profile {
		s.addProfile(p)
		return nil
	}
	return s.readCapture(path, file)
}

// addProfile adds the self times of a profile, in ms a second.
func (s *fleet) addProfile(p *pprofread.Profile) {
	all := 0.0
	for at, self := range p.Self {
		ms := float64(self) / 1e6 / p.Duration.Seconds()
		s.add(changes.Place{Name: at.Name, Owner: at.File}, at.Name, ms).zone.File = at.File
		all += ms
	}
	s.add(changes.Place{Name: allFunctions}, allFunctions, all)
}

// readCapture adds a capture. It skips damaged stretches.
func (s *fleet) readCapture(path string, file *os.File) error {
	r, err := framefile.NewReader(limits.File().Reader(file))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var f gather.Frame
	var sums fleetSums
	for {
		err := r.Next(&f)
		var damage *framefile.DamageError
		switch {
		case errors.Is(err, io.EOF):
			if err := changes.Enough(path, sums.frames); err != nil && !s.perRun {
				return err
			}
			s.sum(&sums, f.Zones)
			return nil
		case errors.As(err, &damage):
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		default:
			sums.add(&f)
			s.among++
			if f.Disturbed() {
				s.disturbed++
			}
		}
	}
}

// fleetSums are the sums over the frames of a capture, in ms.
type fleetSums struct {
	frames int
	busy   float64
	self   []float64 // by zone
}

func (s *fleetSums) add(f *gather.Frame) {
	if !(f.TicksPerSecond > 0) {
		return
	}
	s.frames++
	s.self = append(s.self, make([]float64, max(0, len(f.Zones)-len(s.self)))...)
	scale := 1000 / f.TicksPerSecond
	busy := f.End - f.Begin
	for i := range f.Lanes {
		l := &f.Lanes[i]
		for k := range l.Nodes {
			n := &l.Nodes[k]
			s.self[n.Zone] += float64(n.Self) * scale
			if l.Updater && (f.Zones[n.Zone].Idle || n.Zone == 0 && f.EventDriven) {
				busy -= n.Self
			}
		}
	}
	s.busy += float64(max(busy, platform.Ticks(0))) * scale
}

// sum adds the means of a capture. The same zone in two captures has the same name in the same function.
func (s *fleet) sum(sums *fleetSums, zones []gather.ZoneInfo) {
	frames := float64(sums.frames)
	if s.perRun {
		frames = 1
	}
	s.add(changes.Place{Name: changes.WholeFrame}, changes.WholeFrame, sums.busy/frames)
	run := map[changes.Place]bool{}
	for i, at := range changes.PlacesOf(zones[:min(len(zones), len(sums.self))]) {
		if zones[i].Idle || i == 0 {
			continue // threads in the root may be waiting
		}
		run[at] = true
		s.add(at, at.Name, sums.self[i]/frames).zone = zones[i]
	}
	s.variables.Add(maps.Keys(run))
}

// byVariable merges the rows of a public zone, and of a function literal that the first files name otherwise.
func (s *fleet) byVariable(first int) {
	sets, rows := [2]map[changes.Place]gather.ZoneInfo{{}, {}}, map[changes.Place]*fleetRow{}
	for at, r := range s.rows {
		for i, ms := range r.ms {
			if ms > 0 {
				sets[min(i/first, 1)][at] = r.zone
			}
		}
	}
	s.variables.Rename(changes.Renamed(sets[0], sets[1]))
	for at, r := range s.rows {
		place := s.variables.Place(at)
		if rows[place] == nil {
			rows[place] = &fleetRow{}
		}
		if _, now := sets[1][at]; now || rows[place].name == "" {
			rows[place].name, rows[place].zone = r.name, r.zone
		}
		sums := rows[place].upTo(s.files)
		for i, ms := range r.ms {
			sums[i] += ms
		}
	}
	s.rows = rows
}
