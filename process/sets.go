package process

import (
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// sets holds the sessions of Frames.
var sets struct {
	mu   sync.Mutex
	list []*Session // in the order of their first calls
}

// refused is the session of all sets of frames beyond the limit. No frame ends in it.
var refused Session

// Frames returns the session of a set of frames, and makes it at the first call with the name: fixed steps beside
// pictures, or a server's ticks beside its requests. All sets measure the same lanes; each has its own frames, history,
// budget, verdicts and totals. Frames("") is Default. The name is any text; it is cut to 1,024 bytes.
//
// A frame of the set ends with Update, or lasts from BeginFrame to EndFrame; what happens between EndFrame and the next
// BeginFrame belongs to no frame of the set. The first frame begins with the call, or if no frame has ended yet, with
// the program. Each end of a frame, and each BeginFrame, reads the lanes once, as Update does. Foreign lanes, such as a
// GPU's, are in the frames of Default only. A Zone.Hold counts with its whole time where it is decided. Reset and Pause
// of Default keep open holds out of all sets.
//
// Each set sums what its frames have of the lanes; the lanes themselves have one baseline for all. With one for each
// set, a lane that ends would be kept until the last set has read it, so memory would grow with the slowest set, and
// Begin, End and parking would know of sets. The sums are the same to the tick: internal/oracle has three sets.
//
// A program has four sets at most, Default included. Beyond them Frames returns a session in which no frame ends, and
// reports warn. A set is never given up. Any goroutine may call it.
func Frames(name string) *Session {
	if name = measure.CopyName(name); name == "" {
		return Default()
	}
	sets.mu.Lock()
	defer sets.mu.Unlock()
	for _, s := range sets.list {
		if s.store.Set == name {
			return s
		}
	}
	set := measure.NewSet()
	if set == nil {
		refused.lock()
		defer refused.mu.Unlock()
		refused.store.None = gather.Enabled
		return &refused
	}
	s := new(Session)
	s.frames.front.set, s.store.Set = set, name
	sets.list = append(sets.list, s)
	return s
}

// otherSets returns the sessions of Frames.
func otherSets() []*Session {
	sets.mu.Lock()
	defer sets.mu.Unlock()
	return sets.list
}

// allSets returns the program's own session, and those of Frames in the order of their first calls.
func allSets() []*Session { return append([]*Session{&standard}, otherSets()...) }

// isOurs reports whether a session is of a set of the running program.
func isOurs(s *Session) bool { return s == &standard || s.frames.front.set != nil }

// measures reports whether the Update of a session ends frames.
func measures(s *Session) bool { return gather.Enabled && s != &refused }

// collect ends a frame of the session's set.
func (f *front) collect(to *gather.Frame) {
	if f.set != nil {
		f.set.Collect(to)
		return
	}
	gather.Collect(to)
}

// begin begins the frame in progress.
func (f *front) begin() {
	f.outside = false
	if f.set == nil {
		f.gap.close()
		return
	}
	f.progress.start = f.set.Begin()
}

// leave begins the time outside frames.
func (f *front) leave() {
	if f.outside = f.set != nil; !f.outside {
		f.gap.open()
	}
}

// isOutside reports whether a frame has ended by EndFrame and none has begun since.
func (f *front) isOutside() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.outside
}

// isComplete adds the parts of foreign lanes to a frame: see measure.Complete. Only the first set has them.
func (f *front) isComplete(frame *gather.Frame, now bool) bool {
	return f.set != nil || measure.Complete(frame, now)
}
