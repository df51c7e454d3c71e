package verdict

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// The limits of the verdict on the newest frames.
const (
	nowSeconds   = 2   // seconds of frames that the verdict covers
	nowFrames    = 256 // greatest number of these frames
	showSeconds  = 3   // seconds for which a verdict stays
	lookSeconds  = 5   // seconds that the first call looks back
	againSeconds = 1   // seconds between verdicts on many frames
	manyMissed   = 3   // least number of frames over budget that are many,
	missedShare  = 0.1 // if they are at least this share of all
	hitch        = 0.5 // least excess, as a share of the usual time, that is late even within budget
)

// watch follows the newest frames while reports are read. It keeps a verdict long enough to be read.
type watch struct {
	next    uint64  // next frame to check
	until   float64 // end of the verdict, in seconds of the history's clock
	since   float64 // time of the verdict
	verdict report.Verdict
	fresh   report.Verdict // scratch
}

// ExplainNow fills in the verdict on the newest frames.
func (f *Finder) ExplainNow(dst *report.Verdict) bool {
	w := &f.watched
	if w.next > f.Past.Next || w.until > f.Past.Clock+showSeconds {
		w.forget()
	}
	if w.next < f.Past.Next {
		f.watch(w)
		w.next = f.Past.Next
	}
	w.verdict.CopyTo(dst)
	return dst.Found()
}

func (w *watch) forget() {
	w.next, w.until, w.since = 0, 0, 0
	w.verdict.Clear()
}

// LookAgain makes the finder check the frames from a sequence number on again.
func (f *Finder) LookAgain(from uint64) { f.watched.next = min(f.watched.next, from) }

// watch adds the frames since the last call.
func (f *Finder) watch(w *watch) {
	now := f.Past.Clock
	if now > w.until {
		w.verdict.Clear()
	}
	missed, among := f.missed(now)
	if missed >= manyMissed && float64(missed) >= missedShare*float64(among) {
		if w.verdict.Frames <= 1 || now >= w.since+againSeconds {
			f.explainMissed(w, among)
		}
		w.until = now + showSeconds
		return
	}
	from := max(w.next, f.Past.First(), f.Past.Next-min(f.Past.Next, sinceFrames))
	for seq := from; seq < f.Past.Next; seq++ {
		w.fresh.Clear()
		p := f.Past.At(seq)
		if now-p.Ended <= lookSeconds && f.mayBeLate(p) && (w.verdict.Frames > 1 || f.mayBeAbove(p, &w.verdict)) &&
			f.Explain(&w.fresh, p) && w.worse(&w.fresh) {
			w.fresh.CopyTo(&w.verdict)
			w.since, w.until = now, now+showSeconds
		}
	}
}

// late reports whether a verdict is shown without a request: its frame is too late, or much longer than usual.
func late(v *report.Verdict) bool {
	return v.Found() && (v.Over || !v.Working && v.Time > report.OverFactor*v.Budget || v.Excess >= hitch*v.Usual)
}

// mayBeLate reports whether the verdict on a frame can be late. It saves the search for causes in the other frames.
func (f *Finder) mayBeLate(p *history.Frame) bool {
	u := &f.usual
	u.around(f.Past, p.Seq)
	return p.Over || f.over(p.LengthMS) ||
		p.LengthMS-u.length.mid >= hitch*u.length.mid || p.JudgedMS()-u.judged.mid >= hitch*u.judged.mid
}

// worse reports whether a verdict replaces the verdict that is shown.
func (w *watch) worse(v *report.Verdict) bool {
	return late(v) && (!w.verdict.Found() || w.verdict.Frames > 1 || above(v, &w.verdict))
}

// above reports whether a frame is at least as bad as another. The first frame of a program includes its start and is
// always long. It is named only if there is no other late frame.
func above(v, other *report.Verdict) bool {
	if v.FromStart() != other.FromStart() {
		return other.FromStart()
	}
	return v.Excess >= other.Excess
}

// mayBeAbove reports whether the verdict on a frame that may be late can be above another. So in a capture with many
// late frames, only frames that are worse than all before are searched for causes.
func (f *Finder) mayBeAbove(p *history.Frame, other *report.Verdict) bool {
	u := &f.usual
	return !other.Found() || other.FromStart() ||
		max(0, p.LengthMS-u.length.mid, p.JudgedMS()-u.judged.mid) >= other.Excess
}

// missed counts the frames over budget among the frames of the last seconds.
func (f *Finder) missed(now float64) (missed, among int) {
	f.frames = f.frames[:0]
	for seq := f.Past.Next; seq > f.Past.First() && among < nowFrames; seq-- {
		p := f.Past.At(seq - 1)
		if p.Lost || now-p.Ended > nowSeconds {
			break
		}
		if among++; p.Over {
			f.frames = append(f.frames, p)
		}
	}
	return len(f.frames), among
}

// explainMissed makes the verdict on the frames over budget that missed has found.
func (f *Finder) explainMissed(w *watch, among int) {
	f.span = span{}
	f.usual.around(f.Past, f.frames[len(f.frames)-1].Seq)
	w.verdict.Clear()
	f.try(&w.verdict)
	w.verdict.Among, w.since = among, f.Past.Clock
}

// sinceFrames bounds the frames of VerdictSince.
const sinceFrames = 1024

// ExplainSince fills in the verdict on the worst late frame from a sequence number on.
func (f *Finder) ExplainSince(dst *report.Verdict, from uint64) {
	fresh := &f.watched.fresh
	for seq := max(from, f.Past.First(), f.Past.Next-min(f.Past.Next, sinceFrames)); seq < f.Past.Next; seq++ {
		fresh.Clear()
		if p := f.Past.At(seq); f.mayBeLate(p) && f.mayBeAbove(p, dst) {
			f.Explain(fresh, p)
		}
		if late(fresh) && (!dst.Found() || above(fresh, dst)) {
			fresh.CopyTo(dst)
		}
	}
}
