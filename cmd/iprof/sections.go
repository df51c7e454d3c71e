package main

import (
	"fmt"
	"io"
	"strings"

	"example.com/iprof/draw/text"
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

// lens returns the frames for a command: all frames, or the frames of the newest section with the name that the user
// gave. Where frames are only pieces of the time, all are one run.
func (c *opened) lens(s *process.Session) (report.Lens, error) {
	if c.section == "" {
		return report.Lens{Kind: report.LensAll, Sum: !s.View().Info().Kind.HasFrames()}, nil
	}
	list, _ := c.sectionsOf(s)
	for i := len(list) - 1; i >= 0; i-- {
		if of := &list[i]; of.Name == c.section || text.Name(of.Name) == c.section {
			return report.Lens{Kind: report.LensRange, From: of.From, To: of.To}, nil
		}
	}
	if len(list) == 0 {
		return report.Lens{}, fmt.Errorf("-section: the capture has no sections")
	}
	names := make([]string, 0, 3)
	for i := range list[:min(len(list), cap(names))] {
		names = append(names, shownText(list[i].Name))
	}
	return report.Lens{}, fmt.Errorf("-section: there is no such section; iprof frames lists them: %s",
		strings.Join(names, ", "))
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
