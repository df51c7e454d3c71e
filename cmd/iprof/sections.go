package main

import (
	"fmt"
	"io"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// sectionsOf returns the sections of a capture, oldest first, and the number of older ones left out.
func (c *opened) sectionsOf(s *process.Session) (list []report.Section, dropped uint64) {
	if c.sums != nil {
		return c.sums.Sections()
	}
	var now process.Snapshot
	s.View().Snapshot(&now, process.SnapshotOptions{Overview: true})
	return now.Overview.Sections, now.Overview.SectionsDropped
}

// writeSections writes a line for each section, if there are any.
func writeSections(w io.Writer, list []report.Section, dropped uint64) error {
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\n%10s %10s %10s %10s  %s\n", "frames", "average ms", "p99 ms", "worst ms", "section")
	for i := range list {
		s := &list[i]
		_, err := fmt.Fprintf(w, "%10d %10.2f %10.2f %10.2f  %s (frames %d to %d)\n", s.Frames, s.Mean, s.P99, s.Worst,
			shownText(s.Name), s.From, s.To)
		if err != nil {
			return err
		}
	}
	if dropped > 0 {
		fmt.Fprintf(w, "older sections left out: %d\n", dropped)
	}
	return nil
}
