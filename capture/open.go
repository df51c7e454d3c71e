package capture

import (
	"example.com/iprof/internal/framefile"
	"example.com/iprof/process"
)

// Info describes the program that wrote a capture: its fields Program, GoVersion, Machine, Start and Zero. In the files
// of a [BlackBox] it has the Reason, the triggering Frame, and how many triggers were LeftOut.
type Info = framefile.Info

// Contents describes a capture that was read: its Info; the number of Frames; the frames Lost, because the program's
// disk was too slow; the Damages, each a *DamageError, at most 16; and whether it is Complete: the program has
// closed it. Close closes the file if the session reads on in it.
type Contents = framefile.Contents

// DamageError is the error for a damaged stretch of a capture, at Offset. The frames before and behind it can be read.
// Cut says that the file ends within a frame, for instance after a crash.
type DamageError = framefile.DamageError

// NewerError is the error for a capture of a newer major version of the format, Major.
type NewerError = framefile.NewerError

// ErrNotACapture is the error for a file that is not a capture.
var ErrNotACapture error = framefile.NotACapture{}

// Open reads a capture into a new session. The session's reports, history, averages and statistics are the same as in
// the program's own session. Its history keeps at most 100,000 frames and 256 MiB; averages cover all frames. Of a
// longer capture, the session reads other frames from the file when they are shown, until Contents.Close. The error is
// the file's, ErrNotACapture or a *NewerError. Damaged stretches are not an error: see Contents.Damages.
func Open(path string) (*process.Session, *Contents, error) { return framefile.Open(path) }

// OpenNewest is Open for a large capture: it reads the newest frames, at least frames of them, and sums all for
// averages. The session reads the file again for lenses and statistics, until Contents.Close. Contents describes all
// frames. A capture whose frames can only be read in sequence, because it is damaged, is read whole.
func OpenNewest(path string, frames int) (*process.Session, *Contents, error) {
	return framefile.OpenNewest(path, frames)
}
