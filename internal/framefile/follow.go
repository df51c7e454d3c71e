package framefile

import (
	"errors"
	"io"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// ErrEnded is the error for a stream that its program has closed.
var ErrEnded = errors.New("capture: the program has ended the stream")

// Follower writes the frames of a program's streams into a session, one stream after another. It is for one goroutine
// at a time.
type Follower struct {
	loader
	origin  gather.Origin     // of the last frame
	zones   []gather.ZoneInfo // of programs whose frames have no origin
	last    uint64            // index of the last frame
	another bool              // the session still has the frames of another run
}

// NewFollower returns a follower for a session, which keeps its own limits.
func NewFollower(s *process.Session) *Follower {
	return &Follower{loader: loader{session: s, contents: new(Contents)}}
}

// Follow writes the frames of a stream into the session until the stream ends. It returns the reason: ErrEnded,
// ErrNotACapture, a *NewerError, a *DamageError or the stream's error. It calls begun, which may be nil, at the first
// frame. If the frames continue those of the last stream, the session keeps its frames. If they come from another run
// of the program, the session forgets its frames when the first new frame arrives and the session is not paused.
func (f *Follower) Follow(in io.Reader, begun func(Info)) error {
	r, err := NewReader(in)
	if err != nil {
		return err
	}
	f.reader = r
	before := f.contents.Lost
	var frame gather.Frame
	for first := true; ; first = false {
		err := r.Next(&frame)
		if errors.Is(err, io.EOF) {
			f.showPictures()
		}
		if errors.Is(err, io.EOF) && r.Complete() {
			return ErrEnded
		}
		if err != nil {
			return err
		}
		if first && begun != nil {
			begun(r.Info())
		}
		f.contents.Lost = before + r.Lost()
		f.check(&frame, first)
		if err := f.take(&frame); err != nil {
			return err
		}
	}
}

// Lost returns how many frames the program had dropped before the last frame, in all streams.
func (f *Follower) Lost() uint64 { return f.contents.Lost }

// check prepares the session for another run's frames. The session forgets the earlier frames by itself, but for frames
// of unknown origin.
func (f *Follower) check(frame *gather.Frame, first bool) {
	if f.contents.Frames > 0 && f.isAnother(frame, first) {
		f.another = true
	}
	f.last, f.origin = frame.Index, frame.Origin
	if !f.identified() && (len(f.zones) != len(frame.Zones) || f.another) {
		f.zones = append(f.zones[:0], frame.Zones...)
	}
	if f.another && !f.session.Paused() {
		f.another = false
		f.events, f.calls, f.hot = nil, nil, nil
		f.session.SetSources(func(c *process.Sources) {
			c.Events, c.Calls, c.Hot = nil, nil, nil
			c.Allocated = nil
		})
		if !f.identified() {
			f.session.ForgetProgram()
		}
	}
}

// identified reports whether the program wrote the origin of the last frame read.
func (f *Follower) identified() bool { return f.reader.tables.scalars[programScalar] != 0 }

// isAnother reports whether a frame belongs to another run than the frame before.
func (f *Follower) isAnother(frame *gather.Frame, first bool) bool {
	return frame.Origin != f.origin ||
		!f.identified() && (frame.Index <= f.last || first && differ(f.zones, frame.Zones))
}

// differ reports whether any zone id means different places in the two lists.
func differ(a, b []gather.ZoneInfo) bool {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && a[i] != lostZone && b[i] != lostZone {
			return true
		}
	}
	return false
}
