package console

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// eventsKept is how many events each lane keeps by default. They take 1 MB.
const eventsKept = 1 << 16

// onOff are the arguments of switches.
var onOff = []string{"off", "on"}

// events sets how many events each lane keeps. Timelines need them. Without an argument it prints the number.
func (c *call) events() error {
	if n, _, err := number(c.rest); err == nil {
		gather.SetEvents(n)
	} else if c.rest != "" {
		at, err := choose("answer", c.rest, onOff)
		if err != nil {
			return err
		}
		gather.SetEvents(at * eventsKept)
	}
	if n := gather.Events(); n > 0 {
		c.printf("events on: the newest %d of each goroutine", n)
	} else {
		c.printf("events off")
	}
	return nil
}

// limit sets the overhead limit. Without an argument it prints the limit. Both print the overhead.
func (c *call) limit() error {
	if c.rest != "" {
		share, err := shareOf(c.rest)
		if err != nil {
			return err
		}
		gather.SetOverheadLimit(share)
	}
	measured := fmt.Sprintf("measuring takes %.2g %% of the frame", 100*c.s.Info().Overhead)
	if share := gather.OverheadLimit(); share > 0 {
		c.printf("limit %g %%; %s", math.Round(share*1e6)/1e4, measured)
	} else {
		c.printf("limit off; %s", measured)
	}
	return nil
}

// shareOf parses a percentage, or "off", and returns a share from 0 to 1. A number below 1 without "%" is the share
// itself, as SetOverheadLimit takes it.
func shareOf(typed string) (float64, error) {
	if strings.EqualFold(typed, "off") {
		return 0, nil
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(typed, "%")), 64)
	if err != nil || !(v >= 0) || v > 100 {
		return 0, fmt.Errorf("%q is neither per cent nor off", typed)
	}
	if v < 1 && !strings.HasSuffix(typed, "%") {
		return v, nil
	}
	return v / 100, nil
}

// recording switches all measuring on or off. Without an argument it prints the state.
func (c *call) recording() error {
	if err := c.option("answer", onOff, func(at int) { gather.SetRecording(at == 1) }); err != nil {
		return err
	}
	c.printf("recording %s", onOff[index(gather.Recording())])
	return nil
}

// eventDriven makes the time outside zones idle, for programs that wait for events. Without an argument it prints the
// state.
func (c *call) eventDriven() error {
	if err := c.option("answer", onOff, func(at int) { c.s.SetEventDriven(at == 1) }); err != nil {
		return err
	}
	c.printf("idle-outside %s", onOff[index(c.s.EventDriven())])
	return nil
}

func index(on bool) int {
	if on {
		return 1
	}
	return 0
}

// calls switches the per-call histogram of a zone on or off and prints it.
func (c *call) calls() error {
	zone, answer, err := c.zoneAndAnswer()
	if err != nil {
		return err
	}
	if answer != "" {
		c.s.SetPerCall(zone, answer == "on")
	}
	c.printCalls(zone)
	return nil
}

func (c *call) printCalls(zone process.ZoneID) {
	r := process.Report{Want: process.ColumnsOf(process.ColumnCallMin, process.ColumnCallP50, process.ColumnCallP99,
		process.ColumnCallMax, process.ColumnCallsCounted, process.ColumnCallsMissing)}
	c.s.AppendReportOf(&r, process.View{})
	name := text.Name(c.s.Zone(zone).Name)
	for i := range r.Records {
		v := &r.Records[i]
		if v.Zone != zone || !v.Mask.Has(process.ColumnCallsCounted) || v.Values[process.ColumnCallsCounted] == 0 {
			continue
		}
		more := "; more may not have been counted"
		if v.Mask.Has(process.ColumnCallsMissing) {
			more = fmt.Sprintf("; %.0f more could not be counted", v.Values[process.ColumnCallsMissing])
		}
		c.printf("%s: %.0f calls, min %s, p50 %s, p99 %s, max %s%s", name, v.Values[process.ColumnCallsCounted],
			text.Duration(v.Values[process.ColumnCallMin]), text.Duration(v.Values[process.ColumnCallP50]),
			text.Duration(v.Values[process.ColumnCallP99]), text.Duration(v.Values[process.ColumnCallMax]), more)
		return
	}
	c.printf("%s: no single calls are counted", name)
}

