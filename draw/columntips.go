package draw

import "example.com/iprof/process"

// unitWords say what the numbers of a kind are.
var unitWords = [...]string{
	kindTime:  "in milliseconds",
	kindCount: "of one frame; an average has fractions",
	kindShare: "in percent",
	kindWhole: "",
	kindBytes: "in bytes: 1 kB is 1000",
}

// columnTips say more of some columns than the chooser does. The rest is worded from that.
var columnTips = [numColumns]string{
	process.ColumnSelf:         "time in the zone itself, without the zones it calls,\nin milliseconds. Bright to red: how fast it changes",
	process.ColumnHier:         "hierarchical time: with all that it calls, recursion\ncounted once, in milliseconds",
	process.ColumnCount:        "how often the zone was entered in a frame;\nan average has fractions",
	process.ColumnMean:         "hierarchical time of a frame, over all frames of the\nhistory, all lanes, in milliseconds",
	process.ColumnMax:          "longest hierarchical time of a frame in the history,\nin milliseconds. Red: far above the mean",
	process.ColumnMaxHold:      "longest hierarchical time of a frame in the last 5 s,\nin milliseconds",
	process.ColumnExtraPercent: "part in what the slow frames take longer,\nin percent: the zones to blame come first",
	process.ColumnPerUnit:      "hierarchical time per unit of work, in nanoseconds",
	ColumnName:                 "! its own measuring is over a tenth of it\nopen: begun in an earlier frame   idle: waits, is not busy",
	ColumnBar:                  "bright: self time, dim: hierarchical time;\nthe longest bar is the longest zone that is not idle",
	ColumnDelta:                "difference from the baseline, in milliseconds\n~ no more than the zone varies from frame to frame",
	ColumnDeltaPercent:         "difference from the baseline, in percent\n~ no more than the zone varies from frame to frame",
	ColumnSpark:                "hierarchical time of the 60 frames up to the one shown,\neach line scaled to its own greatest",
}

// named is a column's name where it needs one: the bar's heading is none.
func (w columnWords) named() string {
	if w.heading == "" {
		return "bar"
	}
	return w.heading
}

// explainColumn has a tip say what a column means.
func (c *canvas) explainColumn(at rect, column process.Column) {
	if !c.tip.asks(c.hovers(at)) {
		return
	}
	w := &columns[column]
	if words := columnTips[column]; words != "" {
		c.explain(at, w.named(), words)
		return
	}
	c.explain(at, w.named(), unitWords[w.kind])
	c.tip.number = append(c.tip.number, w.words...)
}

// explainBar has a tip say what a bar of the call structure is.
func (c *canvas) explainBar(at rect, n *process.TreeNode, name string) {
	if !c.tip.asks(c.hovers(at)) {
		return
	}
	c.explain(at, name, "")
	b := append(appendFixed(c.tip.number, n.Hier, c.precision), " ms, self "...)
	b = append(b, n.Estimated.Sign()...)
	b = append(appendFixed(b, n.Self, c.precision), " ms, count "...)
	c.tip.number = appendCount(b, n.Count)
}
