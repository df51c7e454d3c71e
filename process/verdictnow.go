package process

// The limits of the verdict on the newest frames.
const (
	nowSeconds   = 2   // seconds of frames that are judged
	nowFrames    = 256 // greatest number of them
	holdVerdict  = 3   // seconds that a verdict stays
	againSeconds = 1   // seconds between verdicts on many frames
	manyMissed   = 3   // least number of frames over budget that are many,
	missedShare  = 0.1 // if they are at least this share of all
	hitch        = 0.5 // of the usual time: an excess from that on is late even within budget
)

// watch follows the newest frames while somebody reads reports. It keeps a verdict long enough to be read.
type watch struct {
	next    uint64  // next frame to look at
	until   float64 // end of the verdict, in seconds of the history's clock
	since   float64 // time of the verdict
	verdict Verdict
	fresh   Verdict // scratch
}

// explainNow fills in the verdict on the newest frames.
func (s *Session) explainNow(dst *Verdict) bool {
	w := &s.trial.now
	if w.next > s.past.next || w.until > s.past.clock+holdVerdict {
		w.forget()
	}
	if w.next < s.past.next {
		s.watch(w)
		w.next = s.past.next
	}
	w.verdict.copyTo(dst)
	return dst.Found()
}

func (w *watch) forget() {
	w.next, w.until, w.since = 0, 0, 0
	w.verdict.empty()
}

// watch adds the frames since the last call.
func (s *Session) watch(w *watch) {
	now := s.past.clock
	if now > w.until {
		w.verdict.empty()
	}
	missed, among := s.missed(now)
	if missed >= manyMissed && float64(missed) >= missedShare*float64(among) {
		if w.verdict.Frames <= 1 || now >= w.since+againSeconds {
			s.explainMissed(w, among)
		}
		w.until = now + holdVerdict
		return
	}
	from := max(w.next, s.past.first(), s.past.next-min(s.past.next, fewestUsual))
	for seq := from; seq < s.past.next; seq++ {
		w.fresh.empty()
		if p := s.past.at(seq); s.mayBeLate(p) && s.explain(&w.fresh, p) && w.worse(&w.fresh) {
			w.fresh.copyTo(&w.verdict)
			w.since, w.until = now, now+holdVerdict
		}
	}
}

// late reports whether a verdict is shown without a request: its frame is too late, or much longer than usual.
func (v *Verdict) late() bool {
	return v.Found() && (v.Over || !v.Working && v.Time > overFactor*v.Budget || v.Excess >= hitch*v.Usual)
}

// mayBeLate reports whether the verdict on a frame can be late. It saves the search for causes in the other frames.
func (s *Session) mayBeLate(p *pastFrame) bool {
	u := &s.trial.usual
	u.around(&s.past, p.seq)
	return p.Over || s.over(p.length) ||
		p.length-u.length.mid >= hitch*u.length.mid || p.busy-u.busy.mid >= hitch*u.busy.mid
}

// worse reports whether a verdict replaces the one that is shown.
func (w *watch) worse(v *Verdict) bool {
	return v.late() && (!w.verdict.Found() || w.verdict.Frames > 1 || v.Excess >= w.verdict.Excess)
}

// missed counts the frames over budget among those of the last seconds.
func (s *Session) missed(now float64) (missed, among int) {
	s.trial.frames = s.trial.frames[:0]
	for seq := s.past.next; seq > s.past.first() && among < nowFrames; seq-- {
		p := s.past.at(seq - 1)
		if p.lost || now-p.ended > nowSeconds {
			break
		}
		if among++; p.Over {
			s.trial.frames = append(s.trial.frames, p)
		}
	}
	return len(s.trial.frames), among
}

// explainMissed makes the verdict on the frames over budget that missed found.
func (s *Session) explainMissed(w *watch, among int) {
	t := &s.trial
	t.usual.around(&s.past, t.frames[len(t.frames)-1].seq)
	w.verdict.empty()
	s.try(&w.verdict)
	w.verdict.Among, w.since = among, s.past.clock
}

// sinceFrames bounds the frames of VerdictSince.
const sinceFrames = 1024

// VerdictSince fills dst with the verdict on the worst late frame since a number of frames (FrameInfo.Frames), or
// empties it. It returns the number of frames now, for the next call. A log that calls it each second has a line for
// each second with a late frame. It looks at no more than the newest 1,024 frames. Any goroutine may call it.
func (s *Session) VerdictSince(dst *Verdict, frames uint64) (now uint64) {
	s.lock()
	defer s.mu.Unlock()
	dst.empty()
	if frames > s.past.next { // Reset
		frames = 0
	}
	fresh := &s.trial.now.fresh
	for seq := max(frames, s.past.first(), s.past.next-min(s.past.next, sinceFrames)); seq < s.past.next; seq++ {
		fresh.empty()
		if p := s.past.at(seq); s.mayBeLate(p) {
			s.explain(fresh, p)
		}
		if fresh.late() && (!dst.Found() || fresh.Excess > dst.Excess) {
			fresh.copyTo(dst)
		}
	}
	return s.past.next
}