// budget sets the frame budget. Without an argument it prints the budget.
func (c *call) budget() error {
	if c.rest != "" {
		d, err := budgetOf(c.rest)
		if err != nil {
			return err
		}
		c.s.SetFrameBudget(d)
	}
	d := c.s.FrameBudget()
	c.printf("budget %s, %.4g frames a second", text.Duration(float64(d)/1e6), 1/d.Seconds())
	return nil
}

// budgetOf parses milliseconds, a duration with its unit, frames a second, or "usual". It returns 0 for the default.
func budgetOf(typed string) (time.Duration, error) {
	if strings.EqualFold(typed, "usual") {
		return 0, nil
	}
	if fps, found := strings.CutSuffix(strings.ToLower(typed), "fps"); found {
		if v, err := strconv.ParseFloat(strings.TrimSpace(fps), 64); err == nil && v >= 0.001 && v <= 1e6 {
			return time.Duration(float64(time.Second) / v), nil
		}
	} else if v, err := strconv.ParseFloat(typed, 64); err == nil && v >= 0.001 && v <= 1e6 {
		return time.Duration(v * float64(time.Millisecond)), nil
	} else if d, err := time.ParseDuration(typed); err == nil && d > 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%q is no time: say 16.7, 20ms, 60fps or usual", typed)
}

// history sets how many frames the history keeps. Without an argument it prints the limits.
func (c *call) history() error {
	if c.rest != "" {
		typed := strings.Fields(c.rest)
		n, relative, err := number(typed[0])
		if err != nil || relative || n < 2 || len(typed) > 1 {
			return fmt.Errorf("%q is no number of frames", c.rest)
		}
		c.s.SetHistory(n, n)
	}
	l := c.s.HistoryLimits()
	c.printf("history %d frames, %d of them whole, and the slowest %d", l.Frames, l.FullFrames, l.Slowest)
	return nil
}

// pin restricts reports to the nodes below a path. Without an argument it prints the path.
func (c *call) pin() error {
	if c.rest != "" {
		var path []process.ZoneID
		if !strings.EqualFold(c.rest, "off") {
			for _, name := range strings.Split(c.rest, ">") {
				zone, err := c.zone(strings.TrimSpace(name))
				if err != nil {
					return err
				}
				path = append(path, zone)
			}
		}
		c.s.PinPath(path...)
	}
	var names []string
	for _, zone := range c.s.View().Pin {
		names = append(names, text.Name(c.s.Zone(zone).Name))
	}
	if names == nil {
		c.printf("pin off: rows count everything")
		return nil
	}
	c.printf("pin: rows count what is below %s", strings.Join(names, " > "))
	return nil
}

// zone returns the zone with this name. The name may be shortened. Zones of the frame shown come first, then those of
// all measurements since start or Reset.
func (c *call) zone(typed string) (process.ZoneID, error) {
	ids, names := c.shownZones()
	at, err := choose("zone", typed, names)
	if err == nil {
		return ids[at], nil
	}
	ids, names = c.addZones(ids, names)
	if at, err = choose("zone", typed, names); err != nil {
		return -1, err
	}
	return ids[at], nil
}

// shownZones returns the zones of the frame shown, and their names.
func (c *call) shownZones() (ids []process.ZoneID, names []string) {
	var r process.Report
	view := c.s.View()
	view.Mode, view.Pin = process.ReportSelfTime, nil
	c.s.AppendReportOf(&r, view)
	for i := range r.Records {
		ids, names = append(ids, r.Records[i].Zone), append(names, text.Name(r.Records[i].Name))
	}
	return ids, names
}

// addZones appends the other zones of the totals. Their goroutines may have ended.
func (c *call) addZones(ids []process.ZoneID, names []string) ([]process.ZoneID, []string) {
	known := map[process.ZoneID]bool{}
	for _, id := range ids {
		known[id] = true
	}
	for _, n := range c.s.AppendTotals(nil) {
		if !known[n.Zone] {
			known[n.Zone] = true
			ids, names = append(ids, n.Zone), append(names, text.Name(c.s.Zone(n.Zone).Name))
		}
	}
	return ids, names
}
