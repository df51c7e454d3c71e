package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// pageFrames is the number of frames that are read from a recording when the view shows a frame outside the history.
const pageFrames = 8192

// framesBefore is the number of frames that the history holds before the frame shown, if the recording has them. A
// verdict takes its usual times from these frames.
const framesBefore = 192

// source returns the source of frames outside the history, or nil.
func (in *intake) source() totals.Source {
	if in.store.Whole == nil {
		return nil
	}
	return in.store.Whole.Source
}

// page reads the frames around one frame into the history. Data of all frames stays as it is, and views go on showing
// their frames, which may now be outside the history.
func (in *intake) page(frame uint64) bool {
	from, frames, before := in.source(), min(pageFrames, uint64(in.store.Past.Want)), in.store.Past.Next
	first := frame - min(frame, frames/2)
	first = min(first, from.Frames()-min(from.Frames(), frames)) // the last page is full, too
	misuse, dropped := in.store.Misuse, in.store.Dropped
	known := in.store.Page(first)
	events, err := from.Read(first, min(first+frames, from.Frames()), func(f *gather.Frame) {
		f.Zones = in.store.Zones // the frame lacks the zones that came later
		in.take(f)
	})
	if err != nil || in.store.Past.Length() == 0 || frame < in.store.Past.First() || frame >= in.store.Past.Next {
		in.store.Measured = known
		in.store.Gen++
		return false
	}
	in.store.Timeline.SetSource(events)
	in.store.Paged(&known)
	in.store.Misuse, in.store.Dropped = misuse, dropped
	in.views.each(func(v *View) {
		v.rows.ForgetFrames()
		v.rows.View.Age += int(in.store.Past.Next) - int(before)
	})
	return true
}

// reach reads the frame of the view from the recording if the history does not hold it. Ages below 0 mean frames newer
// than the history.
func (v *View) reach() {
	from, r := v.session.frames.source(), &v.rows.View
	if from == nil || from.Frames() == 0 || r.Kept > 0 {
		return
	}
	v.show(uint64(min(max(int64(v.store.Past.Next)-1-int64(r.Age), 0), int64(from.Frames())-1)))
}

// show shows a frame of the recording, with some before it. It reports false if it cannot be read.
func (v *View) show(frame uint64) bool {
	h := &v.store.Past
	first := h.First()
	near := first > 0 && frame < first+min(framesBefore, uint64(h.Want)/4)
	if (near || frame >= h.Next) && !v.session.frames.page(frame) && (frame < first || frame >= h.Next) {
		return false
	}
	v.rows.View.Age = int(h.Next - 1 - frame)
	return true
}

// showOver shows the nearest frame over budget outside the history, from an age on.
func (v *View) showOver(step, age int) {
	from, r := v.session.frames.source(), &v.rows.View
	if from == nil || r.Lane != 0 {
		return
	}
	last := int64(v.store.Past.Next) - 1 - int64(age) - int64(step) // of the history
	over, found := from.Over(uint64(last), step, report.OverFactor*v.store.Budget.Seconds()*1000)
	if found && v.show(over) {
		r.Kept, r.Lens = 0, report.Lens{}
		v.rows.Clamp(r)
		v.rows.Follow()
	}
}
