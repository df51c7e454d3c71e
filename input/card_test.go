//go:build !iprof_off

package input

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

var cardZone = gather.Zone{Name: "zone with a card"}

// callsOf returns the number of calls of a zone that the running program has counted.
func callsOf(zone gather.ZoneID) (n uint64) {
	for _, c := range measure.AppendCounted(nil) {
		if c.Zone == zone {
			n += c.Count
		}
	}
	return n
}

// If the program itself counts the calls of a zone, the zone's card leaves that count alone. Drawing starts no count.
func TestCardLeavesTheProgramsHistogram(t *testing.T) {
	s := process.Default()
	c := ControllerFor(s)
	c.panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	defer c.panel.Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	defer gather.SetEvents(gather.Events()) // the first picture of the program keeps events
	cardZone.SetPerCall(true)
	defer cardZone.SetPerCall(false)
	cardZone.Begin().End() // the lane learns it at this one
	for range 10 {
		cardZone.Begin().End()
	}
	s.Update()
	zone, row := gather.ZoneID(-1), -1
	var r report.Report
	s.View().AppendReport(&r)
	for i := range r.Records {
		if r.Records[i].Name == cardZone.Name {
			zone, row = r.Records[i].Zone, i
		}
	}
	s.View().SetCursor(row)
	before := callsOf(zone)
	if before < 10 {
		t.Fatalf("got %d calls counted; want the 10 made", before)
	}
	for _, what := range []string{"open", "closed"} {
		c.strike('Z', 0)
		c.layOut()
		cardZone.Begin().End()
		if got := callsOf(zone); got <= before {
			t.Errorf("card %s: got %d calls, before %d; want one more", what, got, before)
		}
		before = callsOf(zone)
	}
	cardZone.SetPerCall(false)
	for range 3 { // without a key, drawing counts nothing
		c.layOut()
		cardZone.Begin().End()
	}
	if got := callsOf(zone); got != 0 {
		t.Errorf("card closed, calls not wanted: got %d calls; want none", got)
	}
}

var mutedZone = gather.Zone{Name: "zone to mute"}

// The row menu mutes the zone of its row, and measures it again. The console has the same command.
func TestZonesAreMutedFromTheRowMenu(t *testing.T) {
	s := process.Default()
	s.View().Set(report.View{}) // other tests look at this session, too
	s.Resume()
	c := ControllerFor(s)
	c.panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	defer c.panel.Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	defer gather.SetEvents(gather.Events()) // the first picture of the program keeps events
	// The frame since the last Update may be seconds long, in which a zone without work is nothing.
	s.Reset()
	mutedZone.Begin().End()
	s.Update()
	var r report.Report
	s.View().AppendReport(&r)
	row := slices.IndexFunc(r.Records, func(r report.Record) bool { return r.Name == mutedZone.Name })
	zone := r.Records[row].Zone
	s.View().SetCursor(row)
	for _, want := range []bool{true, false} {
		c.strike('Q', 0)
		c.layOut()
		for c.panel.State().Choice.Name != "mute" {
			c.strike(KeyDown, 0)
		}
		c.strike(KeyEnter, 0)
		if got := measure.Muted(zone); got != want {
			t.Errorf("mute chosen in the menu: got muted %v; want %v", got, want)
		}
	}
}

// The card names the frames of its times, and the list of calls names its frames.
func TestCardAndListNameTheirFrames(t *testing.T) {
	defer gather.SetEvents(gather.Events())
	gather.SetEvents(1 << 12)
	s := process.Default()
	s.View().Set(report.View{})
	s.Resume()
	s.Reset()
	c := ControllerFor(s)
	c.panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	defer c.panel.Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	call := func(frames int) {
		for range frames {
			for range 3 {
				rangedZone.Begin().End()
			}
			s.Update()
		}
	}
	call(20)
	var r report.Report
	s.View().AppendReport(&r)
	s.View().SetCursor(slices.IndexFunc(r.Records, func(r report.Record) bool { return r.Name == rangedZone.Name }))
	opened := s.View().Info().Index
	c.strike('Z', 0)
	defer c.strike('Z', 0)
	call(5)
	says := func(want string) {
		t.Helper()
		var l draw.List
		for range 20 { // calls are read at some pictures only
			l.Reset()
			c.panel.Draw(&l, testWidth, testHeight, 1)
		}
		all := ""
		for _, w := range l.AppendWords(nil) {
			all += "|" + w.Text
		}
		if !strings.Contains(all, want) {
			t.Errorf("got %s; want %s", all, want)
		}
	}
	says(fmt.Sprintf(" frames until %d, ms", s.View().Info().Index))
	c.strike('N', ModControl)
	defer c.strike('N', ModControl)
	says(fmt.Sprintf("%d in 25 frames with events, %d to %d", 75, opened-19, opened+5))
}

var rangedZone = gather.Zone{Name: "zone with a range"}
