package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/gather"
)

// logTable is the lines of one interval.
type logTable struct {
	lines    []laneLine
	sums     map[int32]inside // of all lanes, by zone
	interval int64            // ticks
	perMS    float64          // ticks
	zones    []gather.ZoneInfo
}

// format writes the lines, lane by lane, those with the most time first, and sums up the lanes that are too many.
func (t *logTable) format(lanes int) string {
	place := map[uint64]int{}
	for i, lane := range t.byTime() {
		place[lane] = i
	}
	slices.SortStableFunc(t.lines, func(a, b laneLine) int {
		return cmp.Or(cmp.Compare(place[a.lane], place[b.lane]), cmp.Compare(b.ticks, a.ticks), cmp.Compare(a.zone, b.zone))
	})
	var b strings.Builder
	others := map[int32]int{} // lanes by zone
	for i := range t.lines {
		line := &t.lines[i]
		if place[line.lane] >= lanes {
			others[line.zone]++
			continue
		}
		fmt.Fprintf(&b, "lane %s %s\n", quoted(line.name), t.words(line.zone, line.inside))
		t.sums[line.zone] = t.sums[line.zone].minus(line.inside)
	}
	t.rest(&b, others)
	return b.String()
}

// rest writes what is left of the sums.
func (t *logTable) rest(b *strings.Builder, others map[int32]int) {
	zones := make([]int32, 0, len(t.sums))
	for zone, left := range t.sums {
		if left.calls > 0 || others[zone] > 0 {
			zones = append(zones, zone)
		}
	}
	slices.Sort(zones)
	for _, zone := range zones {
		many := ""
		if others[zone] > 0 {
			many = strconv.Itoa(others[zone]) + " "
		}
		fmt.Fprintf(b, "%sother lanes %s\n", many, t.words(zone, t.sums[zone]))
	}
}

// byTime returns the lanes, the most time first.
func (t *logTable) byTime() []uint64 {
	time := map[uint64]int64{}
	var lanes []uint64
	for _, line := range t.lines {
		if _, known := time[line.lane]; !known {
			lanes = append(lanes, line.lane)
		}
		time[line.lane] += line.ticks
	}
	slices.SortStableFunc(lanes, func(a, b uint64) int { return cmp.Or(cmp.Compare(time[b], time[a]), cmp.Compare(a, b)) })
	return lanes
}

// words is the part of a line after the lane.
func (t *logTable) words(zone int32, in inside) string {
	name := ""
	if zone >= 0 && int(zone) < len(t.zones) {
		name = t.zones[zone].Name
	}
	percent := 100 * float64(in.ticks) / float64(max(1, t.interval))
	return fmt.Sprintf("zone %s: %.3f/%.0f ms %.1f%% %dx", quoted(name), t.ms(in.ticks), t.ms(t.interval), percent, in.calls)
}

func (t *logTable) ms(ticks int64) float64 {
	if t.perMS <= 0 {
		return 0
	}
	return float64(ticks) / t.perMS
}

// longestName is where a line cuts a name, in bytes.
const longestName = 100

// quoted writes a name as Go would, so that none can drive a terminal, or look like the end of its line.
func quoted(name string) string {
	if len(name) > longestName {
		return strconv.Quote(name[:longestName]) + "..."
	}
	return strconv.Quote(name)
}
