package viewer

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/table"
)

// toggleSampling starts or stops the sampling of the program.
func toggleSampling(s *process.Session, p *Panel) {
	if s == nil {
		return
	}
	source := s.Sources().Sampler
	if source == nil {
		p.Note("nothing samples this program: see the module exectrace")
		return
	}
	rate := 0
	if source.Sampling() == 0 {
		rate = report.MinSampling
	}
	if err := source.SetSampling(rate); err != nil {
		p.Note(err.Error())
	}
}

// cycleSampling chooses the next sampling rate. After the last it stops sampling.
func cycleSampling(s *process.Session, p *Panel) {
	if s == nil || s.Sources().Sampler == nil {
		toggleSampling(s, p) // shows the reason
		return
	}
	source, next := s.Sources().Sampler, 0
	for _, rate := range [...]int{report.MaxSampling, 500, 250, report.MinSampling} {
		if rate > source.Sampling() {
			next = rate
		}
	}
	if err := source.SetSampling(next); err != nil {
		p.Note(err.Error())
		return
	}
	p.Note(fmt.Sprintf("%d samples a second of processor time", next))
}

// toggleRecording switches measuring off, or on again.
func toggleRecording(_ *process.Session, p *Panel) {
	on := !gather.Recording()
	if gather.SetRecording(on); on {
		p.Note("recording on")
		return
	}
	p.Note("recording off: zones are not measured")
}

// toggleIdleOutside makes the time outside zones idle, or busy again.
func toggleIdleOutside(s *process.Session, p *Panel) {
	on := !s.EventDriven()
	if s.SetEventDriven(on); on {
		p.Note("time outside zones is idle from now on")
		return
	}
	p.Note("time outside zones is busy from now on")
}

// overheadLimits are the limits that the menu cycles through. 0 means no limit.
var overheadLimits = [...]float64{0, 0.05, 0.02, 0.01}

// cycleOverheadLimit chooses the next overhead limit. After the least comes no limit.
func cycleOverheadLimit(_ *process.Session, p *Panel) {
	now, next := gather.OverheadLimit(), overheadLimits[0]
	for _, limit := range overheadLimits[1:] {
		if now == 0 || limit < now*0.999 {
			next = limit
			break
		}
	}
	if gather.SetOverheadLimit(next); next == 0 {
		p.Note("overhead limit off: every zone is timed")
		return
	}
	p.Note("overhead limit " + strconv.Itoa(int(next*100+0.5)) + " %: above it, small zones are estimated")
}

// cycleZoneBudget chooses the next greater budget for the cursor's zone. After the greatest comes no budget.
func cycleZoneBudget(s *process.Session, p *Panel) {
	r, ok := cursorRecord(p.view)
	if !ok {
		return
	}
	now, next := s.Budget(r.Zone), time.Duration(0)
	for _, step := range table.BudgetSteps {
		if step > now {
			next = step
			break
		}
	}
	if s.SetBudget(r.Zone, next); next == 0 {
		p.Note(r.Name + ": no budget")
		return
	}
	p.Note(r.Name + ": red above " + next.String() + " a frame")
}

// historyDepths are the numbers of frames that the menu cycles through.
var historyDepths = [...]int{300, 1000, 3000, 10_000}

// cycleHistory chooses the next greater depth of the history. After the greatest comes the least. Other bounds stay.
func cycleHistory(s *process.Session, p *Panel) {
	l, next := s.HistoryLimits(), historyDepths[0]
	for _, n := range historyDepths {
		if n > l.Frames {
			next = n
			break
		}
	}
	l.Frames, l.FullFrames = next, next
	s.SetHistoryLimits(l)
	p.Note("history of " + printed.Count(next, "frame"))
}

// resetQuestion is the question before a reset: a slip of the finger would cost a history.
const resetQuestion = "forget all measurements? once more: yes"

