// Package pprof writes the data of a session as a profile for go tool pprof.
//
//	d := process.Default().Dump(process.DumpOptions{NoFrames: true})
//	err := pprof.Write(w, d)
//
//	go tool pprof -top FILE
//	go tool pprof -http=: FILE
//	go tool pprof -diff_base BEFORE AFTER
//
// A zone becomes a function at the place where the zone is entered. Each stack is a sample with two values: calls, and
// wall time in nanoseconds, which pprof shows by default. The label "lane" has the lane's name.
package pprof

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/google/pprof/profile"

	"example.com/iprof/process"
)

// Write writes a gzip-compressed profile. It leaves out stacks without time and calls. It replaces angle brackets in
// names by similar signs, because pprof takes them for C++ templates. It returns the first error of w.
func Write(w io.Writer, d *process.Dump) error {
	b := builder{dump: d, locations: make([]*profile.Location, len(d.Zones))}
	b.profile = &profile.Profile{
		SampleType:        []*profile.ValueType{{Type: "calls", Unit: "count"}, {Type: "wall", Unit: "nanoseconds"}},
		DefaultSampleType: "wall",
		TimeNanos:         d.Time.UnixNano(),
		DurationNanos:     d.RunTime.Nanoseconds(),
		Comments:          []string{d.Program + ", " + d.GoVersion + ", " + d.Machine},
	}
	for i := range d.Lanes {
		b.lane(&d.Lanes[i])
	}
	if err := b.profile.CheckValid(); err != nil {
		return fmt.Errorf("pprof: %w", err)
	}
	return b.profile.Write(w)
}

// builder collects the profile. Each zone has one location.
type builder struct {
	dump      *process.Dump
	profile   *profile.Profile
	locations []*profile.Location // by zone id
}

// lane adds a sample for each stack of a lane, the innermost zone first.
func (b *builder) lane(lane *process.LaneTree) {
	for i := range lane.Nodes {
		n := &lane.Nodes[i]
		calls, wall := int64(math.Round(n.Count)), int64(math.Round(n.Self*1e6))
		if calls == 0 && wall == 0 {
			continue
		}
		s := &profile.Sample{Value: []int64{calls, wall}, Label: map[string][]string{"lane": {lane.Name}}}
		for at := i; at >= 0; at = int(lane.Nodes[at].Parent) {
			s.Location = append(s.Location, b.location(lane.Nodes[at].Zone))
		}
		b.profile.Sample = append(b.profile.Sample, s)
	}
}

// location returns the location of a zone. It adds it at the first call.
func (b *builder) location(zone process.ZoneID) *profile.Location {
	if l := b.locations[zone]; l != nil {
		return l
	}
	info := &b.dump.Zones[zone]
	id := uint64(len(b.profile.Location) + 1)
	f := &profile.Function{ID: id, Name: functionName(info.Name), SystemName: info.Function, Filename: info.File}
	l := &profile.Location{ID: id, Line: []profile.Line{{Function: f, Line: int64(info.Line)}}}
	b.profile.Function, b.profile.Location = append(b.profile.Function, f), append(b.profile.Location, l)
	b.locations[zone] = l
	return l
}

// brackets replaces the characters that pprof takes for C++ templates.
var brackets = strings.NewReplacer("<", "‹", ">", "›")

func functionName(name string) string { return brackets.Replace(cmp.Or(name, "(no name)")) }
