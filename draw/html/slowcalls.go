package html

import (
	"strconv"

	"example.com/iprof/process/report"
)

// mostSlowCalls is the number of slow calls on a page: the newest.
const mostSlowCalls = 32

// appendSlowCalls appends the number of slow calls, and [text, frame, lane, seconds ago, zone, ms, usual ms, parts] for
// the newest of them, the newest first. It appends nothing without slow calls. A part is [zone, level, entries, ms].
func appendSlowCalls(b []byte, d *report.Dump) []byte {
	if len(d.SlowCalls) == 0 {
		return b
	}
	b = strconv.AppendUint(append(b, `,"slowSeen":`...), d.SlowSeen, 10)
	newest := d.SlowCalls[max(len(d.SlowCalls)-mostSlowCalls, 0):]
	b = append(b, `,"slow":[`...)
	for i := range newest {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendSlowCall(b, newest[len(newest)-1-i], d.Now)
	}
	return append(b, ']')
}

func appendSlowCall(b []byte, c *report.SlowCall, now float64) []byte {
	b = appendText(append(b, '['), string(c.AppendText(nil, short)))
	b = strconv.AppendUint(append(b, ','), c.Frame, 10)
	b = appendText(append(b, ','), short(c.LaneName))
	b = appendFloat(append(b, ','), max(now-c.Ended, 0))
	b = strconv.AppendInt(append(b, ','), int64(c.Zone), 10)
	b = appendMicro(appendMicro(append(b, ','), c.Time), c.Usual)
	b = appendList(append(b, ','), c.Parts, func(b []byte, p *report.CallPart) []byte {
		b = strconv.AppendInt(append(b, '['), int64(p.Zone), 10)
		b = strconv.AppendInt(append(b, ','), int64(p.Level), 10)
		b = strconv.AppendUint(append(b, ','), uint64(p.Count), 10)
		return append(appendMicro(append(b, ','), p.Time), ']')
	})
	return append(b, ']')
}
