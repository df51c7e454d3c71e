package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/process/totals"
)

// pageFrames is the number of frames that are read from a recording when the view shows a frame outside the history.
const pageFrames = 8192

// framesBefore is the number of frames that the history holds before the frame shown, if the recording has them. A
// verdict takes its usual times from these frames.
const framesBefore = 192

// source returns the source of frames outside the history, or nil.
func (s *intake) source() totals.Source {
	if s.Whole == nil {
		return nil
	}
	return s.Whole.Source
}

// reach reads the frame of a view from the recording if the history does not hold it. Ages below 0 mean frames newer
// than the history. It reports false if there is no recording.
func (s *intake) reach(v *report.View) bool {
	from := s.source()
	if from == nil || from.Frames() == 0 || v.Kept > 0 {
		return false
	}
	frame := min(max(int64(s.Past.Next)-1-int64(v.Age), 0), int64(from.Frames())-1)
	return s.show(v, uint64(frame))
}

// show shows a frame of the recording, with some before it. It reports false if it cannot be read.
func (s *intake) show(v *report.View, frame uint64) bool {
	first := s.Past.First()
	near := first > 0 && frame < first+min(framesBefore, uint64(s.Past.Want)/4)
	if (near || frame >= s.Past.Next) && !s.page(frame) && (frame < first || frame >= s.Past.Next) {
		return false
	}
	v.Age = int(s.Past.Next - 1 - frame)
	return true
}

// page reads the frames around one frame into the history. Data of all frames stays as it is.
func (s *intake) page(frame uint64) bool {
	from, frames := s.source(), min(pageFrames, uint64(s.Past.Want))
	first := frame - min(frame, frames/2)
	first = min(first, from.Frames()-min(from.Frames(), frames)) // the last page is full, too
	misuse, dropped := s.Misuse, s.Dropped
	known := s.Page(first)
	events, err := from.Read(first, min(first+frames, from.Frames()), func(f *gather.Frame) {
		f.Zones = s.Zones // the frame lacks the zones that came later
		s.take(f)
	})
	if err != nil || s.Past.Length() == 0 || frame < s.Past.First() || frame >= s.Past.Next {
		s.Measured = known
		s.Gen++
		return false
	}
	s.Timeline.SetSource(events)
	s.Paged(&known)
	s.Misuse, s.Dropped = misuse, dropped
	return true
}

// showOver shows the nearest frame over budget outside the history, from an age on.
func (s *intake) showOver(step, age int) {
	from, v := s.source(), &s.View
	if from == nil || v.Lane != 0 {
		return
	}
	last := int64(s.Past.Next) - 1 - int64(age) - int64(step) // of the history
	over, found := from.Over(uint64(last), step, report.OverFactor*s.Budget.Seconds()*1000)
	if found && s.show(v, over) {
		v.Kept, v.Lens = 0, report.Lens{}
		s.Clamp(v)
		s.Follow()
	}
}
