package export

import (
	"compress/gzip"
	"io"
	"math"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// The field numbers of a pprof profile.
const (
	profileType       = 1
	profileSample     = 2
	profileLocation   = 4
	profileFunction   = 5
	profileString     = 6
	profileTime       = 9
	profileDuration   = 10
	profilePeriodType = 11
	profilePeriod     = 12
	profileComment    = 13
	profileDefault    = 14

	sampleLocation = 1
	sampleValue    = 2
	sampleLabel    = 3

	labelKey    = 1
	labelText   = 2
	labelNumber = 3
	labelUnit   = 4

	locationID    = 1
	locationLines = 4

	lineFunction = 1
	lineNumber   = 2

	functionID         = 1
	functionName       = 2
	functionSystemName = 3
	functionsFile      = 4
)

// Pprof writes a gzip-compressed profile for go tool pprof, Parca and Pyroscope. A zone is a function at the place
// where the zone is entered. A public zone is a function in the folder of its package. Each stack is a sample with two
// values: calls, and wall time in nanoseconds, which pprof shows by default. The label "lane" has the lane's name. A
// stack whose innermost zone is idle has the label idle=true, so -tagignore idle=true leaves waiting out. Time without
// a processor, from samples of the CPU profiler, is a sample of its own, with the label waited=true: see ZoneTotal. It
// leaves out stacks without time and calls. It replaces angle brackets in names by similar signs, because pprof treats
// them as C++ templates. It returns the first error of w.
//
//	go tool pprof -top FILE
//	go tool pprof -http=: FILE
//	go tool pprof -diff_base BEFORE AFTER
func Pprof(w io.Writer, d *report.Dump) error {
	p := newProfile(d.Program + ", " + d.GoVersion + ", " + d.Machine)
	p.zones, p.waits = d.Zones, waits(d)
	p.out.number(profileTime, uint64(d.Time.UnixNano()))
	p.out.number(profileDuration, uint64(d.RunTime))
	z := gzip.NewWriter(w)
	for i := range d.Lanes {
		if err := p.lane(&d.Lanes[i], z); err != nil {
			return err
		}
	}
	if _, err := z.Write(p.out); err != nil {
		return err
	}
	return z.Close()
}

// profile is a profile that is being written. The numbers of a zone's function and location are its id + 1.
type profile struct {
	zones   []gather.ZoneInfo
	out     wire
	strings map[string]uint64
	known   map[report.ZoneID]bool // the zones that have a location
	waits   map[report.ZoneID]float64
}

// waits returns the share of each zone's self time without a processor, from samples of the CPU profiler.
func waits(d *report.Dump) map[report.ZoneID]float64 {
	shares := map[report.ZoneID]float64{}
	for i := range d.Totals {
		if z := &d.Totals[i]; z.Waited > 0 && !z.Idle {
			shares[z.Zone] = min(z.Waited/z.Self, 1)
		}
	}
	return shares
}

// newProfile begins a profile. The comment names the program.
func newProfile(comment string) *profile {
	p := &profile{strings: map[string]uint64{"": 0}, known: map[report.ZoneID]bool{}}
	p.out.text(profileString, "")
	p.out.message(profileType, p.valueType("calls", "count"))
	p.out.message(profileType, p.valueType("wall", "nanoseconds"))
	p.out.message(profilePeriodType, p.valueType("wall", "nanoseconds"))
	p.out.number(profilePeriod, 1)
	p.out.number(profileDefault, p.text("wall"))
	p.out.numbers(profileComment, p.text(comment))
	return p
}

// text returns a string's number. It adds it at the first call.
func (p *profile) text(s string) uint64 {
	s = valid(s)
	at, known := p.strings[s]
	if !known {
		at = uint64(len(p.strings))
		p.strings[s] = at
		p.out.text(profileString, s)
	}
	return at
}

func (p *profile) valueType(name, unit string) (m wire) {
	m.number(1, p.text(name))
	m.number(2, p.text(unit))
	return m
}

// mostParts is the number of bytes of samples that are gathered before they are written.
const mostParts = 1 << 20

// lane adds a sample for each stack of a lane, the innermost zone first. It writes them from time to time: the parts of
// a profile may come in any order.
func (p *profile) lane(lane *report.LaneTree, to io.Writer) error {
	labels := []wire{p.label("lane", lane.Name), p.label("idle", "true")}
	for i := range lane.Nodes {
		n := &lane.Nodes[i]
		calls, wall := int64(math.Round(n.Count)), nanoseconds(n.Self)
		if calls == 0 && wall == 0 {
			continue
		}
		var stack []uint64
		for at := i; at >= 0; at = int(lane.Nodes[at].Parent) {
			stack = append(stack, p.location(lane.Nodes[at].Zone))
		}
		some := labels[:1]
		if n.Idle {
			some = labels
		}
		if waited := int64(p.waits[n.Zone] * float64(wall)); waited > 0 {
			p.sample(stack, 0, waited, labels[0], p.label("waited", "true"))
			wall -= waited
		}
		if p.sample(stack, calls, wall, some...); len(p.out) >= mostParts {
			if _, err := to.Write(p.out); err != nil {
				return err
			}
			p.out = p.out[:0]
		}
	}
	return nil
}

// label returns a label with a text.
func (p *profile) label(key, text string) (label wire) {
	label.number(labelKey, p.text(key))
	label.number(labelText, p.text(text))
	return label
}

// sample adds a sample. The stack has locations, the innermost first.
func (p *profile) sample(stack []uint64, calls, wall int64, labels ...wire) {
	var sample wire
	sample.numbers(sampleLocation, stack...)
	sample.numbers(sampleValue, uint64(calls), uint64(wall))
	for _, l := range labels {
		sample.message(sampleLabel, l)
	}
	p.out.message(profileSample, sample)
}

// location returns the number of a zone's location. It adds it at the first call.
func (p *profile) location(zone report.ZoneID) uint64 {
	id := uint64(zone) + 1
	if p.known[zone] {
		return id
	}
	p.known[zone] = true
	z := &p.zones[zone]
	name := z.Name
	if name == "" {
		name = "(no name)"
	}
	var function, line, location wire
	function.number(functionID, id)
	function.number(functionName, p.text(brackets.Replace(name)))
	function.number(functionSystemName, p.text(z.Owner()))
	function.number(functionsFile, p.text(file(z)))
	p.out.message(profileFunction, function)
	line.number(lineFunction, id)
	if !z.Public {
		line.number(lineNumber, uint64(z.Line))
	}
	location.number(locationID, id)
	location.message(locationLines, line)
	p.out.message(profileLocation, location)
	return id
}

// file returns the file of a zone. A public zone may be in many places, so its file is the folder of its package.
// Profiles are compared by function and file, so neither may depend on the function that entered the zone first.
func file(z *gather.ZoneInfo) string {
	if z.Public {
		return z.File[:strings.LastIndexAny(z.File, `/\`)+1]
	}
	return z.File
}

// brackets replaces the characters that pprof treats as C++ templates.
var brackets = strings.NewReplacer("<", "‹", ">", "›")
