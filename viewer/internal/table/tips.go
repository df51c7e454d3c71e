package table

import (
	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
)

// unitWords explain the unit of each kind of column.
var unitWords = [...]string{
	draw.KindTime:  "in milliseconds",
	draw.KindCount: "of one frame; an average has fractions",
	draw.KindShare: "in percent",
	draw.KindWhole: "",
	draw.KindBytes: "in bytes: 1 kB is 1000",
}

// ColumnTips explain columns in more words than the column chooser. Columns without an entry show the chooser's words
// and their unit.
var ColumnTips = [NumColumns]string{
	report.ColumnSelf: "self time: without the zones that it calls,\n" +
		"in milliseconds. Bright to red: how fast it changes",
	report.ColumnHier:  "time with all that it calls, in milliseconds;\na zone inside itself counts once",
	report.ColumnCount: "how often the zone was called in a frame;\nan average has fractions",
	report.ColumnMean: "average time with callees, of the frames of the history,\n" +
		"in milliseconds",
	report.ColumnMax: "longest time with callees of a frame in the history,\n" +
		"in milliseconds. Red: far above the average",
	report.ColumnMaxHold: "longest time with callees of a frame in the last 5 s,\nin milliseconds",
	report.ColumnExtraPercent: "share of the extra time of slow frames, in percent:\nthe zones with most extra time " +
		"come first",
	report.ColumnAtOnce: "how many goroutines were in the zone at once, on average:\n" +
		"time with callees by the length of the frame",
	report.ColumnWaiting: "of the time with callees, that in which its goroutine waited,\n" +
		"in milliseconds; only single frames have it. Point at a row for the reasons",
	report.ColumnRunnable: "of the time with callees, that in which its goroutine\n" +
		"wanted a processor and had none, in milliseconds",
	report.ColumnWaited: "of the zone's self time in the whole run, what had no processor,\n" +
		"by samples of the CPU profiler, in percent",
	report.ColumnHeapObjects: "objects taken from the Go heap in the zone, about: other goroutines'\n" +
		"objects count, too. Averages and lenses have them, single frames do not",
	report.ColumnHeapBytes: "bytes taken from the Go heap in the zone, about: other goroutines'\n" +
		"bytes count, too. Averages and lenses have them, single frames do not",
	report.ColumnPerUnit: "time with callees per unit of work, in nanoseconds",
	ColumnName: "! the overhead is over a tenth of its time\n" +
		"open: begun in an earlier frame   idle: waits, is not busy",
	ColumnBar: "bright: self time, dim: with callees;\n" +
		"the longest bar is the longest zone that is not idle.\nA band: the baseline and how far it varies",
	ColumnDelta: "difference from the baseline, in milliseconds\n" +
		"~ no more than the zone varies from frame to frame",
	ColumnDeltaPercent: "difference from the baseline, in percent\n" +
		"~ no more than the zone varies from frame to frame",
	ColumnSpark: "time with callees of the 60 frames up to the one shown,\n" +
		"each line scaled to its own greatest",
}

// explainColumn requests a tip for a column.
func explainColumn(c *canvas.Canvas, at canvas.Rect, column report.Column) {
	if !c.Tip.Accepts(c.Hovers(at)) {
		return
	}
	w := Describe(column)
	if words := ColumnTips[column]; words != "" {
		c.Explain(at, HeadingOf(w), words)
		return
	}
	c.Explain(at, HeadingOf(w), unitWords[w.Kind])
	c.Tip.Number = append(c.Tip.Number, w.Words...)
}

// explainStates requests a tip on the states of a zone while it did not run.
func explainStates(c *canvas.Canvas, at canvas.Rect, r *report.Record, decimals int) {
	if !c.Tip.Accepts(c.Hovers(at)) {
		return
	}
	if c.Explain(at, r.Name, ""); !r.Mask.Has(report.ColumnWaiting) {
		c.Tip.Number = append(c.Tip.Number, "not known of this zone in this frame"...)
		return
	}
	b := draw.AppendTime(append(c.Tip.Number, "of "...), r.Values[report.ColumnHier], decimals)
	for i := range r.States {
		q := &r.States[i]
		b = append(draw.AppendTime(append(b, '\n'), q.Time, decimals), ' ')
		from := len(b)
		b = onOneLine(q.AppendTitle(b), from)
	}
	if len(r.States) == 0 {
		b = append(b, "\nit ran all the time"...)
	}
	c.Tip.Number = b
}

// mostTip is the greatest length of a hostile text in a line of a tip, in bytes.
const mostTip = 80

// onOneLine cuts the text from an index on, and replaces its line breaks.
func onOneLine(b []byte, from int) []byte {
	if len(b) > from+mostTip {
		b = append(b[:from+mostTip], "…"...)
	}
	for i := from; i < len(b); i++ {
		if b[i] < ' ' {
			b[i] = ' '
		}
	}
	return b
}
