package report

// FrameMark is a mark in the history: see Session.Mark.
type FrameMark struct {
	_ [0]func() // not comparable: the code of == would be in each program

	Frame uint64  // FrameSummary.Index of its frame
	At    float64 // ms from the beginning of the frame
	Lane  LaneID  // of the goroutine that made it; 0 if not known
	Text  string  // any bytes; sinks escape it
}

// MarkInSight is a mark and the age of its frame.
type MarkInSight struct {
	FrameMark
	Age int
}

// MaxPictureSide is the greatest width and height of a picture, in pixels.
const MaxPictureSide = 480

// Picture is a small picture of a frame's display. It must not be changed.
type Picture struct {
	Width, Height int    // 1 to MaxPictureSide
	Pixels        []byte // red, green and blue of each pixel, by rows from the top
}

// FramePicture is the picture of a frame.
type FramePicture struct {
	Frame   uint64 // gather.Frame.Index
	Picture *Picture
}

// Valid reports whether the size is in its range and no pixel is missing. It is false for nil.
func (p *Picture) Valid() bool {
	return p != nil && p.Width > 0 && p.Height > 0 && p.Width <= MaxPictureSide && p.Height <= MaxPictureSide &&
		len(p.Pixels) == 3*p.Width*p.Height
}

// MaxMarks is the least number of marks that a session keeps, if their texts take less than 1 MB. The oldest are
// forgotten first.
const MaxMarks = 4096

// MaxStates is the number of states that a session keeps. The oldest are forgotten first.
const MaxStates = 1 << 15
