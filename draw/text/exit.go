package text

import (
	"cmp"
	"io"
	"slices"
	"sort"
	"strconv"

	"example.com/iprof/gather"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// WriteZones writes one line for each zone, the largest hierarchical time first, with idle zones last. A line has
// hierarchical and self time in milliseconds (wall time, which includes waiting), raw ticks with a decimal prefix,
// calls, errors (clock steps and repairs, each of which may have cost time), name, function, file and line. If it is
// known for any zone, a line also has the part of self time that was waiting. If zones were open on several goroutines
// at once, it has the average number of these. Zones are distinguished by identity: zones with equal names or positions
// keep lines of their own. Zones without time and entries are left out. Errors are the writer's. Any goroutine may call
// WriteZones. Its cost is measured by BenchmarkWriters.
func WriteZones(w io.Writer, d *report.Dump, o Options) error {
	t := zoneTable{p: newPrinter(w), d: d, zones: d.ZoneTotals(), decimals: 3}
	if d.TicksPerSecond > 0 {
		t.decimals = report.Decimals(3, 1, 1000/d.TicksPerSecond)
	}
	t.sort()
	t.layout()
	p := t.p
	p.put("profile of ", shown(d.Program), ": ", fit(float64(d.RunTime)/1e6, true), cpu(d, true, ", "), ", ")
	p.put(printed.Noun(d.Goroutines(), "goroutine"), ", ", printed.Count(d.Calls, "call"), "\n")
	for _, warning := range d.Warnings {
		p.put("warning: ", printed.Distinct(warning), "\n")
	}
	t.headings()
	top := len(t.zones)
	if o.Top != 0 {
		top = min(top, o.top())
	}
	for i := range t.zones[:top] {
		t.line(&t.zones[i])
	}
	return p.flush()
}

// cpu returns the processor time of the process and the number of processors that it kept busy, if they are known.
func cpu(d *report.Dump, ascii bool, before string) string {
	if d.CPU <= 0 || d.RunTime <= 0 {
		return ""
	}
	busy := strconv.FormatFloat(float64(d.CPU)/float64(d.RunTime), 'f', 2, 64)
	return before + "CPU " + fit(float64(d.CPU)/1e6, ascii) + " (" + busy + " processors)"
}

// zoneTable lays out the lines of WriteZones.
type zoneTable struct {
	p                  *printer
	d                  *report.Dump
	zones              []report.ZoneTotal
	nameCell, funcCell int
	crowd              bool               // zones have been open on several lanes at once
	decimals           int                // of milliseconds
	waits              bool               // the waiting time of zones is known
	units              [3]report.TimeUnit // of the columns of hierarchical, self and waiting time
	named              bool               // one of them is not ms, so each heading has its unit
}

// sort orders by hierarchical time, then self time, then name, with idle zones last, and drops empty rows.
func (t *zoneTable) sort() {
	t.zones = slices.DeleteFunc(t.zones, func(z report.ZoneTotal) bool {
		return z.Hier == 0 && z.Count == 0 && z.Errors == 0
	})
	sort.SliceStable(t.zones, func(i, k int) bool {
		a, b := &t.zones[i], &t.zones[k]
		if a.Idle != b.Idle {
			return b.Idle
		}
		return cmp.Or(cmp.Compare(b.Hier, a.Hier), cmp.Compare(b.Self, a.Self),
			cmp.Compare(t.info(a.Zone).Name, t.info(b.Zone).Name)) < 0
	})
}

func (t *zoneTable) info(zone report.ZoneID) gather.ZoneInfo { return zoneInfo(t.d.Zones, zone) }

// layout finds the widths of the text columns.
func (t *zoneTable) layout() {
	const widest = 48 // longer names push the rest of their own line
	t.nameCell, t.funcCell = len("zone"), len("function")
	hier, self, waited := 0., 0., 0.
	for i := range t.zones {
		info := t.info(t.zones[i].Zone)
		t.nameCell = max(t.nameCell, min(displayWidth(t.name(&t.zones[i])), widest))
		t.funcCell = max(t.funcCell, min(displayWidth(functionOf(info)), widest))
		t.crowd = t.crowd || t.d.AtOnce(t.zones[i].Hier) > 0
		t.waits = t.waits || t.zones[i].Waited > 0
		hier, self, waited = max(hier, t.zones[i].Hier), max(self, t.zones[i].Self), max(waited, t.zones[i].Waited)
		if t.zones[i].Idle {
			waited = max(waited, t.zones[i].Self)
		}
	}
	for i, most := range [...]float64{hier, self, waited} {
		t.units[i] = report.TimeUnitOf(most).Plain()
		t.named = t.named || t.units[i].MS != 1
	}
}

// heading returns the heading of a column of times with its unit.
func (t *zoneTable) heading(column int, heading string) string {
	return t.units[column].Heading(heading, t.named)
}

// hierCell returns the width of the column of hierarchical time.
func (t *zoneTable) hierCell() int { return max(12, displayWidth(t.heading(0, "with callees"))) }

// time formats a time of a column.
func (t *zoneTable) time(column int, ms float64) string {
	return string(t.units[column].Append(nil, ms, t.decimals))
}

func (t *zoneTable) headings() {
	t.p.right(t.heading(0, "with callees"), t.hierCell())
	if t.crowd {
		t.p.right("at once", 9)
	}
	t.p.right(t.heading(1, "self ms"), 13)
	if t.waits {
		t.p.right(t.heading(2, "waited"), 13)
	}
	t.p.right("ticks", 10)
	t.p.right("calls", 12)
	t.p.right("errors", 8)
	t.p.put("  ")
	t.p.cell("zone", t.nameCell)
	t.p.cell("function", t.funcCell)
	t.p.put("place\n")
}

func (t *zoneTable) line(z *report.ZoneTotal) {
	info := t.info(z.Zone)
	t.p.right(t.time(0, z.Hier), t.hierCell())
	if t.crowd {
		t.p.right(lanesAtOnce(t.d.AtOnce(z.Hier)), 9)
	}
	t.p.right(t.time(1, z.Self), 13)
	if t.waits {
		t.p.right(t.waited(z), 13)
	}
	t.p.right(scaled(ticksOf(z.Hier, t.d.TicksPerSecond)), 10)
	t.p.right(count(z.Count), 12)
	t.p.right(strconv.FormatUint(z.Errors, 10), 8)
	t.p.put("  ")
	t.p.cell(t.name(z), t.nameCell)
	t.p.cell(functionOf(info), t.funcCell)
	t.p.put(cmp.Or(printed.Distinct(info.Site()), "-"), state(false, z.Idle), "\n")
}

// name returns the zone's name, with a sign if its numbers are estimates.
func (t *zoneTable) name(z *report.ZoneTotal) string {
	sign := ""
	if z.Estimated != gather.EstimatedNone {
		sign = "~"
	}
	return sign + shown(t.info(z.Zone).Name)
}

// waited formats the part of a zone's self time that was waiting. For an idle zone that is all of it.
func (t *zoneTable) waited(z *report.ZoneTotal) string {
	switch {
	case z.Idle:
		return t.time(2, z.Self)
	case z.Waited == 0:
		return "-"
	}
	return t.time(2, z.Waited)
}

// lanesAtOnce formats Dump.AtOnce.
func lanesAtOnce(n float64) string {
	if n == 0 {
		return "-"
	}
	return fixed(n, 1)
}

// functionOf returns the function in which a zone is entered.
func functionOf(info gather.ZoneInfo) string {
	if info.Function == "" {
		return "-"
	}
	return shown(info.Function)
}

// scaled formats a number with four significant digits and k, M, G, T, P or E.
func scaled(n int64) string {
	v, unit := float64(n), ""
	for _, larger := range []string{"k", "M", "G", "T", "P", "E"} {
		if v < 999.95 && v > -999.95 {
			break
		}
		v, unit = v/1000, larger
	}
	if unit == "" {
		return strconv.FormatInt(n, 10)
	}
	return strconv.FormatFloat(v, 'f', fourDigits(v), 64) + unit
}
