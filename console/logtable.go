package console

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// logTable formats the lines of one interval.
type logTable struct {
	lines    []laneLine
	sums     map[report.ZoneID]inside // of all lanes, by zone
	interval int64                    // ticks
	perMS    float64                  // ticks
	zones    []gather.ZoneInfo
}

// format returns the lines, the lane with the most time first. Lanes beyond the given number are summed by zone.
func (t *logTable) format(lanes int) string {
	place := map[report.LaneID]int{}
	for i, lane := range t.byTime() {
		place[lane] = i
	}
	slices.SortStableFunc(t.lines, func(a, b laneLine) int {
		byLane, byTime := cmp.Compare(place[a.lane], place[b.lane]), cmp.Compare(b.ticks, a.ticks)
		return cmp.Or(byLane, byTime, cmp.Compare(a.zone, b.zone))
	})
	var b strings.Builder
	others := map[report.ZoneID]int{} // lanes by zone
	for i := range t.lines {
		line := &t.lines[i]
		if place[line.lane] >= lanes {
			others[line.zone]++
			continue
		}
		fmt.Fprintf(&b, "on %s %s\n", quoted(line.name), t.words(line.zone, line.inside))
		t.sums[line.zone] = t.sums[line.zone].minus(line.inside)
	}
	t.rest(&b, others)
	return b.String()
}

// rest writes a line for each zone with the sum of the lanes that had no line of their own.
func (t *logTable) rest(b *strings.Builder, others map[report.ZoneID]int) {
	zones := make([]report.ZoneID, 0, len(t.sums))
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
		fmt.Fprintf(b, "%sother goroutines %s\n", many, t.words(zone, t.sums[zone]))
	}
}

// byTime returns the lanes, the one with the most time first.
func (t *logTable) byTime() []report.LaneID {
	time := map[report.LaneID]int64{}
	var lanes []report.LaneID
	for _, line := range t.lines {
		if _, known := time[line.lane]; !known {
			lanes = append(lanes, line.lane)
		}
		time[line.lane] += line.ticks
	}
	slices.SortStableFunc(lanes, func(a, b report.LaneID) int {
		return cmp.Or(cmp.Compare(time[b], time[a]), cmp.Compare(a, b))
	})
	return lanes
}

// words returns the part of a line after the lane.
func (t *logTable) words(zone report.ZoneID, in inside) string {
	name := ""
	if zone >= 0 && int(zone) < len(t.zones) {
		name = t.zones[zone].Name
	}
	percent := 100 * float64(in.ticks) / float64(max(1, t.interval))
	return fmt.Sprintf("zone %s: %.3f/%.0f ms %.1f%% %dx",
		quoted(name), t.ms(in.ticks), t.ms(t.interval), percent, in.calls)
}

func (t *logTable) ms(ticks int64) float64 {
	if t.perMS <= 0 {
		return 0
	}
	return float64(ticks) / t.perMS
}

// longestName is the length in bytes to which names are cut.
const longestName = 100

// quoted returns the name as a Go string, so that a name can neither control a terminal nor end its line.
func quoted(name string) string {
	if len(name) > longestName {
		return strconv.Quote(name[:longestName]) + "..."
	}
	return strconv.Quote(name)
}
