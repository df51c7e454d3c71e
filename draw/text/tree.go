package text

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/process"
)

// mostLevels is how deep branches are drawn; below it a number says the depth, so that a line stays a line.
const mostLevels = 40

// WriteTree writes d as drawn trees: a header, one tree of all lanes, one per lane, then the zones with the greatest self
// time. Each line has hierarchical time, its percent, self time, calls and average per call in the unit that fits, raw
// hierarchical ticks, and the name. Percents are of the lane's time; in the tree of all lanes they are of the run time, so
// that a zone busy on three lanes reads 300 %. Behind a name stands, in braces, what it did besides: Alloc and Free with bytes,
// units of work and their time each, the Go heap's part. The numbers of frames as a whole come last. Zones without time and calls are left out. Cost: BenchmarkWriters.
func WriteTree(w io.Writer, d *process.Dump, o Options) error {
	t := &tree{p: newPrinter(w), o: &o, d: d, looks: looksFor(w, &o, os.Getenv), same: sameNames(d.Zones)}
	t.header()
	t.lane("all lanes", d.Merged, float64(d.RunTime)/1e6)
	for i := range d.Lanes {
		lane := &d.Lanes[i]
		t.lane("lane "+shown(lane.Name), lane.Nodes, rootTime(lane.Nodes))
	}
	t.topZones()
	t.numbers()
	return t.p.flush()
}

// tree writes one dump.
type tree struct {
	p     *printer
	o     *Options
	d     *process.Dump
	looks looks
	same  map[string]bool
}

func (t *tree) header() {
	d := t.d
	t.p.put("profile of ", shown(d.Program), "\n")
	if len(d.Arguments) > 0 {
		t.p.put("arguments ", cut(escape(strings.Join(d.Arguments, " ")), 4*mostName), "\n")
	}
	t.p.put(d.Time.Format(time.RFC3339), "  ", escape(d.GoVersion), "  ", escape(d.Machine), "\n")
	t.p.put("run time ", t.time(float64(d.RunTime)/1e6), "  calls ", strconv.FormatUint(d.Calls, 10))
	t.p.put("  frames ", strconv.FormatUint(d.Frames, 10), "  lanes ", strconv.Itoa(len(d.Lanes)))
	t.p.put("  overhead ", t.time(float64(d.Overhead)/1e6), " (", percent(float64(d.Overhead), float64(d.RunTime)), ")\n")
	for _, warning := range d.Warnings {
		t.p.put("warning: ", escape(warning), "\n")
	}
}

// time formats milliseconds for this writer.
func (t *tree) time(ms float64) string { return fit(ms, t.looks.ascii) }

// lane writes one tree. Percents are of whole milliseconds.
func (t *tree) lane(title string, nodes []process.TreeNode, whole float64) {
	t.p.put("\n", title, "\n")
	keep := keepNonzero(nodes)
	last := lastChildren(nodes, keep)
	greatest := greatestSelf(nodes)
	t.columns("calls", "zone")
	var more []bool // by level: whether the branch goes on below
	for i := range nodes {
		if !keep[i] {
			continue
		}
		level := max(0, int(nodes[i].Level))
		more = slices.Grow(more, level+1)[:level+1]
		more[level] = !last[i]
		t.node(&nodes[i], more[:level+1], whole, greatest)
	}
	if len(nodes) == 0 {
		t.p.put("  nothing measured\n")
	}
}

// The widths of a tree's columns, left to right.
const (
	cellTime    = 10
	cellPercent = 8
	cellCalls   = 11
	cellTicks   = 17
)

func (t *tree) columns(calls, name string) {
	t.p.right("hier", cellTime)
	t.p.right("%", cellPercent)
	t.p.right("self", cellTime+1)
	t.p.right(calls, cellCalls)
	t.p.right("average", cellTime+1)
	t.p.right("ticks", cellTicks)
	t.p.put("  ", name, "\n")
}

// node writes one line of a tree.
func (t *tree) node(n *process.TreeNode, more []bool, whole, greatest float64) {
	t.p.right(t.time(n.Hier), cellTime)
	t.p.right(percent(n.Hier, whole), cellPercent)
	t.hot(t.time(n.Self), cellTime+1, n.Self, greatest, n.Idle || n.Level == 0)
	t.calls(n.Count, n.Hier)
	t.p.right(strconv.FormatInt(ticksOf(n.Hier, t.d.TicksPerSecond), 10), cellTicks)
	t.p.put("  ")
	t.branch(more)
	t.name(n.Estimated.Sign(), n.Zone, n.Open, n.Idle, t.off(n.StandardError)+t.charges(&n.Charges, n.Hier))
}

// calls writes entries and the average of ms over them.
func (t *tree) calls(entries, ms float64) {
	t.p.right(count(entries), cellCalls)
	average := "-"
	if entries > 0 {
		average = t.time(ms / entries)
	}
	t.p.right(average, cellTime+1)
}

// hot writes a cell coloured by its share of the greatest in its column. Idle zones are not hot, however long they wait.
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

// branch draws the lines that lead to a name; more says by level whether the branch goes on below. The first level has none.
func (t *tree) branch(more []bool) {
	stem, gap, fork, end := "│  ", "   ", "├─ ", "└─ "
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

// name ends a line with a zone's name, its site where another zone has the same name, its state, and what it did besides.
func (t *tree) name(sign string, zone int32, open, idle bool, besides string) {
	info := zoneInfo(t.d.Zones, zone)
	s := sign + shown(info.Name)
	if t.same[info.Name] && info.File != "" {
		s += "  " + escape(site(info))
	}
	s += state(open, idle)
	if idle && t.looks.color {
		s = colorFaint + s + colorOff
	}
	t.p.put(s, besides, "\n")
}

// off says how far an estimated self time may be off.
func (t *tree) off(standardError float64) string {
	if standardError == 0 {
		return ""
	}
	return "  self +-" + t.time(standardError)
}

// keepNonzero tells which nodes have anything to say: time, calls, an open scope, or such a descendant.
func keepNonzero(nodes []process.TreeNode) []bool {
	keep := make([]bool, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		n := &nodes[i]
		keep[i] = keep[i] || n.Count != 0 || n.Self != 0 || n.Hier != 0 || n.Open || n.Charges != process.Charges{}
		if keep[i] && n.Parent >= 0 && int(n.Parent) < i {
			keep[n.Parent] = true
		}
	}
	return keep
}

// lastChildren tells which of the kept nodes are their parent's last.
func lastChildren(nodes []process.TreeNode, keep []bool) []bool {
	last := make([]bool, len(nodes))
	seen := make([]bool, len(nodes)+1) // by parent + 1
	for i := len(nodes) - 1; i >= 0; i-- {
		if parent := nodes[i].Parent + 1; keep[i] && parent >= 0 && int(parent) <= i {
			last[i] = !seen[parent]
			seen[parent] = true
		}
	}
	return last
}

// greatestSelf returns the largest self time of a node that is no root and not idle: what "hot" is measured by.
func greatestSelf(nodes []process.TreeNode) float64 {
	greatest := 0.0
	for i := range nodes {
		if n := &nodes[i]; n.Level > 0 && !n.Idle {
			greatest = max(greatest, n.Self)
		}
	}
	return greatest
}

// rootTime returns the milliseconds of all roots.
func rootTime(nodes []process.TreeNode) float64 {
	sum := 0.0
	for i := range nodes {
		if nodes[i].Parent < 0 {
			sum += nodes[i].Hier
		}
	}
	return sum
}
