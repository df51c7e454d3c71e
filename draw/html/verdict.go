package html

import (
	"math"
	"slices"
	"strconv"

	"example.com/iprof/process/report"
)

// appendVerdict appends a verdict's text and its target: a frame, or a node of a frame's tree. It appends nothing
// without a verdict.
func appendVerdict[N int | uint64](b []byte, v *report.Verdict, to N) []byte {
	if !v.Found() {
		return b
	}
	b = appendText(append(b, `,"why":[`...), string(v.AppendText(nil, short)))
	return append(strconv.AppendInt(append(b, ','), int64(to), 10), ']')
}

// appendDrawn appends the data of the drawing of a frame's verdict: the frame's time and its usual time, its parts, and
// further data of each cause. Times are in ms, to the microsecond.
func appendDrawn(b []byte, t *report.FrameTree) []byte {
	v := &t.Verdict
	if !v.Found() || len(t.Parts) == 0 {
		return b
	}
	b = appendMicro(append(b, `,"drawn":[`...), v.Usual)
	b = append(b, `,[`...)
	for i := range t.Parts {
		p := &t.Parts[i]
		zone := int64(p.Zone)
		if p.Path == report.RestPath {
			zone = restOfFrame
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, '['), zone, 10)
		b = appendMicro(appendMicro(append(b, ','), p.Time), p.Usual)
		b = strconv.AppendInt(append(b, ','), int64(p.Cause), 10)
		b = appendMicro(appendMicro(b, p.Count), p.Often)
		if p.Idle {
			b = append(b, ",1"...)
		}
		b = append(b, ']')
	}
	b = append(b, `],[`...)
	for i := range v.Causes {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, waitOf(&v.Causes[i]))
	}
	return append(b, "]]"...)
}

// restOfFrame stands in place of the zone for the rest of a frame.
const restOfFrame = -2

// appendMicro appends a comma, if a number or a text comes before, and a number with at most three decimals.
func appendMicro(b []byte, v float64) []byte {
	if last := b[len(b)-1]; last != '[' && last != ',' {
		b = append(b, ',')
	}
	return strconv.AppendFloat(b, math.Round(v*1000)/1000, 'f', -1, 64)
}

// waitOf names the reason and the end of a wait, "" for other causes.
func waitOf(c *report.Cause) string {
	if c.Kind == report.CauseAway {
		return "other programs had the processor " + strconv.FormatFloat(c.Time, 'f', 1, 64) + " ms"
	}
	if c.Kind != report.CauseState {
		return ""
	}
	q := report.StateTime{Kind: c.State.Kind, Reason: c.State.Reason}
	words := string(q.AppendTitle(nil)) + " " + strconv.FormatFloat(c.Time, 'f', 1, 64) + " ms"
	if c.State.Place != "" {
		words += " at " + c.State.Place
	}
	if c.Lane != "" {
		words += " \u2192 " + report.EndedWords(q.Reason) + short(c.Lane)
	}
	if c.State.At != "" {
		words += " at " + c.State.At
	}
	return words
}

// nodeOf returns the index of the node that a frame's verdict is about, or -1 if the tree has none.
func nodeOf(t *report.FrameTree) int {
	path := t.Verdict.Target().Path
	return slices.IndexFunc(t.Nodes, func(n report.TreeNode) bool { return n.Path == path })
}

// shortName is the greatest length of a name in a verdict, in bytes.
const shortName = 100

func short(name string) string {
	if len(name) > shortName {
		return name[:shortName] + "..."
	}
	return name
}
