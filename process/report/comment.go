package report

// Comment is the note of a viewer's user on a frame or a range of frames.
type Comment struct {
	From, To uint64 // FrameSummary.Index of the first and the last frame, both included
	Text     string // any bytes; sinks escape it
}

// Bounds of the comments of one viewer, and of a text in bytes.
const (
	MaxComments    = 1000
	LongestComment = 1024
)
