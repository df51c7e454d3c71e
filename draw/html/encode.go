package html

import (
	"math"
	"strconv"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// The page's data is JSON by columns, because a tree of 10,000 nodes repeats every field name 10,000 times otherwise.
// It has an array of zone ids, one of levels, one of entries, and one of self ticks. Hierarchical ticks are usually the
// sum of self ticks below. Only nodes with another value list it, mainly roots of merged trees.

// run adds all data except for single frames.
func (e *encoder) run(d *report.Dump) {
	b := appendFloat(append(e.b, `{"tps":`...), d.TicksPerSecond)
	b = append(b, `,"run":`...)
	b = appendFloat(b, float64(d.RunTime)/1e6)
	b = append(b, `,"budget":`...)
	b = appendFloat(b, float64(d.Budget)/1e6)
	b = appendWords(b)
	b = appendZones(append(b, `,"zones":`...), d.Zones, colorsOf(d))
	b = append(b, `,"trees":[`...)
	e.b = appendTree(b, "all goroutines", d.Merged, d.TicksPerSecond)
	lanes := d.Lanes
	if len(lanes) == 1 { // it equals the tree of all goroutines
		lanes = nil
	}
	for i := range lanes {
		e.flush()
		e.b = appendTree(append(e.b, ','), laneTitle(&lanes[i]), lanes[i].Nodes, d.TicksPerSecond)
	}
	e.flush()
	b = append(e.b, `],"top":`...)
	b = appendTop(b, d)
	b = appendHistory(append(b, `,"history":`...), d)
	b = appendSections(appendSlowCalls(appendMarks(b, d), d), d)
	b = appendSeries(append(b, `,"series":`...), d.Series)
	b = appendValues(append(b, `,"values":`...), d.Values)
	b = appendStatistics(append(appendForks(b, d.Forks), `,"stats":`...), d.Statistics)
	e.b = appendVerdict(b, &d.Verdict, d.Verdict.Index)
	e.flush()
}

// laneTitle returns the lane's name, and the processor time of its thread if known.
func laneTitle(l *report.LaneTree) string {
	if l.CPU <= 0 {
		return l.Name
	}
	cpu := fit(l.CPU)
	return l.Name + " · CPU " + cpu.Value + " " + cpu.Unit
}

// appendWords appends the headings of columns, which are the same on all displays.
func appendWords(b []byte) []byte {
	columns := [...]report.Column{report.ColumnSelf, report.ColumnHier, report.ColumnSelfPercent,
		report.ColumnHierPercent, report.ColumnCount, report.ColumnSelfPerCall, report.ColumnHierPerCall}
	return appendList(append(b, `,"words":`...), columns[:], func(b []byte, c *report.Column) []byte {
		return appendText(b, c.Info().Heading)
	})
}

// appendZones appends [name, site, place, colour, state, short name] for each zone, and then the places. The place is
// an index into the places, because thousands of names may have the same place. The site is empty unless several zones
// have the name; most zones have no short name.
func appendZones(b []byte, zones []gather.ZoneInfo, colors []string) []byte {
	same := make(map[string]bool, len(zones))
	for i := range zones {
		_, known := same[zones[i].Name]
		same[zones[i].Name] = known
	}
	var places []string
	next := 0
	indexes := make(map[string]int)
	b = appendList(b, zones, func(b []byte, z *gather.ZoneInfo) []byte {
		at, known := indexes[place(z)]
		if !known {
			at = len(places)
			places, indexes[place(z)] = append(places, place(z)), at
		}
		site := ""
		if same[z.Name] {
			site = z.Site()
		}
		b = appendText(append(b, '['), z.Name)
		b = appendText(append(b, ','), site)
		b = strconv.AppendInt(append(b, ','), int64(at), 10)
		b = append(append(append(b, `,"`...), colors[next]...), '"')
		next++
		b = appendFlag(append(b, ','), z.Idle)
		if short := report.ShortName(z); short != "" {
			b = appendText(append(b, ','), short)
		}
		return append(b, ']')
	})
	return appendList(append(b, `,"places":`...), places, func(b []byte, s *string) []byte { return appendText(b, *s) })
}

// place returns the source position of a zone: function, file and line, as far as known.
func place(z *gather.ZoneInfo) string {
	if z.File == "" {
		return z.Function
	}
	return strings.TrimSpace(z.Function + " " + z.File + ":" + strconv.Itoa(z.Line))
}

// appendTree appends one tree as columns.
func appendTree(b []byte, name string, nodes []report.TreeNode, perSecond float64) []byte {
	b = appendText(append(b, `{"name":`...), name)
	return append(appendColumns(b, nodes, perSecond), '}')
}

// appendColumns appends zone ids, levels, entries and self ticks, and then the exceptions: hierarchical ticks, open
// scopes, charges, estimates.
func appendColumns(b []byte, nodes []report.TreeNode, perSecond float64) []byte {
	self, exceptions := ticks(nodes, perSecond)
	number := func(key string, of func(n *report.TreeNode) int32) {
		b = appendList(append(b, key...), nodes, func(b []byte, n *report.TreeNode) []byte {
			return strconv.AppendInt(b, int64(of(n)), 10)
		})
	}
	number(`,"z":`, func(n *report.TreeNode) int32 { return int32(n.Zone) })
	number(`,"l":`, func(n *report.TreeNode) int32 { return n.Level })
	b = appendList(append(b, `,"c":`...), nodes, func(b []byte, n *report.TreeNode) []byte {
		return appendFloat(b, n.Count)
	})
	b = appendList(append(b, `,"s":`...), self, func(b []byte, v *int64) []byte { return strconv.AppendInt(b, *v, 10) })
	b = appendList(append(b, `,"h":`...), exceptions, func(b []byte, e *[2]int64) []byte {
		b = strconv.AppendInt(append(b, '['), e[0], 10)
		return append(strconv.AppendInt(append(b, ','), e[1], 10), ']')
	})
	var open []int
	for i := range nodes {
		if nodes[i].Open {
			open = append(open, i)
		}
	}
	b = appendList(append(b, `,"o":`...), open, func(b []byte, i *int) []byte {
		return strconv.AppendInt(b, int64(*i), 10)
	})
	return appendLeft(appendEstimated(appendCharges(b, nodes), nodes), nodes)
}

// appendLeft appends index and number of the nodes that the dump leaves out below a node: see report.TreeNode.Left. It
// appends nothing if there are none.
func appendLeft(b []byte, nodes []report.TreeNode) []byte {
	var cut []int
	for i := range nodes {
		if nodes[i].Left > 0 {
			cut = append(cut, i)
		}
	}
	if len(cut) == 0 {
		return b
	}
	return appendList(append(b, `,"x":`...), cut, func(b []byte, i *int) []byte {
		b = strconv.AppendInt(append(b, '['), int64(*i), 10)
		return append(strconv.AppendInt(append(b, ','), int64(nodes[*i].Left), 10), ']')
	})
}

// appendEstimated appends index, sign and standard error in ms of the estimated nodes. It appends nothing if there
// are none.
func appendEstimated(b []byte, nodes []report.TreeNode) []byte {
	var estimated []int
	for i := range nodes {
		if nodes[i].Estimated != gather.EstimatedNone {
			estimated = append(estimated, i)
		}
	}
	if len(estimated) == 0 {
		return b
	}
	return appendList(append(b, `,"e":`...), estimated, func(b []byte, i *int) []byte {
		b = strconv.AppendInt(append(b, '['), int64(*i), 10)
		b = appendText(append(b, ','), nodes[*i].Estimated.Sign())
		return append(appendFloat(append(b, ','), nodes[*i].StandardError), ']')
	})
}

// ticks returns the self ticks of all nodes, and index and hierarchical ticks of the nodes whose hierarchical ticks
// are not the sum of self ticks below.
func ticks(nodes []report.TreeNode, perSecond float64) (self []int64, exceptions [][2]int64) {
	self = make([]int64, len(nodes))
	sum := make([]int64, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		self[i] = ticksOf(nodes[i].Self, perSecond)
		sum[i] += self[i]
		if hier := ticksOf(nodes[i].Hier, perSecond); hier != sum[i] {
			exceptions = append(exceptions, [2]int64{int64(i), hier})
			sum[i] = hier
		}
		if p := nodes[i].Parent; p >= 0 && int(p) < i {
			sum[p] += sum[i]
		}
	}
	return self, exceptions
}

// ticksOf converts milliseconds back to ticks.
func ticksOf(ms, perSecond float64) int64 {
	if v := math.Round(ms * perSecond / 1000); math.Abs(v) < 1<<53 {
		return int64(v)
	}
	return 0
}

// appendTop appends [zone, entries, self ticks, hierarchical ticks] by self time, with charges if there are any. The
// hierarchical ticks are 0 where they are the self ticks.
func appendTop(b []byte, d *report.Dump) []byte {
	return appendList(b, d.ZoneTotals(), func(b []byte, z *report.ZoneTotal) []byte {
		b = strconv.AppendInt(append(b, '['), int64(z.Zone), 10)
		b = appendFloat(append(b, ','), z.Count)
		b = strconv.AppendInt(append(b, ','), ticksOf(z.Self, d.TicksPerSecond), 10)
		hier := ticksOf(z.Hier, d.TicksPerSecond)
		if z.Hier == z.Self {
			hier = 0
		}
		b = strconv.AppendInt(append(b, ','), hier, 10)
		if z.Charges != (report.Charges{}) {
			b = append(appendNumbers(append(b, ",["...), &z.Charges), ']')
		}
		return append(b, ']')
	})
}

// appendSeries appends [zone, values] for each series but the idle ones, because the bars show busy time.
func appendSeries(b []byte, series []report.Series) []byte {
	var busy []report.Series
	for i := range series {
		if !series[i].Idle {
			busy = append(busy, series[i])
		}
	}
	return appendList(b, busy, func(b []byte, s *report.Series) []byte {
		b = strconv.AppendInt(append(b, '['), int64(s.Zone), 10)
		b = appendList(append(b, ','), s.Values, func(b []byte, v *float32) []byte { return appendShort(b, *v) })
		return append(b, ']')
	})
}
