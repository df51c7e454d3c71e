package listing

import (
	"math"
	"strconv"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/list"
)

// lockColumns are the columns of the list of locks.
var lockColumns = []list.Column{
	{Heading: "lock", Tip: "its name, or its kind and the line that waits", Width: 190},
	{Heading: "waited", Tip: "how long goroutines waited for it, in sum", Width: 100, Number: true, Time: true},
	{Heading: "waits", Tip: "how often one had to wait", Width: 70, Number: true},
	{Heading: "longest", Tip: "the longest single wait; its row leads there", Width: 100, Number: true},
	{Heading: "goroutines", Tip: "how many waited, and the go statement that waited most", Width: 210},
	{Heading: "released by", Tip: "who let them go after most of the waiting, and where"},
}

// Locks lists the locks for which goroutines waited.
func Locks(v *process.View) *Content {
	o := report.DumpOptions{NoTrees: true, NoLanes: true, NoFrames: true, NoHistory: true, Locks: true}
	d := v.Session().Dump(o)
	locks := d.Locks()
	c := &Content{Title: "locks", Columns: lockColumns, By: 1,
		None: "no goroutine waited for a lock while the trace ran"}
	reading := Reading(v.Info().Tick)
	for i := range locks {
		k := &locks[i]
		c.Rows = append(c.Rows, list.Row{Frame: k.Longest.Frame, At: i,
			Keys:  []float64{0, k.Time, float64(k.Count), k.Longest.Time, 0, 0},
			Words: lockWords(k, reading)})
		c.Calls = append(c.Calls, timeline.Call{Frame: NoFrame})
		if k.Longest.HasFrame {
			c.Calls[i] = timeline.Call{Frame: k.Longest.Frame, Scope: timeline.Scope{Lane: k.Longest.Lane}}
		}
	}
	if c.Note = "who waited for whom; N goes on"; !d.Traced {
		c.Note += "; an execution trace adds locks of package sync"
		c.None = unnamed(v, reading) + "an execution trace names locks of package sync; wait.Mutex needs none"
	}
	return c
}

// unnamed says how long goroutines waited for locks, by the estimates of the runtime.
func unnamed(v *process.View, reading func(float64) string) string {
	waited := 0.0
	for _, f := range v.Session().AppendFrames(nil, math.MaxInt32) {
		waited += float64(f.LockWait)
	}
	if waited < 1 {
		return ""
	}
	return "goroutines waited about " + reading(waited) + " for locks: "
}

// lockWords are the words of a lock's row.
func lockWords(k *report.Lock, reading func(float64) string) []string {
	name, longest := text.Name(k.Name), ""
	waiters, holder := text.Name(k.Waiter), text.Name(k.Holder)
	if k.Place != "" {
		name += " at " + text.Name(k.Place)
	}
	if k.Longest.Time > 0 {
		longest = reading(k.Longest.Time)
	}
	if k.Waiters > 1 {
		waiters = strconv.Itoa(k.Waiters) + ": " + waiters
	}
	if k.At != "" {
		holder += " at " + text.Name(k.At)
	}
	if holder != "" && k.Held < 0.95*k.Time {
		holder += ", after " + reading(k.Held)
	}
	return []string{name, reading(k.Time), strconv.FormatUint(k.Count, 10), longest, waiters, holder}
}
