package report

import "example.com/iprof/platform"

// SlowCall is a call of a zone that counts each call, such as a route of a server, that took far longer than the zone's
// calls usually do: see gather.SlowCall. It is immutable plain data.
type SlowCall struct {
	Zone       ZoneID
	Name       string // of the zone
	Lane       LaneID
	LaneName   string
	Frame      uint64         // FrameSummary.Index of the frame in which the call ended
	Ended      float64        // time of the end of that frame, in seconds: compare with Report.Now
	Begin, End platform.Ticks // on the clock of package platform
	Time       float64        // ms
	Usual      float64        // ms: about half of the zone's calls take no longer
	Said       string         // the program's remark, from Scope.Text and Scope.Value; any bytes
	Parts      []CallPart     // callers first
}

// CallPart is the time of a zone in a slow call of another zone that called it.
type CallPart struct {
	_     incomparable
	Zone  ZoneID
	Name  string
	Level int // number of zones between this zone and the call
	Count uint32
	Time  float64 // ms, with all callees
	Idle  bool    // the program chose to wait in it
}

// MaxSlowCalls is the number of slow calls that a session keeps: the newest half, and of the others those with the
// greatest excess.
const MaxSlowCalls = 64

// Excess returns Time less Usual, ms.
func (c *SlowCall) Excess() float64 { return c.Time - c.Usual }

// Part returns the innermost part with at least half of the time of the part around it. It returns nil if most of the
// time is the zone's own.
func (c *SlowCall) Part() (part *CallPart) {
	level, least := 0, c.Time/2
	for i := range c.Parts {
		p := &c.Parts[i]
		if part != nil && p.Level < level {
			break // no longer below the part
		}
		if p.Level == level && p.Time >= least {
			part, level, least = p, level+1, p.Time/2
		}
	}
	return part
}

// AppendText appends the call as a line of English without a full stop. The function name escapes and cuts each name
// for the display; if name is nil, names stay as they are.
//
//	GET /orders (customer 7, value 30): 60.2 ms, usually 2.1; of it db.Query 57.0 in 30 calls
func (c *SlowCall) AppendText(dst []byte, name func(string) string) []byte {
	w := words{dst: dst, name: name, decimals: mostDecimals}
	w.put(w.shown(c.Name))
	if c.Said != "" {
		w.put(" (" + w.shown(c.Said) + ")")
	}
	w.put(": ")
	w.time(c.Time)
	w.put(", usually ")
	w.ms(c.Usual)
	w.put("; of it ")
	p := c.Part()
	if p == nil {
		w.ms(c.own())
		w.put(" in the zone itself")
		return w.dst
	}
	return p.AppendText(w.dst, name)
}

// AppendText appends the part's name, its time, and its number of calls.
func (p *CallPart) AppendText(dst []byte, name func(string) string) []byte {
	w := words{dst: dst, name: name, decimals: mostDecimals}
	w.put(w.shown(p.Name))
	w.put(" ")
	if w.ms(p.Time); p.Count > 1 {
		w.put(" in ")
		w.count(float64(p.Count))
		w.put(" calls")
	}
	return w.dst
}

// own returns the time outside all parts, ms.
func (c *SlowCall) own() float64 {
	own := c.Time
	for i := range c.Parts {
		if c.Parts[i].Level == 0 {
			own -= c.Parts[i].Time
		}
	}
	return max(own, 0)
}

// recentCall is how long displays prefer a slow call, in seconds after its end.
const recentCall = 60

// SlowCall returns the slow call to show: the one with the greatest excess in the last minute, else the newest. It is
// nil without slow calls.
func (r *Report) SlowCall() (worst *SlowCall) {
	for _, c := range r.SlowCalls {
		if r.Now-c.Ended <= recentCall && (worst == nil || c.Excess() > worst.Excess()) {
			worst = c
		}
	}
	if n := len(r.SlowCalls); worst == nil && n > 0 {
		return r.SlowCalls[n-1]
	}
	return worst
}
