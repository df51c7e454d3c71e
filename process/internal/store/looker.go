package store

import "example.com/iprof/process/internal/history"

// Looker has the data of a store that one view needs: the history of its lane, and the means over the frames of its
// lens. They are kept from report to report. A view must not read those of another.
type Looker struct {
	store  *Store
	Lane   history.LaneHistory
	single history.Smoother // of the lane
	Lens   history.LensMeans
}

// NewLooker returns the Looker of a new view.
func NewLooker(s *Store) Looker { return Looker{store: s} }
