package totals

import (
	"math"
	"slices"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// statistics is the interface of *spread. Programs that read no recording do not link spread.
type statistics interface {
	add(w *Whole)
	merge(o statistics, tree *history.Tree, paths []int32)
	fill(out *report.Record, zone report.ZoneID, path int32, want report.ColumnSet, w *Whole) bool
	empty() statistics
}

// spread has the statistics of zones and paths over all frames.
type spread struct {
	of      history.Statistics
	touched history.Touched // paths and zones of the newest frame
	births  []uint64        // by zone: number of its first frame; computed at the first request
}

// WithStatistics makes w keep statistics, too: minima, maxima, quantiles. It must have no frames yet.
func (w *Whole) WithStatistics() { w.spread = new(spread) }

// HasStatistics reports whether there are statistics.
func (w *Whole) HasStatistics() bool { return w.spread != nil }

// Restrict sets the frames of the recording that these sums are of, in order.
func (w *Whole) Restrict(frames []uint64) { w.chosen = frames }

func (s *spread) empty() statistics { return new(spread) }

func emptied(s statistics) statistics {
	if s == nil {
		return nil
	}
	return s.empty()
}

func (s *spread) add(w *Whole) {
	s.touched.Take(&w.frame, history.EveryLane, &w.tree, len(w.zones))
	s.of.Take(&w.tree, &s.touched, &w.frame)
}

func (s *spread) merge(o statistics, tree *history.Tree, paths []int32) {
	s.of.Merge(&o.(*spread).of, tree, paths)
}

// since returns the number of frames from a frame of the recording on.
func (w *Whole) since(born uint64) uint64 {
	if w.chosen == nil {
		return w.Next - min(born, w.Next)
	}
	at, _ := slices.BinarySearch(w.chosen, born)
	return uint64(len(w.chosen) - at)
}

// FillHistory sets the columns of the history of a record of a zone, or of one of its paths, from the statistics. path
// is -1 for a zone. Quantiles are within 0.8 %. It reports false if the zone or path is not known.
func (w *Whole) FillHistory(out *report.Record, zone report.ZoneID, path int32, want report.ColumnSet) bool {
	return w.spread != nil && w.spread.fill(out, zone, path, want, w)
}

func (s *spread) fill(out *report.Record, zone report.ZoneID, path int32, want report.ColumnSet, w *Whole) bool {
	if int(path) >= len(w.tree.Paths) {
		return false
	}
	of := s.of.Of(zone, path)
	if of == nil {
		return false
	}
	born := s.bornOf(zone, &w.tree)
	if path >= 0 {
		born = w.tree.Paths[path].Birth
	}
	of.FillHistory(out, w.since(born), want)
	return true
}

// bornOf returns the number of the first frame with a zone.
func (s *spread) bornOf(zone report.ZoneID, tree *history.Tree) uint64 {
	if s.births == nil {
		s.births = make([]uint64, s.of.Zones.Len())
		for i := range s.births {
			s.births[i] = math.MaxUint64
		}
		for i := range tree.Paths {
			if p := &tree.Paths[i]; int(p.Zone) < len(s.births) {
				s.births[p.Zone] = min(s.births[p.Zone], p.Birth)
			}
		}
	}
	return s.births[zone]
}
