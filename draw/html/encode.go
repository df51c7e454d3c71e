package html

import (
	"encoding/json"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// The page's data is JSON of columns, because a tree of 10,000 nodes has 10,000 of everything: one array of zone ids, one
// of levels, one of entries, one of self ticks. Hierarchical ticks are self and the children's, so only the nodes for
// which that is not so, roots of merged trees above all, list theirs.

// mostName bounds the bytes of a text in the page. Beyond it the reader sees that it was cut.
const mostName = 2048

// encode returns the page's data and what the trees of frames take of it.
func encode(d *process.Dump, o *Options) ([]byte, frameSize) {
	b := []byte(`{"tps":`)
	b = appendFloat(b, d.TicksPerSecond)
	b = append(b, `,"run":`...)
	b = appendFloat(b, float64(d.RunTime)/1e6)
	b = append(b, `,"budget":`...)
	b = appendFloat(b, float64(d.Budget)/1e6)
	b = appendZones(append(b, `,"zones":`...), d.Zones)
	b = append(b, `,"trees":[`...)
	b = appendTree(b, "all lanes", d.Merged, d.TicksPerSecond)
	for i := range d.Lanes {
		b = appendTree(append(b, ','), d.Lanes[i].Name, d.Lanes[i].Nodes, d.TicksPerSecond)
	}
	b = append(b, `],"top":`...)
	b = appendTop(b, d)
	b = appendHistory(append(b, `,"history":`...), d.History)
	b = appendSeries(append(b, `,"series":`...), d.Series)
	b = appendValues(append(b, `,"values":`...), d.Values)
	b = appendStatistics(append(b, `,"stats":`...), d.Statistics)
	b = append(b, `,"frames":[`...)
	frames, size := encodeFrames(d, o)
	return append(append(b, frames...), "]}"...), size
}

// appendZones appends [name, site, place, colour, state] for each zone. The site is there for names that more zones have.
func appendZones(b []byte, zones []gather.ZoneInfo) []byte {
	same := make(map[string]bool, len(zones))
	for i := range zones {
		_, known := same[zones[i].Name]
		same[zones[i].Name] = known
	}
	return appendList(b, zones, func(b []byte, z *gather.ZoneInfo) []byte {
		site := ""
		if same[z.Name] && z.File != "" {
			site = path.Base(strings.ReplaceAll(z.File, `\`, "/")) + ":" + strconv.Itoa(z.Line)
		}
		b = appendText(append(b, '['), z.Name)
		b = appendText(append(b, ','), site)
		b = appendText(append(b, ','), place(z))
		b = strconv.AppendInt(append(b, ','), int64(colorOf(z.Name)), 10)
		return append(appendFlag(append(b, ','), z.Idle), ']')
	})
}

// place returns where a zone is entered: function, file and line, as far as known.
func place(z *gather.ZoneInfo) string {
	if z.File == "" {
		return z.Function
	}
	return strings.TrimSpace(z.Function + " " + z.File + ":" + strconv.Itoa(z.Line))
}

// appendTree appends one tree as columns.
func appendTree(b []byte, name string, nodes []process.TreeNode, perSecond float64) []byte {
	b = appendText(append(b, `{"name":`...), name)
	return append(appendColumns(b, nodes, perSecond), '}')
}

// appendColumns appends zone ids, levels, entries, self ticks, and the exceptions: hierarchical ticks, open scopes, charges.
func appendColumns(b []byte, nodes []process.TreeNode, perSecond float64) []byte {
	self, exceptions := ticks(nodes, perSecond)
	b = appendList(append(b, `,"z":`...), nodes, func(b []byte, n *process.TreeNode) []byte { return strconv.AppendInt(b, int64(n.Zone), 10) })
	b = appendList(append(b, `,"l":`...), nodes, func(b []byte, n *process.TreeNode) []byte { return strconv.AppendInt(b, int64(n.Level), 10) })
	b = appendList(append(b, `,"c":`...), nodes, func(b []byte, n *process.TreeNode) []byte { return appendFloat(b, n.Count) })
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
	b = appendList(append(b, `,"o":`...), open, func(b []byte, i *int) []byte { return strconv.AppendInt(b, int64(*i), 10) })
	return appendEstimated(appendCharges(b, nodes), nodes)
}

// appendEstimated appends the index, sign and standard error, in ms, of nodes that are estimated, if there are any.
func appendEstimated(b []byte, nodes []process.TreeNode) []byte {
	var estimated []int
	for i := range nodes {
		if nodes[i].Estimated != gather.Exact {
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

// ticks returns self ticks by node, and index and hierarchical ticks of the nodes whose are not the sum below them.
func ticks(nodes []process.TreeNode, perSecond float64) (self []int64, exceptions [][2]int64) {
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

// ticksOf converts milliseconds to the ticks they were made of.
func ticksOf(ms, perSecond float64) int64 {
	if v := math.Round(ms * perSecond / 1000); math.Abs(v) < 1<<53 {
		return int64(v)
	}
	return 0
}

// appendTop appends [zone, entries, self ticks, hierarchical ticks] by self time, and charges of those that have any.
func appendTop(b []byte, d *process.Dump) []byte {
	return appendList(b, process.AppendZoneTotals(nil, d.Merged), func(b []byte, z *process.ZoneTotal) []byte {
		b = strconv.AppendInt(append(b, '['), int64(z.Zone), 10)
		b = appendFloat(append(b, ','), z.Count)
		b = strconv.AppendInt(append(b, ','), ticksOf(z.Self, d.TicksPerSecond), 10)
		b = strconv.AppendInt(append(b, ','), ticksOf(z.Hier, d.TicksPerSecond), 10)
		if z.Charges != (process.Charges{}) {
			b = append(appendNumbers(append(b, ",["...), &z.Charges), ']')
		}
		return append(b, ']')
	})
}

// appendHistory appends [index, length, busy, over, collections, their pause, bytes allocated, bytes live, label].
func appendHistory(b []byte, frames []process.FrameSummary) []byte {
	return appendList(b, frames, func(b []byte, f *process.FrameSummary) []byte {
		b = strconv.AppendUint(append(b, '['), f.Index, 10)
		b = appendShort(append(b, ','), f.Length)
		b = appendShort(append(b, ','), f.Busy)
		b = appendFlag(append(b, ','), f.Over)
		b = strconv.AppendUint(append(b, ','), uint64(f.Cycles), 10)
		b = appendShort(append(b, ','), f.Pause)
		b = strconv.AppendUint(append(b, ','), f.AllocBytes, 10)
		b = strconv.AppendUint(append(b, ','), f.HeapLive, 10)
		return append(appendText(append(b, ','), f.Label), ']')
	})
}

// appendSeries appends [zone, values]; the idle ones are left out, for the bars show busy time.
func appendSeries(b []byte, series []process.Series) []byte {
	var busy []process.Series
	for i := range series {
		if !series[i].Idle {
			busy = append(busy, series[i])
		}
	}
	return appendList(b, busy, func(b []byte, s *process.Series) []byte {
		b = strconv.AppendInt(append(b, '['), int64(s.Zone), 10)
		b = appendList(append(b, ','), s.Values, func(b []byte, v *float32) []byte { return appendShort(b, *v) })
		return append(b, ']')
	})
}

// appendList appends a JSON array.
func appendList[E any](b []byte, list []E, one func([]byte, *E) []byte) []byte {
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, &list[i])
	}
	return append(b, ']')
}

// appendText appends a JSON string that is safe inside a script element.
func appendText(b []byte, s string) []byte {
	quoted, err := json.Marshal(visible(s)) // escapes <, > and &
	if err != nil {
		return append(b, `""`...) // strings do not fail
	}
	return append(b, quoted...)
}

// visible returns s with control characters, direction overrides and stray bytes written as escapes, cut to mostName bytes.
func visible(s string) string {
	more := ""
	if len(s) > mostName {
		s, more = s[:mostName], "..."
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return r == '\ufffd' || r == '\\' || !strconv.IsPrint(r) }) {
		return s + more
	}
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`) + more
}

func appendFlag(b []byte, v bool) []byte {
	if v {
		return append(b, '1')
	}
	return append(b, '0')
}

// appendFloat appends v in full, 0 for what JSON has no number for.
func appendFloat(b []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(b, '0')
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

// appendShort appends milliseconds to the microsecond, which is more than a bar shows.
func appendShort(b []byte, v float32) []byte {
	return appendFloat(b, math.Round(float64(v)*1000)/1000)
}

// frameSize says what the trees of single frames take.
type frameSize struct{ kept, asked, bytes int }

func (s frameSize) String() string {
	if s.asked == 0 {
		return "no trees of single frames"
	}
	return fmt.Sprintf("trees of %d of %d frames, %d kB", s.kept, s.asked, (s.bytes+999)/1000)
}
