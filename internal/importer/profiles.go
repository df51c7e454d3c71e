package importer

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/pprofread"
)

// perJSON is how many bytes of memory a byte of JSON takes once it is decoded.
const perJSON = 8

// decodeAll decodes a file that is one JSON value.
func decodeAll(in io.Reader, account *budget.Account, into any) error {
	var b bytes.Buffer
	for chunk := make([]byte, window); ; {
		n, err := in.Read(chunk)
		b.Write(chunk[:n])
		if over := account.Hold(int64(n) * perJSON); over != nil {
			return over
		}
		if err == io.EOF {
			return json.Unmarshal(b.Bytes(), into)
		}
		if err != nil {
			return err
		}
	}
}

// cpuProfile is a .cpuprofile of V8. Times are in microseconds.
type cpuProfile struct {
	Nodes []struct {
		ID        int64
		Parent    int64
		Children  []int64
		CallFrame struct {
			FunctionName, URL string
			LineNumber        int // from 0
		}
	}
	StartTime, EndTime json.Number
	Samples            []int64
	TimeDeltas         []json.Number
}

// readCPUProfile reads a profile of V8. A sample lasts until the next one, the last until the end.
func readCPUProfile(in io.Reader, account *budget.Account) (*Trace, error) {
	var p cpuProfile
	if err := decodeAll(in, account, &p); err != nil {
		return nil, fmt.Errorf("this is no CPU profile of V8: %w", err)
	}
	t := New(account)
	stacks, err := p.stacks(t)
	if err != nil {
		return nil, err
	}
	if len(p.Samples) != len(p.TimeDeltas) {
		return nil, fmt.Errorf("this is no CPU profile of V8: it has %d samples and %d times", len(p.Samples),
			len(p.TimeDeltas))
	}
	line := &timeline{trace: t, lane: t.laneOf("JavaScript", "JavaScript"), at: math.MinInt64}
	at, ok := inUnit(string(p.StartTime), "microseconds")
	for i, id := range p.Samples {
		delta, isDelta := inUnit(string(p.TimeDeltas[i]), "microseconds")
		stack, known := stacks[id]
		if ok = ok && isDelta; !ok || !known {
			t.leave("samples without a time or a stack", 1)
			ok = true
			continue
		}
		at += delta
		line.to(stack, at)
		if t.over != nil {
			return nil, t.over
		}
	}
	if end, ok := inUnit(string(p.EndTime), "microseconds"); ok {
		line.at = max(line.at, end)
	}
	line.cut(0)
	return t, t.over
}

// stacks returns the stacks of the nodes, the outermost zone first.
func (p *cpuProfile) stacks(t *Trace) (map[int64][]gather.ZoneID, error) {
	parents, zones := map[int64]int64{}, map[int64]gather.ZoneID{}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		if n.Parent != 0 {
			parents[n.ID] = n.Parent
		}
		for _, child := range n.Children {
			parents[child] = n.ID
		}
		name := cmp.Or(n.CallFrame.FunctionName, "(anonymous)")
		zones[n.ID] = t.zoneAt(name, strings.TrimPrefix(n.CallFrame.URL, "file://"), n.CallFrame.LineNumber+1)
		if name == "(idle)" {
			t.zones[zones[n.ID]].Idle = true
		}
	}
	all := map[int64][]gather.ZoneID{}
	for i := range p.Nodes {
		var stack []gather.ZoneID
		for id, depth := p.Nodes[i].ID, 0; ; depth++ {
			parent, inner := parents[id]
			if !inner { // the root itself is no zone
				break
			}
			if stack = append(stack, zones[id]); depth > len(p.Nodes) {
				return nil, errors.New("this is no CPU profile of V8: a node is below itself")
			}
			id = parent
		}
		slices.Reverse(stack)
		all[p.Nodes[i].ID] = stack
		t.hold(8*len(stack) + zoneSize)
		if t.over != nil {
			return nil, t.over
		}
	}
	return all, nil
}

// powers are the units of speedscope in microseconds. A number without a unit is a millisecond.
var powers = map[string]string{"nanoseconds": "e-3", "microseconds": "", "milliseconds": "e3", "seconds": "e6",
	"none": "e3", "": "e3", "bytes": "e-3"}

// inUnit reads a number of a unit of speedscope as nanoseconds.
func inUnit(number, unit string) (ns int64, ok bool) {
	e, known := powers[unit]
	if i := strings.IndexAny(number, "eE"); i >= 0 && e != "" {
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return 0, false
		}
		number = strconv.FormatFloat(v, 'f', -1, 64)
	}
	m, v := parseMoment([]byte(number + e))
	ns, ok = m.nanos(0)
	return ns, ok && known && v == isTime
}

// speedscope is a file of speedscope.
type speedscope struct {
	Shared struct {
		Frames []struct {
			Name, File string
			Line       int
		}
	}
	Profiles []scopeProfile
}

type scopeProfile struct {
	Name, Unit           string
	StartValue, EndValue json.Number
	Events               []struct {
		Type  string
		Frame int
		At    json.Number
	}
	Samples [][]int
	Weights []json.Number
}