// askReset asks, and forgets all measurements when the command is repeated while the question is shown.
func askReset(s *process.Session, p *Panel) {
	if !p.Ask(resetQuestion) {
		return
	}
	s.Reset()
	if words := "all measurements are forgotten"; s.CanUndoReset() {
		if key := p.keyName("undo"); key != "" {
			words += ": " + key + " brings them back for a minute"
		}
		p.noteFor(3*noteTime, words)
	}
	p.history.reset(true)
}

// undoReset restores the measurements of before the last reset.
func undoReset(s *process.Session, p *Panel) {
	p.history.reset(false)
	if s.UndoReset() {
		p.Note("the measurements from before the reset are back, those since it are put away")
		return
	}
	p.Note("nothing to bring back: that is possible for a minute after a reset")
}

// cycleMemory goes on to the next memory mode. A note and the memory strip show the new mode.
func cycleMemory(s *process.Session, p *Panel) {
	was := s.MemoryMode()
	s.SetMemoryMode((was + 1) % measure.NumMemoryModes)
	if s.MemoryMode() == was {
		p.Note("a recording has what was measured: memory mode " + was.String())
		return
	}
	p.Note("memory mode: " + s.MemoryMode().String())
}

// toggleTrace starts the program's execution trace, or stops it. The footer shows its cost.
func toggleTrace(s *process.Session, p *Panel) {
	if s == nil {
		return // a panel without a session
	}
	state, _ := s.Sources().Tracing()
	if err := s.Sources().SetTracing(!state.On); err != nil {
		p.Note(err.Error())
		return
	}
	state, _ = s.Sources().Tracing()
	p.Note(state.String())
}

// events sets the number of events that each lane keeps. Timelines need events. Without an argument it prints the
// number.
func (t *Line) events() error {
	if n, _, err := number(t.Rest); err == nil {
		gather.SetEvents(n)
	} else if t.Rest != "" {
		at, err := Choose("answer", t.Rest, onOff)
		if err != nil {
			return err
		}
		gather.SetEvents(at * timelineEvents)
	}
	if n := gather.Events(); n > 0 {
		t.Printf("events on: the newest %d of each goroutine", n)
	} else {
		t.Printf("events off")
	}
	return nil
}

