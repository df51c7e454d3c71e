package text

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// mostLevels is the deepest level with drawn branches. Below it a number gives the depth, so that lines do not grow.
const mostLevels = 40

// WriteTree writes d as drawn trees. First comes a header with the verdict on the slowest frame, then a tree of all
// lanes, a tree for each lane, the zones with the greatest self time, and the numbers of frames as a whole.
//
// Each line has hierarchical time, its percentage, self time, calls, average per call, raw hierarchical ticks, and the
// name. The heading of a column has its unit. Times are wall time and include waiting. Percentages refer to the lane's
// time. In the tree of all lanes they refer to the run time, which is the time of its root. A zone that was open on
// several lanes for longer than the program ran has the mean number of lanes instead: "3.0 at once". Braces after a
// name contain its other charges: Alloc and Free with bytes, units of work and the time of each, and its part of the Go
// heap. Zones without time and calls are left out. If the dump has left out nodes (see [report.DumpOptions]), a last
// line below their parent has their number and time: "… and 12 more". Two or more idle zones below a root or in the
// list have such a line unless Options.Idle lists them: "… and 3 that wait". Errors are the writer's. Any goroutine may
// call WriteTree. Its cost is measured by BenchmarkWriters.
func WriteTree(w io.Writer, d *report.Dump, o Options) error {
	t := &tree{p: newPrinter(w), o: &o, d: d, looks: looksFor(w, &o, os.Getenv), same: sameNames(d.Zones),
		share: cellPercent}
	t.header()
	if atOnce(d, d.Merged) {
		t.share = cellAtOnce
	}
	t.lane("all goroutines", d.Merged, float64(d.RunTime)/1e6)
	t.share = cellPercent
	for i := range d.Lanes {
		lane := &d.Lanes[i]
		t.lane("on "+shown(lane.Name)+t.cpuOf(lane), lane.Nodes, rootTime(lane.Nodes))
	}
	t.topZones()
	t.numbers()
	if t.folded {
		t.p.put("\n", foldedIdle, "\n")
	}
	return t.p.flush()
}

// tree writes one dump.
type tree struct {
	p     *printer
	o     *Options
	d     *report.Dump
	looks looks
	same  map[string]bool
	share int                // width of the column of shares
	units [3]report.TimeUnit // of the columns of hierarchical time, self time and time per call

	folded bool // idle zones were left out
}

func (t *tree) header() {
	d := t.d
	t.p.put("profile of ", shown(d.Program), "\n")
	if len(d.Arguments) > 0 {
		t.p.put("arguments ", cut(printed.Distinct(strings.Join(d.Arguments, " ")), 4*mostName), "\n")
	}
	t.p.put(d.Time.Format(time.RFC3339), "  ", printed.Distinct(d.GoVersion), "  ", printed.Distinct(d.Machine), "\n")
	t.p.put("run time ", t.time(float64(d.RunTime)/1e6), cpu(d, t.looks.ascii, "  "),
		"  calls ", strconv.FormatUint(d.Calls, 10))
	t.p.put("  frames ", strconv.FormatUint(d.Frames, 10), "  goroutines ", d.Goroutines())
	t.p.put("  overhead ", t.time(float64(d.Overhead)/1e6),
		" (", percent(float64(d.Overhead), float64(d.RunTime)), ")", t.between(), "\n")
	if d.Verdict.Found() {
		t.p.put(verdictAt(&d.Verdict, inZones(d.Zones)), "\n")
	}
	for _, warning := range d.Warnings {
		t.p.put("warning: ", printed.Distinct(warning), "\n")
	}
}

// between returns the interval of the true overhead.
func (t *tree) between() string {
	if d := t.d; d.OverheadHigh > 0 {
		return ", from " + t.time(float64(d.OverheadLow)/1e6) + " to " + t.time(float64(d.OverheadHigh)/1e6)
	} else if d.Calls > 0 {
		return ", error not known"
	}
	return ""
}

// cpuOf returns the processor time of a lane's thread, if it is known, and its share of the lane's time.
func (t *tree) cpuOf(l *report.LaneTree) string {
	if l.CPU <= 0 {
		return ""
	}
	ms := float64(l.CPU) / 1e6
	return "  CPU " + t.time(ms) + " (" + strings.TrimSpace(percent(ms, rootTime(l.Nodes))) + ")"
}

// time formats milliseconds for this writer.
func (t *tree) time(ms float64) string { return fit(ms, t.looks.ascii) }

// lane writes one tree. whole is 100 %, in milliseconds.
func (t *tree) lane(title string, nodes []report.TreeNode, whole float64) {
	t.p.put("\n", title, "\n")
	keep := keepNonzero(nodes)
	last := lastChildren(nodes, keep)
	greatest := greatestSelf(nodes)
	t.chooseUnits(len(nodes), func(i int) [3]float64 {
		n := &nodes[i]
		return [...]float64{n.Hier, n.Self, perCall(n.Count, n.Hier)}
	})
	t.columns()
	cuts := cutLines{t: t, whole: whole}
	if !t.o.Idle {
		nodes = cuts.foldIdle(nodes, last)
	}
	for i := range nodes {
		if !keep[i] {
			continue
		}
		level := max(0, int(nodes[i].Level))
		cuts.above(level)
		cuts.more = slices.Grow(cuts.more, level+1)[:level+1]
		cuts.more[level] = !last[i]
		t.node(&nodes[i], cuts.more, whole, greatest)
		cuts.note(i, &nodes[i], level)
	}
	cuts.above(0)
	if len(nodes) == 0 {
		t.p.put("  nothing measured\n")
	}
}

