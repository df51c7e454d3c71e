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

// eventsKept is how many events each lane keeps when it is not said: 1 MB.
const eventsKept = 1 << 16

// onOff are the two answers to most questions.
var onOff = []string{"off", "on"}

// events switches the rings of events, which timelines are made of.
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
		c.say("events on: the newest %d of each lane", n)
	} else {
		c.say("events off")
	}
	return nil
}

// limit sets how much of the time measuring may take.
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
		c.say("limit %g %%; %s", math.Round(share*1e6)/1e4, measured)
	} else {
		c.say("limit off; %s", measured)
	}
	return nil
}

// shareOf reads per cent, or off.
func shareOf(typed string) (float64, error) {
	if strings.EqualFold(typed, "off") {
		return 0, nil
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(typed, "%")), 64)
	if err != nil || !(v > 0) || v > 100 {
		return 0, fmt.Errorf("%q is neither per cent nor off", typed)
	}
	return v / 100, nil
}

// recording switches measuring as a whole.
func (c *call) recording() error {
	if c.rest != "" {
		at, err := choose("answer", c.rest, onOff)
		if err != nil {
			return err
		}
		gather.SetRecording(at == 1)
	}
	c.say("recording %s", onOff[index(gather.Recording())])
	return nil
}

func index(on bool) int {
	if on {
		return 1
	}
	return 0
}

// calls counts the single calls of a zone, or tells how long they took.
func (c *call) calls() error {
	name, answer := c.rest, ""
	if at := strings.LastIndexByte(name, ' '); at >= 0 && (strings.EqualFold(name[at+1:], "on") || strings.EqualFold(name[at+1:], "off")) {
		name, answer = strings.TrimSpace(name[:at]), name[at+1:]
	}
	zone, err := c.zone(name)
	if err != nil {
		return err
	}
	if answer != "" {
		c.s.SetPerCall(zone, strings.EqualFold(answer, "on"))
	}
	c.sayCalls(zone)
	return nil
}

func (c *call) sayCalls(zone int32) {
	r := process.Report{Want: process.ColumnsOf(process.ColumnCallMin, process.ColumnCallP50, process.ColumnCallP99, process.ColumnCallMax,
		process.ColumnCallsCounted, process.ColumnCallsMissing)}
	c.s.AppendReportOf(&r, process.View{})
	name := text.Name(c.s.Zone(zone).Name)
	for i := range r.Records {
		v := &r.Records[i]
		if v.Zone != zone || !v.Mask.Has(process.ColumnCallsCounted) || v.Values[process.ColumnCallsCounted] == 0 {
			continue
		}
		c.say("%s: %.0f calls, min %s, p50 %s, p99 %s, max %s; %.0f more could not be counted", name, v.Values[process.ColumnCallsCounted],
			text.Duration(v.Values[process.ColumnCallMin]), text.Duration(v.Values[process.ColumnCallP50]), text.Duration(v.Values[process.ColumnCallP99]),
			text.Duration(v.Values[process.ColumnCallMax]), v.Values[process.ColumnCallsMissing])
		return
	}
	c.say("%s: no single calls are counted", name)
}

// budget sets how long a frame may take.
func (c *call) budget() error {
	if c.rest != "" {
		d, err := budgetOf(c.rest)
		if err != nil {
			return err
		}
		c.s.SetFrameBudget(d)
	}
	d := c.s.FrameBudget()
	c.say("budget %s, %.4g frames a second", text.Duration(float64(d)/1e6), 1/d.Seconds())
	return nil
}

// budgetOf reads milliseconds, a duration with its unit, frames a second, or usual.
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

// history sets how many frames are remembered.
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
	c.say("history %d frames, %d of them whole, and the slowest %d", l.Frames, l.FullFrames, l.Slowest)
	return nil
}

// pin makes rows count what happened below a path only.
func (c *call) pin() error {
	if c.rest != "" {
		var path []int32
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
		c.say("pin off: rows count everything")
		return nil
	}
	c.say("pin: rows count what is below %s", strings.Join(names, " > "))
	return nil
}

// zone finds a zone of the frame shown by its name, or its beginning.
func (c *call) zone(typed string) (int32, error) {
	var r process.Report
	view := c.s.View()
	view.Mode, view.Pin = process.SelfTime, nil
	c.s.AppendReportOf(&r, view)
	zones := make([]string, len(r.Records))
	for i := range r.Records {
		zones[i] = text.Name(r.Records[i].Name)
	}
	at, err := choose("zone", typed, zones)
	if err != nil {
		return -1, err
	}
	return r.Records[at].Zone, nil
}
