package html

import (
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

// nodeOf returns the index of the node that a frame's verdict is about, or -1 if the tree has none.
func nodeOf(t *report.FrameTree) int {
	path := t.Verdict.Target().Path
	return slices.IndexFunc(t.Nodes, func(n report.TreeNode) bool { return n.Path == path })
}

// shortName is the most bytes of a name in a verdict.
const shortName = 100

func short(name string) string {
	if len(name) > shortName {
		return name[:shortName] + "..."
	}
	return name
}