// readSpeedscope reads a file of speedscope. Each of its profiles becomes a lane.
func readSpeedscope(in io.Reader, account *budget.Account) (*Trace, error) {
	var f speedscope
	if err := decodeAll(in, account, &f); err != nil {
		return nil, fmt.Errorf("this is no file of speedscope: %w", err)
	}
	t := New(account)
	t.whole = true
	zones := make([]gather.ZoneID, len(f.Shared.Frames))
	for i, z := range f.Shared.Frames {
		zones[i] = t.zoneAt(z.Name, z.File, z.Line)
	}
	for i := range f.Profiles {
		p := &f.Profiles[i]
		key := strconv.Itoa(i + 1)
		l := t.laneOf(key, cmp.Or(p.Name, "profile "+key))
		l.thread = key
		if p.Unit == "none" || p.Unit == "" || p.Unit == "bytes" {
			t.note = "the file has no times: a value is 1 ms here, a byte 1 ns"
		}
		begin, _ := inUnit(string(p.StartValue), p.Unit)
		line := &timeline{trace: t, lane: l, at: begin}
		p.takeEvents(line, zones)
		p.takeSamples(line, zones)
		if line.cut(0); t.over != nil {
			return nil, t.over
		}
	}
	return t, t.over
}

// takeEvents takes begins and ends. What they leave open lasts until the end.
func (p *scopeProfile) takeEvents(line *timeline, zones []gather.ZoneID) {
	for _, e := range p.Events {
		at, ok := inUnit(string(e.At), p.Unit)
		switch {
		case !ok || e.Frame < 0 || e.Frame >= len(zones):
			line.trace.leave("events without a time or a frame", 1)
		case e.Type == "O":
			line.begin(zones[e.Frame], at)
		case !line.end(zones[e.Frame], at):
			line.trace.leave(leftEnds, 1)
		}
	}
	if end, ok := inUnit(string(p.EndValue), p.Unit); ok && len(line.open) > 0 {
		line.at = max(line.at, end)
	}
	line.trace.changed.add(changedOpen, len(line.open))
}

// takeSamples takes stacks, one after another.
func (p *scopeProfile) takeSamples(line *timeline, zones []gather.ZoneID) {
	var stack []gather.ZoneID
	for k, frames := range p.Samples {
		stack = stack[:0]
		for _, at := range frames {
			if at >= 0 && at < len(zones) {
				stack = append(stack, zones[at])
			}
		}
		weight, ok := int64(0), false
		if k < len(p.Weights) {
			weight, ok = inUnit(string(p.Weights[k]), p.Unit)
		}
		if !ok || weight < 0 || line.at > latest-weight {
			line.trace.leave("samples without a time or a stack", 1)
			continue
		}
		line.to(stack, line.at)
		line.at += weight
	}
}

// readFolded reads folded stacks: a stack a line, then a number.
func readFolded(in io.Reader, account *budget.Account) (*Trace, error) {
	t := New(account)
	t.whole = true
	type line struct {
		stack []gather.ZoneID
		count int64
	}
	var lines []line
	total := int64(0)
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		stack, count, ok := foldedLine(scan.Text())
		switch {
		case strings.TrimSpace(scan.Text()) == "" || strings.HasPrefix(scan.Text(), "#"):
			continue
		case !ok || total > latest/1e6-count:
			t.leave("lines without a number", 1)
			continue
		}
		l := line{count: count}
		for name := range strings.SplitSeq(stack, ";") {
			l.stack = append(l.stack, t.zone(name))
		}
		total += count
		lines = append(lines, l)
		if t.hold(markSize + 8*len(l.stack)); t.over != nil {
			return nil, t.over
		}
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("these are no folded stacks: %w", err)
	}
	unit := int64(1)
	if t.note = "the file has no unit: its numbers are taken for nanoseconds"; total < leastNanoseconds {
		unit = 1e6
		t.note = "the file has no unit: its numbers are taken for samples, of 1 ms each"
	}
	s := newSums(t)
	for _, l := range lines {
		s.add(l.stack, l.count*unit)
	}
	s.place(t.laneOf("stacks", "stacks"), 0)
	return t, t.over
}

// leastNanoseconds is how many a file of folded stacks has in all, if its numbers are those. Fewer are samples.
const leastNanoseconds = 1_000_000

// foldedLine splits a line at its last space.
func foldedLine(s string) (stack string, count int64, ok bool) {
	s = strings.TrimRight(s, " \t\r")
	at := strings.LastIndexAny(s, " \t")
	if at < 1 {
		return "", 0, false
	}
	count, err := strconv.ParseInt(s[at+1:], 10, 64)
	return strings.TrimRight(s[:at], " \t"), count, err == nil && count >= 0
}

// readPprof reads the stacks of a profile of pprof.
func readPprof(in io.Reader, account *budget.Account) (*Trace, error) {
	kind, list, err := pprofread.Stacks(in, account)
	if err != nil {
		return nil, err
	}
	t := New(account)
	t.whole = true
	s := newSums(t)
	var stack []gather.ZoneID
	for _, x := range list {
		stack = stack[:0]
		for _, p := range x.Places {
			stack = append(stack, t.zoneAt(cmp.Or(p.Name, "(unknown)"), p.File, 0))
		}
		if x.Time < 0 {
			t.leave("stacks with a time below 0", 1)
			continue
		}
		if s.add(stack, int64(x.Time)); t.over != nil {
			return nil, t.over
		}
	}
	s.place(t.laneOf(kind, kind), 0)
	return t, t.over
}
