package tables

import (
	"container/heap"
	"math"
	"slices"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/platform"
)

// fact is one thing of a capture, such as a call, or a part of one, such as the time of a node in a frame.
type fact struct {
	group  Group
	zone   gather.ZoneID // 0: none
	route  gather.ZoneID // the innermost around it; 0: none
	path   int32         // in paths; 0: none
	lane   *lane         // nil: none
	frame  uint64
	name   string // if it has no zone
	place  string
	by     string // who ended it
	id     string
	values [7]float64 // by column.of

	function, file, text string // of a line
	line                 int
}

// key tells rows apart.
type key struct {
	number uint64
	text   string
	group  Group
}

// group is a row while facts are added to it.
type group struct {
	fact    fact // the newest
	sums    [7]float64
	count   float64
	least   float64
	most    float64
	lengths *histogram.Histogram
	lanes   map[gather.LaneID]struct{}
	ended   map[string]float64 // ms by who ended them
	size    float64            // to sort by, of a row that is kept
	values  []float64          // of a row that is kept; nil: of sums
}

// mostSpread bounds the number of rows that have quantiles and lists of names.
const mostSpread = 1 << 14

// lane is a lane of the capture.
type lane struct {
	id    gather.LaneID
	name  string
	taken bool   // the choice has it
	open  []open // calls
	frame uint64 // of ended
	ended uint64 // calls that ended in the frame
}

// lane returns a lane, with its newest name unless that is "".
func (r *reading) lane(id gather.LaneID, name string) *lane {
	l := r.lanes[id]
	if l == nil {
		if len(r.lanes) >= mostRows {
			clear(r.lanes)
		}
		l = &lane{id: id}
		r.lanes[id] = l
		l.taken = r.takesLane(l)
	}
	if name != "" && l.name != name {
		l.name = name
		l.taken = r.takesLane(l)
	}
	return l
}

func (r *reading) takesLane(l *lane) bool {
	ids := &r.choice.IDs
	return strings.Contains(l.name, r.choice.Lane) && (!ids.laned || ids.Lane == l.id)
}

// known reports whether the capture has something of the kind that the choice leaves out.
func (r *reading) known() bool {
	return !r.all || r.choice.Lane != "" || r.choice.Takes != nil || r.choice.IDs != IDs{}
}

// keyOf returns the key of a fact, and false if it has none.
func (r *reading) keyOf(f *fact) (k key, has bool) {
	if f.group == 0 {
		return r.keyIn(f)
	}
	if k, has = r.keyIn(f); !has && f.zone == 0 {
		k, has = key{text: f.name}, true // the root
	}
	k.group = f.group
	return k, has
}

func (r *reading) keyIn(f *fact) (k key, has bool) {
	switch r.by {
	case "zone":
		if f.zone == 0 {
			k.text = f.name
		}
		k.number = uint64(f.zone)
		return k, k != key{}
	case "path":
		return key{number: uint64(f.path)}, f.path > 0
	case "type":
		return key{text: f.name}, true
	case "package":
		if f.name == "" {
			f.name = r.zones[f.zone].Package()
		}
		return key{text: f.name}, f.zone > 0
	case "lane":
		if f.lane == nil {
			return k, false
		}
		return key{number: uint64(f.lane.id)}, true
	case "frame":
		if k.number = f.frame; r.kind.By[0] == "value" {
			k.text = f.name
		}
		return k, true
	case "route":
		return key{number: uint64(f.route)}, f.route > 0
	}
	if f.file == "" && f.zone > 0 { // a line
		z := &r.zones[f.zone]
		return key{number: uint64(z.Line), text: z.File + "\x00" + z.Function}, true
	}
	return key{number: uint64(f.line), text: f.name + "\x00" + f.place + "\x00" + f.file}, true
}

// takes reports whether the choice has a fact.
func (r *reading) takes(f *fact) bool {
	ids := &r.choice.IDs
	switch {
	case ids.zoned && f.zone != ids.Zone, f.lane != nil && !f.lane.taken:
		return false
	case f.lane == nil && (r.choice.Lane != "" || ids.laned):
		return false
	case f.zone > 0:
		return r.finds[f.zone]
	}
	return r.finding(&gather.ZoneInfo{Name: f.name})
}

// add adds a fact to its row.
func (r *reading) add(f *fact) {
	if !r.takes(f) {
		return
	}
	if r.kind.single && r.by == r.kind.By[0] {
		r.addSingle(f)
		return
	}
	if g := r.groupOf(f); g != nil {
		g.add(f)
	}
}