// limit sets the overhead limit. Without an argument it prints the limit. Both print the overhead.
func (t *Line) limit() error {
	if t.Rest != "" {
		share, err := shareOf(t.Rest)
		if err != nil {
			return err
		}
		gather.SetOverheadLimit(share)
	}
	measured := fmt.Sprintf("measuring takes %.2g %% of the frame", 100*t.Panel.view.Info().Overhead)
	if share := gather.OverheadLimit(); share > 0 {
		t.Printf("limit %g %%; %s", math.Round(share*1e6)/1e4, measured)
	} else {
		t.Printf("limit off; %s", measured)
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
func (t *Line) recording() error {
	if err := t.option("answer", onOff, func(at int) { gather.SetRecording(at == 1) }); err != nil {
		return err
	}
	t.Printf("recording %s", onOff[index(gather.Recording())])
	return nil
}

// eventDriven makes the time outside zones idle, for programs that wait for events. Without an argument it prints the
// state.
func (t *Line) eventDriven() error {
	if err := t.option("answer", onOff, func(at int) { t.Session.SetEventDriven(at == 1) }); err != nil {
		return err
	}
	t.Printf("idle-outside %s", onOff[index(t.Session.EventDriven())])
	return nil
}

// calls switches the per-call histogram of a zone on or off and prints it, or prints its calls over a time.
func (t *Line) calls() error {
	if asked, err := longCalls(t); asked {
		return err
	}
	zone, answer, err := t.zoneAndAnswer()
	if err != nil {
		return err
	}
	if answer != "" {
		t.Session.SetPerCall(zone, answer == "on")
	}
	printCalls(t, zone)
	return nil
}

func printCalls(t *Line, zone report.ZoneID) {
	r := report.Report{Want: report.ColumnsOf(report.ColumnCallMin, report.ColumnCallP50, report.ColumnCallP99,
		report.ColumnCallMax, report.ColumnCallsCounted, report.ColumnCallsMissing)}
	t.Panel.view.AppendReportOf(&r, report.View{})
	name := text.Name(t.Session.Zone(zone).Name)
	for i := range r.Records {
		v := &r.Records[i]
		if v.Zone != zone || !v.Mask.Has(report.ColumnCallsCounted) || v.Values[report.ColumnCallsCounted] == 0 {
			continue
		}
		more := "; more may not have been counted"
		if v.Mask.Has(report.ColumnCallsMissing) {
			more = fmt.Sprintf("; %.0f more could not be counted", v.Values[report.ColumnCallsMissing])
		}
		reading := func(c report.Column) string { return text.Reading(v.Values[c], r.Tick) }
		t.Printf("%s: %s, min %s, p50 %s, p99 %s, max %s%s", name,
			printed.Count(int(v.Values[report.ColumnCallsCounted]), "call"),
			reading(report.ColumnCallMin), reading(report.ColumnCallP50), reading(report.ColumnCallP99),
			reading(report.ColumnCallMax), more)
		return
	}
	t.Printf("%s: no single calls are counted", name)
}

// budget sets the frame budget. Without an argument it prints the budget.
func (t *Line) budget() error {
	if t.Rest != "" {
		d, err := budgetOf(t.Rest)
		if err != nil {
			return err
		}
		t.Session.SetFrameBudget(d)
	}
	d := t.Session.FrameBudget()
	t.Printf("budget %s, %.4g frames a second", text.Duration(float64(d)/1e6), 1/d.Seconds())
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
	return 0, fmt.Errorf("%q is not a time: say 16.7, 20ms, 60fps or usual", typed)
}

// history sets the number of frames in the history. Without an argument it prints the limits.
func (t *Line) history() error {
	if t.Rest != "" {
		typed := strings.Fields(t.Rest)
		n, relative, err := number(typed[0])
		if err != nil || relative || n < 2 || len(typed) > 1 {
			return fmt.Errorf("%q is not a number of frames", t.Rest)
		}
		t.Session.SetHistory(n, n)
	}
	l := t.Session.HistoryLimits()
	t.Printf("history %s, %d of them whole, and the slowest %d", printed.Count(l.Frames, "frame"), l.FullFrames,
		l.Slowest)
	return nil
}

// memory sets the memory mode, which chooses how allocations are measured. Without an argument it prints the memory
// that the profiler holds and the figures of the Go heap in the frame shown.
func (t *Line) memory() error {
	if t.Rest == "" {
		printMemory(t)
		return nil
	}
	var modes []string
	for m := range gather.MemoryMode(measure.NumMemoryModes) {
		modes = append(modes, m.String())
	}
	at, err := Choose("memory mode", t.Rest, modes)
	if err != nil {
		return err
	}
	t.Session.SetMemoryMode(gather.MemoryMode(at))
	t.Printf("memory %s", t.Session.MemoryMode())
	return nil
}

func printMemory(t *Line) {
	frames := t.Session.AppendFrames(nil, t.Panel.view.Info().Age+1)
	if len(frames) == 0 {
		t.printFrame()
		return
	}
	f := &frames[0]
	printHeld(t)
	t.Printf("frame %d: %s in %s allocated, %s live, %s, %s of pauses; mode %s, which took %s",
		f.Index, size(f.AllocBytes), printed.Count(int(f.AllocObjects), "object"), size(f.HeapLive),
		printed.Count(int(f.Cycles), "collection"), text.Duration(float64(f.Pause)),
		f.Memory, text.Duration(float64(f.HeapCost)))
}

// printHeld prints the memory that the profiler holds. It prints nothing without a limit.
func printHeld(t *Line) {
	if m := gather.MemoryUsed(); m.Limit > 0 {
		t.Printf("the profiler holds %s of %s: nodes %s, goroutines %s, names %s, events %s, single calls %s",
			sizeOf(m.Total()), sizeOf(m.Limit), sizeOf(m.Nodes), sizeOf(m.Lanes), sizeOf(m.Names), sizeOf(m.Events),
			sizeOf(m.Calls))
	}
}

func sizeOf(n int64) string { return size(uint64(max(n, 0))) }

// size formats a number of bytes with the unit that fits.
func size(n uint64) string {
	units := []string{"kB", "MB", "GB", "TB", "PB", "EB"}
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	v, at := float64(n)/1000, 0
	for v >= 999.95 && at < len(units)-1 {
		v, at = v/1000, at+1
	}
	return fmt.Sprintf("%.1f %s", v, units[at])
}

// zoneBudget sets the time that a zone may take in a frame. Without an argument it is the command of the menu.
func (t *Line) zoneBudget() error {
	if t.Rest == "" {
		t.act()
		return nil
	}
	at := strings.LastIndexByte(t.Rest, ' ')
	if at < 0 {
		return errors.New("say a zone and a time, as: zone-budget physics 4ms, or off for none")
	}
	zone, err := t.zone(strings.TrimSpace(t.Rest[:at]))
	if err != nil {
		return err
	}
	if typed := t.Rest[at+1:]; strings.EqualFold(typed, "off") {
		t.Session.SetBudget(zone, 0)
	} else {
		d, err := budgetOf(typed)
		if err != nil {
			return err
		}
		t.Session.SetBudget(zone, d)
	}
	name := text.Name(t.Session.Zone(zone).Name)
	if d := t.Session.Budget(zone); d > 0 {
		t.Printf("%s: budget %v a frame", name, d)
	} else {
		t.Printf("%s: no budget", name)
	}
	return nil
}

// trace starts or stops the program's execution trace, or takes states of goroutines: now, or at an interval in
// milliseconds. It prints the cost of the trace.
func (t *Line) trace() error {
	if err := setTrace(t); err != nil {
		return err
	}
	state, _ := t.Session.Sources().Tracing()
	t.Printf("%s", state)
	return nil
}

// traceWords are the arguments of trace, besides a number.
var traceWords = []string{"off", "on", "take"}

func setTrace(t *Line) error {
	if t.Rest == "" {
		return nil
	}
	if every, err := strconv.ParseUint(t.Rest, 10, 20); err == nil {
		return t.Session.Sources().TakeStatesEvery(time.Duration(every) * time.Millisecond)
	}
	at, err := Choose("answer", t.Rest, traceWords)
	switch {
	case err != nil:
		return err
	case traceWords[at] == "take":
		return t.Session.Sources().TakeStates()
	}
	return t.Session.Sources().SetTracing(at == 1)
}

// errNoSamples is the error of a program without a sampler.
var errNoSamples = errors.New("nothing samples this program: it does not call exectrace.Watch(iprof.Default())")

// errSamplingRate is the error of an unknown sampling rate.
func errSamplingRate() error {
	return fmt.Errorf("the rate is %d to %d samples a second of processor time", report.MinSampling,
		report.MaxSampling)
}

// sample starts the sampling of the program for hot lines at a rate, or stops it. Without an argument it prints the
// state.
func (t *Line) sample() error {
	source := t.Session.Sources().Sampler
	if source == nil {
		return errNoSamples
	}
	if t.Rest != "" {
		rate, err := strconv.Atoi(t.Rest)
		if err != nil {
			at := 0
			at, err = Choose("answer", t.Rest, onOff)
			rate = at * report.MinSampling
		} else if rate < report.MinSampling || rate > report.MaxSampling {
			return errSamplingRate()
		}
		if err == nil {
			err = source.SetSampling(rate)
		}
		if err != nil {
			return err
		}
	}
	switch rate := source.Sampling(); rate {
	case 0:
		t.Printf("sample off")
	case report.MinSampling:
		t.Printf("sample on")
	default:
		t.Printf("sample on, %d a second", rate)
	}
	return nil
}

func (t *Line) reset() {
	t.Session.Reset()
	t.Printf("all measurements forgotten; undo brings them back for a minute")
}

func (t *Line) undo() {
	if t.Session.UndoReset() {
		t.Printf("the measurements from before the reset are back, those since it are put away")
		return
	}
	t.Printf("nothing to bring back: that is possible for a minute after a reset")
}
