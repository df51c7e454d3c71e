package html

import (
	"strconv"

	"example.com/iprof/process/report"
)

// appendHistory appends [index, length, busy, pace, collections, their pause, bytes allocated, bytes live, label], then
// the waits of all goroutines for a processor and for locks, if report.FrameSummary.Waited says so, and the blocked
// time of the frame, if it was blocked. The pace is report.Pace: 1 for a frame that was late because it waited, 2 for a
// frame over budget.
func appendHistory(b []byte, d *report.Dump) []byte {
	budget := d.Budget.Seconds() * 1000
	return appendList(b, d.History, func(b []byte, f *report.FrameSummary) []byte {
		b = strconv.AppendUint(append(b, '['), f.Index, 10)
		b = appendShort(append(b, ','), f.Length)
		b = appendShort(append(b, ','), f.Busy)
		b = strconv.AppendInt(append(b, ','), int64(f.Pace(budget)), 10)
		b = strconv.AppendUint(append(b, ','), uint64(f.Cycles), 10)
		b = appendShort(append(b, ','), f.Pause)
		b = strconv.AppendUint(append(b, ','), f.AllocBytes, 10)
		b = strconv.AppendUint(append(b, ','), f.HeapLive, 10)
		b = appendText(append(b, ','), f.Label)
		if f.Waited() || f.Blocked > 0 {
			b = appendShort(append(appendShort(append(b, ','), f.RunQueue), ','), f.LockWait)
		}
		if f.Blocked > 0 {
			b = appendShort(append(b, ','), f.Blocked)
		}
		return append(b, ']')
	})
}