// The widths of a tree's columns, left to right.
const (
	cellHier    = 15
	cellTime    = 12
	cellPercent = 8
	cellAtOnce  = 14 // instead of the share, if lanes ran at the same time
	cellCalls   = 11
	cellTicks   = 17
)

// chooseUnits chooses a unit for each column of times, by the longest of n rows.
func (t *tree) chooseUnits(n int, of func(row int) [3]float64) {
	most := [3]float64{}
	for i := range n {
		for column, ms := range of(i) {
			most[column] = max(most[column], ms)
		}
	}
	for column, ms := range most {
		if t.units[column] = report.TimeUnitOf(ms); t.looks.ascii {
			t.units[column] = t.units[column].Plain()
		}
	}
}

// perCall returns the time of an entry.
func perCall(entries, ms float64) float64 {
	if entries > 0 {
		return ms / entries
	}
	return 0
}

func (t *tree) columns() {
	t.p.right(t.heading(0, "with callees"), cellHier)
	t.p.right("%", t.share)
	t.p.right(t.heading(1, "self"), cellTime+1)
	t.p.right("calls", cellCalls)
	t.p.right(t.heading(2, "per call"), cellTime+1)
	t.p.right("ticks", cellTicks)
	t.p.put("  zone\n")
}

// heading returns the heading of a column of times with its unit.
func (t *tree) heading(column int, words string) string { return words + " " + t.units[column].Name }

// decimals are those of milliseconds in columns.
const decimals = 3

// cell formats milliseconds in the unit of a column.
func (t *tree) cell(column int, ms float64) string {
	return string(t.units[column].Append(nil, ms, decimals))
}

// node writes one line of a tree.
func (t *tree) node(n *report.TreeNode, more []bool, whole, greatest float64) {
	t.p.right(t.cell(0, n.Hier), cellHier)
	t.p.right(shareOf(n.Hier, whole), t.share)
	t.hot(t.cell(1, n.Self), cellTime+1, n.Self, greatest, n.Idle || n.Level == 0)
	t.calls(n.Count, n.Hier)
	t.p.right(strconv.FormatInt(ticksOf(n.Hier, t.d.TicksPerSecond), 10), cellTicks)
	t.p.put("  ")
	t.branch(more)
	t.name(n.Estimated.Sign(), n.Zone, n.Open, n.Idle, t.off(n)+t.charges(&n.Charges, n.Hier))
}

// calls writes the number of entries, and the average of ms over them.
func (t *tree) calls(entries, ms float64) {
	t.p.right(count(entries), cellCalls)
	average := "-"
	if entries > 0 {
		average = t.cell(2, ms/entries)
	}
	t.p.right(average, cellTime+1)
}

// hot writes a cell with the colour of its share of the greatest value in its column. Idle zones are never hot.
func (t *tree) hot(s string, width int, value, greatest float64, idle bool) {
	color := ""
	if !idle {
		color = t.looks.heatColor(value, greatest)
	}
	if color == "" {
		t.p.right(s, width)
		return
	}
	t.p.spaces(width - displayWidth(s))
	t.p.put(color, s, colorOff)
}

// branch draws the lines that lead to a name. more says for each level whether the branch continues below. Level 0 has
// no branch.
func (t *tree) branch(more []bool) {
	stem := "│  "
	gap := "   "
	fork := "├─ "
	end := "└─ "
	if t.looks.ascii {
		stem, fork, end = "|  ", "|- ", "`- "
	}
	if len(more) > mostLevels {
		t.p.put("(depth ", strconv.Itoa(len(more)-1), ") ")
		return
	}
	for level := 1; level < len(more); level++ {
		switch {
		case level < len(more)-1 && more[level]:
			t.p.put(stem)
		case level < len(more)-1:
			t.p.put(gap)
		case more[level]:
			t.p.put(fork)
		default:
			t.p.put(end)
		}
	}
}

// name ends a line with a zone's name, its site if another zone has the same name, its state, and its charges.
func (t *tree) name(sign string, zone report.ZoneID, open, idle bool, besides string) {
	info := zoneInfo(t.d.Zones, zone)
	s := sign + shown(info.Name)
	if t.same[info.Name] && info.File != "" {
		s += "  " + printed.Distinct(info.Site())
	}
	s += state(open, idle)
	if idle && t.looks.color {
		s = colorFaint + s + colorOff
	}
	t.p.put(s, besides, "\n")
}

// off returns the error bar of an estimated self time: two standard errors.
func (t *tree) off(n *report.TreeNode) string {
	if n.StandardError == 0 {
		return ""
	}
	return "  self +-" + t.time(2*n.StandardError)
}

// shareOf returns a time as a percentage of the whole, or the number of lanes at once if it is more than the whole.
func shareOf(ms, whole float64) string {
	if n := report.AtOnce(ms, report.DurationOf(whole/1000)); n > 0 {
		return fixed(n, 1) + " at once"
	}
	return percent(ms, whole)
}
