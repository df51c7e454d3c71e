package importer

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
)

// cpuProfile is a .cpuprofile of V8. Times are in microseconds.
type cpuProfile struct {
	nodes      []cpuNode
	parents    map[int64]int64
	start, end []byte
	samples    []int64 // ids of nodes, noNode in place of other values
	deltas     []length
}

type cpuNode struct {
	id   int64
	zone gather.ZoneID
}

// noNode is not the id of a node: V8's ids begin at 1.
const noNode = 0

// readCPUProfile reads a profile of V8. A sample lasts until the next one, the last until the end.
func readCPUProfile(in io.Reader, account *budget.Account) (*Trace, error) {
	d, err := readDocument(in, account)
	if err != nil {
		return nil, fmt.Errorf("this is no CPU profile of V8: %w", err)
	}
	t := New(account)
	p := cpuProfile{parents: map[int64]int64{}}
	p.read(d, t)
	if len(p.nodes) == 0 || len(p.samples) == 0 || len(p.deltas) == 0 {
		return nil, fmt.Errorf("this is no CPU profile of V8: it has %d nodes, %d samples and %d times", len(p.nodes),
			len(p.samples), len(p.deltas))
	}
	t.Unfinished = d.cut
	p.place(t, p.stacks(t))
	return t, t.over
}

// read reads the parts of a profile.
func (p *cpuProfile) read(d *document, t *Trace) {
	d.fields(d.text, func(key string, v []byte) {
		switch key {
		case "nodes":
			d.items(v, func(node []byte) { p.node(d, t, node) })
		case "startTime":
			p.start = v
		case "endTime":
			p.end = v
		case "samples":
			d.items(v, func(v []byte) {
				id, _ := numberIn(v)
				p.samples = append(p.samples, id)
			})
		case "timeDeltas":
			d.items(v, func(v []byte) {
				p.deltas = append(p.deltas, lengthIn(v, "microseconds"))
			})
		}
	})
}

// node reads a node, which names its parent or its children.
func (p *cpuProfile) node(d *document, t *Trace, node []byte) {
	id, name, file, line := int64(noNode), "", "", 0
	var children []int64
	d.fields(node, func(key string, v []byte) {
		switch key {
		case "id":
			id, _ = numberIn(v)
		case "parent":
			if parent, ok := numberIn(v); ok {
				p.parents[id] = parent
			}
		case "children":
			d.items(v, func(v []byte) {
				child, _ := numberIn(v)
				children = append(children, child)
			})
		case "callFrame":
			name, file, line = d.frame(v, "functionName", "url", "lineNumber")
		}
	})
	if id == noNode {
		t.leave("nodes without an id", 1)
		return
	}
	for _, child := range children {
		p.parents[child] = id
	}
	zone := t.zoneAt(cmp.Or(name, "(anonymous)"), strings.TrimPrefix(file, "file://"), line+1)
	if name == "(idle)" {
		t.zones[zone].Idle = true
	}
	p.nodes = append(p.nodes, cpuNode{id, zone})
}

// frame reads the name and the place of a function.
func (d *document) frame(frame []byte, nameKey, fileKey, lineKey string) (name, file string, line int) {
	d.fields(frame, func(key string, v []byte) {
		switch key {
		case nameKey:
			name = nameIn(v)
		case fileKey:
			file = nameIn(v)
		case lineKey:
			line = lineIn(v)
		}
	})
	return name, file, line
}

// stacks returns the stacks of the nodes, the outermost zone first. A node that is its own descendant has no stack.
func (p *cpuProfile) stacks(t *Trace) map[int64][]gather.ZoneID {
	zones, all := map[int64]gather.ZoneID{}, map[int64][]gather.ZoneID{}
	for _, n := range p.nodes {
		zones[n.id] = n.zone
	}
	for _, n := range p.nodes {
		stack, id := []gather.ZoneID{}, n.id
		for len(stack) <= len(p.nodes) {
			parent, inner := p.parents[id]
			if !inner { // the root itself is not a zone
				break
			}
			stack = append(stack, zones[id])
			id = parent
		}
		if len(stack) > len(p.nodes) {
			t.leave("nodes below themselves", 1)
			continue
		}
		slices.Reverse(stack)
		all[n.id] = stack
		if t.hold(8*len(stack) + zoneSize); t.over != nil {
			return nil
		}
	}
	return all
}

// place makes slices of the samples. A sample without a stack has time, but no zone.
func (p *cpuProfile) place(t *Trace, stacks map[int64][]gather.ZoneID) {
	line := &timeline{trace: t, lane: t.laneOf("JavaScript", "JavaScript"), at: math.MinInt64}
	at := lengthIn(p.start, "microseconds").ns
	for i, id := range p.samples {
		stack, known := stacks[id]
		timed := i < len(p.deltas) && p.deltas[i].ok
		if !timed || !known {
			t.leave(leftSample, 1)
		}
		if !timed {
			continue
		}
		at += p.deltas[i].ns
		if line.to(stack, at); t.over != nil {
			return
		}
	}
	if end := lengthIn(p.end, "microseconds"); end.ok {
		line.at = max(line.at, end.ns)
	}
	line.cut(0)
}
