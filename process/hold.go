package process

// lengthHold keeps the longest frame of the last seconds. It does not depend on the size of the history.
type lengthHold struct {
	tenth uint64              // of the latest frame, on the history's clock
	most  [holdTenths]float64 // by tenth of a second, ms
}

// add adds a frame. seconds is its end, ms its length.
func (h *lengthHold) add(seconds, ms float64) {
	now := uint64(max(seconds, 0) * 10)
	for n := min(now-min(h.tenth, now), holdTenths); n > 0; n-- {
		h.most[(now-n+1)%holdTenths] = 0
	}
	h.tenth = max(h.tenth, now)
	at := &h.most[h.tenth%holdTenths]
	*at = max(*at, ms)
}

// longest is the length of the longest frame of the last five seconds, to a tenth of a second.
func (h *lengthHold) longest() (most float64) {
	for _, ms := range h.most {
		most = max(most, ms)
	}
	return most
}
