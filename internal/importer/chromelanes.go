package importer

import (
	"math"
	"strconv"
	"strings"
)

// processOf returns the process of an event.
func (c *chrome) processOf(e *event) *fileProcess {
	id := plain(e.pid)
	p := c.processes[string(id)]
	if p == nil {
		p = &fileProcess{id: string(id), order: len(c.processes)}
		c.processes[p.id] = p
		c.hold(laneSize + len(id))
	}
	return p
}

// lane returns the lane of an event's thread.
func (c *chrome) lane(e *event) *lane {
	if c.latelane != nil && string(c.pid) == string(e.pid) && string(c.tid) == string(e.tid) {
		return c.latelane
	}
	p, tid := c.processOf(e), string(plain(e.tid))
	l := c.laneOf(p.id+" "+tid, "thread "+tid)
	if l.process == nil {
		l.process, l.thread = p, tid
	}
	c.latelane, c.pid, c.tid = l, append(c.pid[:0], e.pid...), append(c.tid[:0], e.tid...)
	return l
}

// mostIDs bounds the lanes of async slices of one category. Further slices use free lanes.
const mostIDs = 64

// asyncLane returns the lane of an async slice, by its category and its id.
func (c *chrome) asyncLane(e *event) *lane {
	p, cat, id := c.processOf(e), string(plain(e.cat)), string(plain(e.id))
	if local := field(e.id, "local"); local != nil {
		id = string(plain(local))
	} else if global := field(e.id, "global"); global != nil {
		id = string(plain(global))
	}
	kind := "async " + p.id + " " + cat
	l := c.byKey[kind+" "+id]
	if l != nil {
		return l
	}
	if c.ids[kind]++; c.ids[kind] > mostIDs {
		kind, id = kind+" more", "more"
	}
	if cat == "" {
		cat = "async"
	}
	l = c.laneOf(kind+" "+id, cat+" "+id)
	l.process, l.place = p, math.MaxInt64
	return l
}

// describe reads an event about a process or a thread.
func (c *chrome) describe(e *event) {
	name := field(e.args, "name")
	switch string(e.nameOf()) {
	case "thread_name":
		if isText(name) {
			c.lane(e).name = string(textOf(name))
		}
	case "process_name":
		if isText(name) {
			c.processOf(e).name = string(textOf(name))
		}
	case "thread_sort_index":
		c.lane(e).place, _ = strconv.ParseInt(string(field(e.args, "sort_index")), 10, 32)
	case "process_sort_index":
		c.processOf(e).place, _ = strconv.ParseInt(string(field(e.args, "sort_index")), 10, 32)
	}
}

// instant adds a mark.
func (c *chrome) instant(e *event, at int64) {
	if !c.exported {
		c.recording.note(e, at)
	}
	var l *lane
	if scope := string(plain(e.scope)); scope != "g" && scope != "p" && !c.exported {
		l = c.lane(e)
	}
	c.mark(l, string(e.nameOf()), at)
}

// counter adds the values of a counter. A single value has the counter's name; several have their own names after it.
func (c *chrome) counter(e *event, at int64) {
	name, several, found := string(e.nameOf()), 0, false
	if id := string(plain(e.id)); e.id != nil && id != "" {
		name += " " + id
	}
	eachField(e.args, func(_, _ []byte) { several++ })
	eachField(e.args, func(key, value []byte) {
		v, err := strconv.ParseFloat(string(plain(value)), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return
		}
		found = true
		if several == 1 {
			c.value(c.counterName(e, name), v, at)
		} else {
			c.value(c.counterName(e, strings.TrimSpace(name+" "+string(key))), v, at)
		}
	})
	if !found {
		c.leave(leftCounters, 1)
	}
}

// dump adds the sums of a process in a memory dump, which are hexadecimal numbers.
func (c *chrome) dump(e *event, at int64) {
	found := false
	eachField(field(field(e.args, "dumps"), "process_totals"), func(key, value []byte) {
		if n, err := strconv.ParseUint(string(plain(value)), 16, 64); err == nil && isText(value) {
			c.value(c.counterName(e, string(key)), float64(n), at)
			found = true
		}
	})
	if !found {
		c.leave(leftDumps, 1)
	}
}

// counterName adds the number of the process to the name of a counter, from the second process on.
func (c *chrome) counterName(e *event, name string) string {
	if p := c.processOf(e); p.order > 0 && !c.exported {
		return name + " (process " + p.id + ")"
	}
	return name
}