// groupOf returns the row of a fact, nil if it has none.
func (r *reading) groupOf(f *fact) *group {
	k, has := r.keyOf(f)
	if !has {
		return nil
	}
	g := r.groups[k]
	switch {
	case g != nil:
	case len(r.list) >= mostRows:
		if r.others == nil {
			r.others = r.newGroup(&fact{name: "(other)", lane: &lane{name: "(other)"}})
		}
		return r.others
	default:
		g = r.newGroup(f)
		r.groups[k] = g
	}
	return g
}

func (r *reading) newGroup(f *fact) *group {
	g := &group{fact: *f, least: math.Inf(1), most: math.Inf(-1)}
	if len(r.list) < mostSpread {
		for _, c := range r.columns {
			switch c.how {
			case p99:
				g.lengths, g.ended = new(histogram.Histogram), map[string]float64{}
			case lanes:
				g.lanes = map[gather.LaneID]struct{}{}
			}
		}
	}
	r.list = append(r.list, g)
	return g
}

// add adds a fact.
func (g *group) add(f *fact) {
	g.fact = *f
	for i, v := range f.values {
		g.sums[i] += v
	}
	g.count++
	g.least, g.most = min(g.least, f.values[0]), max(g.most, f.values[0])
	if g.lengths != nil {
		g.lengths.Add(platform.Ticks(f.values[0] * nanos))
	}
	if g.lanes != nil && f.lane != nil {
		g.lanes[f.lane.id] = struct{}{}
	}
	if f.by != "" && g.ended != nil && (len(g.ended) < mostSpread || g.ended[f.by] > 0) {
		g.ended[f.by] += f.values[0]
	}
}

// endedBy returns who ended most of the time of the waits.
func (g *group) endedBy() (by string) {
	for name, ms := range g.ended {
		if by == "" || ms > g.ended[by] || ms == g.ended[by] && name < by {
			by = name
		}
	}
	return by
}

// addSingle adds a single thing.
func (r *reading) addSingle(f *fact) {
	if r.over < 0 || f.values[r.columns[r.overAt].of] > r.over {
		r.keep(&group{fact: *f, sums: f.values, count: 1, size: f.values[r.columns[r.order].of]})
	}
}

// settle turns the sums of the frame that ends into rows, so that few frames are in memory at once.
func (r *reading) settle() {
	sums := r.list
	r.list = r.kept
	for _, g := range sums {
		if v := r.valuesOf(g, 0); r.over < 0 || v[r.overAt] > r.over {
			g.size, g.values = v[r.order], v
			g.lengths, g.lanes, g.ended = nil, nil, nil
			r.keep(g)
		}
	}
	r.kept, r.list = r.list, nil
	clear(r.groups)
}

// keep keeps a row. Of more than the choice has room for, those with the greatest number stay, or the oldest.
func (r *reading) keep(g *group) {
	room := mostRows
	if n := r.choice.Limit; n > 0 {
		room = min(room, n)
	}
	if len(r.list) < room {
		r.list = append(r.list, g)
		if len(r.list) == room && !r.aged {
			heap.Init(heaped{r})
		}
		return
	}
	r.left++
	if !r.aged && g.size > r.list[0].size {
		r.list[0] = g
		heap.Fix(heaped{r}, 0)
	}
}

// heaped are kept rows as a heap, the least first.
type heaped struct{ *reading }

func (h heaped) Len() int           { return len(h.list) }
func (h heaped) Less(i, k int) bool { return h.list[i].size < h.list[k].size }
func (h heaped) Swap(i, k int)      { h.list[i], h.list[k] = h.list[k], h.list[i] }
func (h heaped) Push(any)           {}
func (h heaped) Pop() any           { return nil }

// paths numbers stacks of zones. Number 0 is the root.
type paths struct {
	known map[pathStep]int32
	steps []pathStep
}

// pathStep is a path: the one above it, and its zone.
type pathStep struct {
	above int32
	zone  gather.ZoneID
}

func newPaths() paths { return paths{known: map[pathStep]int32{}, steps: []pathStep{{}}} }

// below returns the path of a zone below another path.
func (p *paths) below(above int32, zone gather.ZoneID) int32 {
	step := pathStep{above, zone}
	path, known := p.known[step]
	if !known && len(p.steps) < mostRows {
		path = int32(len(p.steps))
		p.known[step] = path
		p.steps = append(p.steps, step)
	}
	return path
}

// mostNames is the number of innermost zones of a path that a row names.
const mostNames = 256

// names returns the names of a path's zones, outermost first.
func (p *paths) names(path int32, zones []gather.ZoneInfo) (names []string) {
	for ; path > 0 && len(names) < mostNames; path = p.steps[path].above {
		names = append(names, zones[p.steps[path].zone].Name)
	}
	slices.Reverse(names)
	return names
}
