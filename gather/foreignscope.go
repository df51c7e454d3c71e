package gather

import "example.com/iprof/platform"

// ForeignScope is one scope of a ForeignLane.
type ForeignScope struct {
	Zone       *Zone          // of its own, not one that goroutines enter: reports add up what has the same path
	Begin, End int64          // readings of the foreign clock
	Level      int            // number of scopes around it: 0 is outermost
	Issued     platform.Ticks // platform.Now when the program gave the work to the device
}
