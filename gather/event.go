package gather

import "example.com/iprof/platform"

// Event is the beginning or the end of a scope.
type Event struct {
	Time  platform.Ticks // on the clock of package platform
	Zone  int32          // index into Frame.Zones
	Node  uint32         // Node.ID; in a Hold, a number that no frame shows
	Level int32          // scopes open around it: 0 is outermost
	End   bool           // as opposed to its beginning
}
