// Package importer turns the files of other tools into captures.
package importer

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
)

// event is an event of the trace event format. Its values are the file's text.
type event struct {
	ph, name, cat, ts, dur, pid, tid, id, scope, args, bind []byte

	flowIn, flowOut bool
}

// chrome reads a file in the trace event format.
type chrome struct {
	*Trace
	in *input
	e  event

	ended    bool  // the file ends with text that is not JSON, like a whole file
	latelane *lane // of the event before, and its process and thread
	pid, tid []byte

	arrows map[string]*arrow // flows that have begun, by id
	ids    map[string]int    // the ids of async slices by category
}

// readChrome reads a file in the trace event format: an object with traceEvents, only its array, or an event a line.
// Exceeding the account is an error. An unreadable part of an event costs only that event.
func readChrome(in *input, account *budget.Account) (*Trace, error) {
	c := chrome{Trace: New(account), in: in, arrows: map[string]*arrow{}, ids: map[string]int{}}
	c.doubtful = true
	err := c.read()
	var over *budget.Error
	switch failed := in.failed(); {
	case c.over != nil:
		return nil, c.over
	case errors.As(failed, &over):
		return nil, over
	case failed != nil:
		return nil, failed
	case err != nil:
		return nil, fmt.Errorf("this is not a file of trace events: %w", err)
	}
	c.leaveArrows()
	c.doubtful = c.doubtful && !c.exported
	c.pairAll()
	return c.Trace, c.over
}

// read reads up to the end. Text that begins like a trace begins a part. Concatenated files have several parts.
func (c *chrome) read() error {
	if next := c.in.next(); next != '[' && next != '{' {
		return errors.New("it begins with neither { nor [")
	}
	if err := c.part(); err != nil {
		return err
	}
	for !c.Unfinished && !c.ended && c.over == nil && c.in.next() != 0 {
		if c.part() != nil {
			c.leave(leftNoEvent, 1)
		}
	}
	return nil
}

// part reads a list, an object, or events a line.
func (c *chrome) part() error {
	switch c.in.next() {
	case '[':
		c.in.at++
		c.Unfinished = !c.events()
		return nil
	case '{':
		if !c.isEvent() {
			c.in.at++
			return c.object()
		}
	}
	c.lines()
	return nil
}

// isEvent reports whether the next object is an event, and not an object with a list of events.
func (c *chrome) isEvent() bool {
	for {
		var e event
		_, f := e.parse(&parser{b: c.in.rest()})
		if f != tooShort || c.in.end-c.in.at >= window || !c.in.more() {
			return e.ph != nil
		}
	}
}

// lines reads events outside a list, such as an event a line.
func (c *chrome) lines() {
	for {
		switch c.in.next() {
		case 0:
			return
		case '[', ']', ',':
			c.in.at++
		default:
			if !c.one() {
				c.Unfinished = !c.ended
				return
			}
		}
		if c.over != nil {
			return
		}
	}
}

// object reads the object around the events. Files of package export identify themselves before the events.
func (c *chrome) object() error {
	found := false
	for {
		switch c.in.next() {
		case ',':
			c.in.at++
			continue
		case '}':
			c.in.at++
			return orNoEvents(found)
		case '"':
		default:
			c.Unfinished = true // also if the rest is not JSON
			return orNoEvents(found)
		}
		key := string(c.in.value())
		if c.in.next() == ':' {
			c.in.at++
		}
		switch next := c.in.next(); {
		case key == `"traceEvents"` && next == '[':
			c.in.at++
			found = true
			if c.Unfinished = !c.events(); c.Unfinished || c.ended {
				return nil
			}
		case key == `"otherData"` && next == '{':
			c.exported = string(field(c.in.value(), "exporter")) == `"iprof"`
		default:
			c.in.skip()
		}
	}
}

func orNoEvents(found bool) error {
	if found {
		return nil
	}
	return errors.New("there are no traceEvents")
}

// events reads a list of events, and reports whether it has an end.
func (c *chrome) events() bool {
	for c.over == nil {
		switch c.in.next() {
		case 0:
			return false
		case ',':
			c.in.at++
		case ']':
			c.in.at++
			return true
		default:
			if !c.one() {
				return c.ended
			}
		}
	}
	return true
}

// one reads an event. It returns false if the file ends in it.
func (c *chrome) one() bool {
	isObject := c.in.next() == '{'
	for {
		c.e = event{}
		p := parser{b: c.in.rest()}
		end, f := 0, noFault
		if isObject {
			end, f = c.e.parse(&p)
		} else if end, f = p.value(0, 0); end == 0 {
			f, end = noJSON, 1
		}
		if f == tooShort && c.in.more() {
			continue
		}
		if f == tooShort {
			return false
		}
		switch {
		case f == noJSON:
			c.leave(leftNoJSON, 1)
			c.in.at += end
			found := false
			found, c.ended = c.in.resume()
			return found
		case !isObject:
			c.leave(leftNoEvent, 1)
		case p.odd:
			c.leave(leftWord, 1)
		default:
			c.add(&c.e)
		}
		c.in.at += end
		return true
	}
}

// parse reads an event.
func (e *event) parse(p *parser) (end int, f fault) {
	return p.object(0, 0, func(key, value []byte) {
		switch string(key) {
		case "ph":
			e.ph = value
		case "name":
			e.name = value
		case "cat":
			e.cat = value
		case "ts":
			e.ts = value
		case "dur":
			e.dur = value
		case "pid":
			e.pid = value
		case "tid":
			e.tid = value
		case "id", "id2":
			e.id = value
		case "s", "scope":
			e.scope = value
		case "args":
			e.args = value
		case "bind_id":
			e.bind = value
		case "flow_in":
			e.flowIn = string(value) == "true"
		case "flow_out":
			e.flowOut = string(value) == "true"
		}
	})
}

