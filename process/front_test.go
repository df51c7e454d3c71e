package process_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// stopped is a source of events that stops who reads it, with the session locked.
type stopped struct{ reading, goOn chan bool }

func (s *stopped) AppendEvents(dst []gather.Event, _ report.LaneID, _, _ platform.Ticks) []gather.Event {
	s.reading <- true
	<-s.goOn
	return dst
}

func (s *stopped) EventsSince(report.LaneID) (since platform.Ticks, kept bool) { return 0, true }

// joinedFrames returns how many Updates have ended no frame, as a warning says.
func joinedFrames(s *process.Session) (joined int) {
	var r report.Report
	s.View().AppendReport(&r)
	for _, w := range r.Warnings {
		if strings.Contains(w, "ended no frame") {
			fmt.Sscan(w, &joined)
		}
	}
	return joined
}

// Update goes on while a reader is stopped inside the session, and no frame is lost.
func TestUpdateWaitsForNoReader(t *testing.T) {
	if !gather.Enabled {
		t.Skip("there are no frames of the program")
	}
	s := process.Default()
	process.RunAgain(s)
	zone := gather.Zone{Name: "work while a reader is stopped"}
	frame := func() {
		zone.Begin().End()
		s.Update()
	}
	frame()
	before, had := s.View().Info().Frames, joinedFrames(s) // of an earlier run of this test
	source := &stopped{make(chan bool, 100), make(chan bool)}
	s.SetSources(func(c *process.Sources) { c.Events = source })
	defer s.SetSources(func(c *process.Sources) { c.Events = nil })
	done, ended := make(chan bool), make(chan bool)
	go func() {
		s.AppendTimeline(nil, 0, 0)
		close(done)
	}()
	<-source.reading
	const frames = 100
	go func() {
		for range frames {
			frame()
		}
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(5 * time.Minute):
		t.Error("Update waits for the reader")
	}
	close(source.goOn)
	<-done
	frame()
	var r report.Report
	s.View().AppendReport(&r)
	joined := joinedFrames(s) - had
	if got := int(r.Frame.Frames - before); got != frames+1-joined || joined == 0 || got < 60 {
		t.Errorf("got %d frames more and a warning about %d; want %d together", got, joined, frames+1)
	}
	d := s.Dump(report.DumpOptions{})
	for _, z := range d.ZoneTotals() {
		if d.Zones[z.Zone].Name == zone.Name && z.Count != frames+2 {
			t.Errorf("got %v entries since Reset; want all %d", z.Count, frames+2)
		}
	}
}
