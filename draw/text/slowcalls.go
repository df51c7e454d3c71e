package text

import (
	"strconv"

	"example.com/iprof/process/report"
)

// mostSlow is the greatest number of slow calls in a list.
const mostSlow = 16

// slowCall writes the report's slow call as a line of its title.
func (t *table) slowCall() {
	if c := t.r.SlowCall(); c != nil {
		t.p.put(t.fit("slow call "+t.endedAgo(c)+": "+string(c.AppendText(nil, shown))), "\n")
	}
}

// slowCalls lists the newest slow calls with their parts, and the slowest.
func (t *table) slowCalls() {
	list := t.r.SlowCalls
	if len(list) == 0 || !t.r.WantCalls {
		return
	}
	t.p.put("\nslow calls: ", strconv.FormatUint(t.r.SlowSeen, 10), " since the start, the newest first\n")
	worst := list[0]
	for i := range list {
		if c := list[len(list)-1-i]; i < mostSlow {
			t.slow(c)
		} else if c.Excess() > worst.Excess() {
			worst = c
		}
	}
	if len(list) > mostSlow {
		t.p.put("the slowest before these\n")
		t.slow(worst)
	}
}

// slow writes a slow call and its parts.
func (t *table) slow(c *report.SlowCall) {
	t.p.put(t.fit(string(c.AppendText(nil, shown))+"  ("+t.endedAgo(c)+", "+t.r.Frame.Kind.Frame()+" "+
		strconv.FormatUint(c.Frame, 10)+", "+shown(c.LaneName)+")"), "\n")
	for i := range c.Parts {
		p := &c.Parts[i]
		line := []byte("    ")
		for range p.Level {
			line = append(line, "  "...)
		}
		t.p.put(t.fit(string(p.AppendText(line, shown))), "\n")
	}
}

// endedAgo says how long ago a call ended.
func (t *table) endedAgo(c *report.SlowCall) string {
	return fixed(max(t.r.Now-c.Ended, 0), 0) + " s ago"
}
