package importer

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
)

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

// length is an optional time in nanoseconds.
type length struct {
	ns int64
	ok bool
}

func lengthIn(value []byte, unit string) length {
	ns, ok := inUnit(nameIn(value), unit)
	return length{ns, ok}
}

// scopeFile is a file of speedscope.
type scopeFile struct {
	*document
	trace *Trace
	zones []gather.ZoneID // by frame
}

// readSpeedscope reads a file of speedscope. Each of its profiles becomes a lane.
func readSpeedscope(in io.Reader, account *budget.Account) (*Trace, error) {
	d, err := readDocument(in, account)
	if err != nil {
		return nil, fmt.Errorf("this is no file of speedscope: %w", err)
	}
	f := scopeFile{document: d, trace: New(account)}
	f.trace.whole = true
	var profiles []byte
	d.fields(d.text, func(key string, v []byte) {
		switch key {
		case "shared":
			d.fields(v, func(key string, v []byte) {
				if key == "frames" {
					d.items(v, f.frame)
				}
			})
		case "profiles":
			profiles = v
		}
	})
	if profiles == nil {
		return nil, errors.New("this is no file of speedscope: it has no profiles")
	}
	f.profiles(profiles)
	f.trace.Unfinished = d.cut
	return f.trace, f.trace.over
}

// frame reads a frame. Even an incomplete frame gets a zone, because frames are identified by their place in the list.
func (f *scopeFile) frame(frame []byte) {
	name, file, line := f.document.frame(frame, "name", "file", "line")
	f.zones = append(f.zones, f.trace.zoneAt(name, file, line))
}

func (f *scopeFile) profiles(list []byte) {
	n := 0
	f.items(list, func(profile []byte) {
		if n++; profile[0] != '{' {
			f.trace.leave("values in the list beside profiles", 1)
			return
		}
		p := scopeProfile{scopeFile: f}
		p.read(profile)
		if f.trace.over == nil {
			p.place(strconv.Itoa(n))
		}
	})
}

// scopeProfile is a profile in a file of speedscope. Its values are the file's text.
type scopeProfile struct {
	*scopeFile
	name, unit                           string
	start, end, events, samples, weights []byte
}

func (p *scopeProfile) read(profile []byte) {
	p.fields(profile, func(key string, v []byte) {
		switch key {
		case "name":
			p.name = nameIn(v)
		case "unit":
			p.unit = nameIn(v)
		case "startValue":
			p.start = v
		case "endValue":
			p.end = v
		case "events":
			p.events = v
		case "samples":
			p.samples = v
		case "weights":
			p.weights = v
		}
	})
}

// place makes slices of the events or samples, on a lane.
func (p *scopeProfile) place(key string) {
	t := p.trace
	if p.events == nil && p.samples == nil {
		t.leave("profiles without events or samples", 1)
		return
	}
	if p.unit == "none" || p.unit == "" || p.unit == "bytes" {
		t.note = "the file has no times: a value is 1 ms here, a byte 1 ns"
	}
	l := t.laneOf(key, cmp.Or(p.name, "profile "+key))
	l.thread = key
	line := &timeline{trace: t, lane: l, at: lengthIn(p.start, p.unit).ns}
	p.takeEvents(line)
	p.takeSamples(line)
	line.cut(0)
}

// takeEvents takes begins and ends. Open slices last until the end.
func (p *scopeProfile) takeEvents(line *timeline) {
	t := p.trace
	p.items(p.events, func(event []byte) {
		kind, frame, at := "", int64(-1), length{}
		p.fields(event, func(key string, v []byte) {
			switch key {
			case "type":
				kind = nameIn(v)
			case "frame":
				if n, ok := numberIn(v); ok {
					frame = n
				}
			case "at":
				at = lengthIn(v, p.unit)
			}
		})
		switch {
		case t.over != nil:
		case !at.ok || frame < 0 || frame >= int64(len(p.zones)) || kind != "O" && kind != "C":
			t.leave("events without a time or a frame", 1)
		case kind == "O":
			line.begin(p.zones[frame], at.ns)
		case !line.end(p.zones[frame], at.ns):
			t.leave(leftEnds, 1)
		}
	})
	if end := lengthIn(p.end, p.unit); end.ok && len(line.open) > 0 {
		line.at = max(line.at, end.ns)
	}
	t.changed.add(changedOpen, len(line.open))
}

// takeSamples takes stacks, one after another. A sample without a stack has time, but no zone.
func (p *scopeProfile) takeSamples(line *timeline) {
	var weights []length
	p.items(p.weights, func(v []byte) { weights = append(weights, lengthIn(v, p.unit)) })
	var stack []gather.ZoneID
	k := 0
	p.items(p.samples, func(sample []byte) {
		stack = stack[:0]
		isStack := sample[0] == '['
		p.items(sample, func(v []byte) {
			at, ok := numberIn(v)
			if ok = ok && at >= 0 && at < int64(len(p.zones)); !ok {
				p.trace.changed.add("frames of samples that the file lacks", 1)
				return
			}
			stack = append(stack, p.zones[at])
		})
		var weight length
		if k < len(weights) {
			weight = weights[k]
		}
		k++
		timed := weight.ok && weight.ns >= 0 && line.at <= latest-weight.ns
		if !timed || !isStack {
			p.trace.leave(leftSample, 1)
		}
		if timed && p.trace.over == nil {
			line.to(stack, line.at)
			line.at += weight.ns
		}
	})
}