// isBad returns why an event cannot be read, or "".
func (e *event) isBad() string {
	if !isText(e.ph) || len(e.ph) != 3 {
		return leftKind
	}
	for _, value := range [][]byte{e.name, e.pid, e.tid} {
		if len(value) > 0 && (value[0] == '{' || value[0] == '[') {
			return leftType
		}
	}
	if len(e.name) > 0 && !isText(e.name) && string(e.name) != "null" {
		return leftType
	}
	return ""
}

// nameOf returns the name of an event, or "".
func (e *event) nameOf() []byte {
	if isText(e.name) {
		return textOf(e.name)
	}
	return nil
}

// add adds an event.
func (c *chrome) add(e *event) {
	if why := e.isBad(); why != "" {
		c.leave(why, 1)
		return
	}
	kind := e.ph[1]
	if why := leftKinds[kind]; why != "" {
		c.leave(why, 1)
		return
	}
	key, ok := c.stateThread(e)
	if kind == 'M' {
		if !ok {
			c.describe(e)
		}
		return
	}
	if ok {
		if kind == 'X' {
			c.foundState(e, key)
		}
		return
	}
	at, when, why := c.time(e.ts)
	if why != "" {
		c.leave(why, 1)
		return
	}
	switch kind {
	case 'X':
		c.complete(e, at, when)
	case 'B', 'E':
		c.half(c.lane(e), e, at, kind == 'E')
	case 'b', 'e', 'S', 'F':
		c.half(c.asyncLane(e), e, at, kind == 'e' || kind == 'F')
	case 'i', 'I', 'R':
		c.instant(e, at)
	case 'n', 'T', 'p':
		c.mark(c.asyncLane(e), string(e.nameOf()), at)
	case 'C':
		c.counter(e, at)
	case 's', 't', 'f':
		c.flow(e.id, e, at, kind)
	case 'v':
		c.dump(e, at)
	default:
		c.leave(leftOther, 1)
	}
}

// leftKinds are the kinds that are not read.
var leftKinds = map[byte]string{'N': leftObjects, 'O': leftObjects, 'D': leftObjects, 'P': leftSamples,
	'V': leftDumps, 'c': leftClocks}

// far is the least number of microseconds for which times are taken relative to the first time. No clock has so many
// since 1970, but a file may have nanoseconds instead.
const far = 3_000_000_000_000_000

// time reads a time, in nanoseconds and in the form of the file. why is the reason if there is none.
func (c *chrome) time(text []byte) (ns int64, when moment, why string) {
	when, v := parseMoment(plain(text))
	switch v {
	case isNone:
		return 0, when, leftTime
	case isLarge:
		return 0, when, leftLarge
	}
	if (when.micros > far*10 || when.micros < -far*10) && c.base == 0 {
		c.begin0(when.micros)
	}
	ns, ok := when.nanos(c.base)
	if !ok || ns <= earliest || ns >= -earliest {
		if c.base != 0 {
			return 0, when, leftStray
		}
		return 0, when, leftLarge
	}
	return ns, when, ""
}

// begin0 makes a time far from 0 the new time 0. Earlier events are far from it.
func (c *chrome) begin0(micros int64) {
	c.base = micros
	c.leave(leftStray, c.slices)
	c.slices = 0
	for _, l := range c.lanes {
		c.leave(leftStray, len(l.halves))
		l.slices, l.halves = nil, nil
	}
}

// complete adds a slice.
func (c *chrome) complete(e *event, at int64, when moment) {
	end, why := c.endOf(e, at, when)
	if why != "" {
		c.leave(why, 1)
		return
	}
	c.slice(c.lane(e), slice{at, end, c.zoneOf(e), c.calls(e)})
	if e.bind != nil && e.flowIn {
		c.flow(e.bind, e, at, 'f')
	}
	if e.bind != nil && e.flowOut {
		c.flow(e.bind, e, at, 's')
	}
}

// endOf returns the end of a slice, or the reason why it is left out, such as a length beyond the type of times.
func (c *chrome) endOf(e *event, begin int64, when moment) (end int64, why string) {
	text := plain(e.dur)
	if e.dur == nil || string(text) == "null" {
		return begin, ""
	}
	dur, v := parseMoment(text)
	if v == isNone {
		return 0, leftDuration
	}
	if text[0] == '-' {
		if bytes.ContainsAny(text, "123456789") {
			c.changed.add(changedBelow, 1)
		}
		return begin, ""
	}
	sum, ok := when.plus(dur)
	if ok = ok && v == isTime; ok {
		end, ok = sum.nanos(c.base)
	}
	if !ok {
		c.Long++
		return 0, leftLong
	}
	return max(end, begin), ""
}

// half adds the begin or the end of a slice.
func (c *chrome) half(l *lane, e *event, at int64, end bool) {
	h := half{at, noZone, c.calls(e), end}
	if !end || isText(e.name) {
		h.zone = c.zoneOf(e)
	}
	l.halves = append(l.halves, h)
	c.hold(halfSize)
}

func (c *chrome) calls(e *event) uint32 {
	if c.exported && e.args != nil {
		if n, err := strconv.ParseUint(string(field(e.args, "calls")), 10, 32); err == nil {
			return uint32(n)
		}
	}
	return 1
}

// zoneOf returns the zone of an event's name.
func (c *chrome) zoneOf(e *event) gather.ZoneID {
	name := e.nameOf()
	if c.exported && string(name) == "(root)" {
		return 0
	}
	if id, known := c.Trace.ids[string(name)]; known {
		return id
	}
	return c.newZone(string(name))
}
