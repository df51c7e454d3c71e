package draw

import (
	"image/color"

	"example.com/iprof/process"
)

// timelineSource is what a timeline asks of a session.
type timelineSource interface {
	AppendTimelineLanes(dst []process.TimelineLane, age int) []process.TimelineLane
	AppendTimelineFrames(dst []process.TimelineFrame, age, older, newer int) []process.TimelineFrame
	AppendTimelineRange(dst []process.TimelineScope, lane uint64, age, older, newer int) []process.TimelineScope
}

// deepestRow bounds the rows of a band: what is deeper is counted, not drawn.
const deepestRow = 64

// times is when a scope began and ended, ms from the beginning of the frame.
type times struct{ begin, end float64 }

// scopeRow is one level of one lane: scopes one after the other, from and to being indices into timelineData.
type scopeRow struct{ from, to int32 }

// band is a lane's rows.
type band struct {
	process.TimelineLane
	first, rows int // of timelineData.rows
	deeper      int // scopes that have no row
}

// What a zone number is joined with.
const (
	cutBefore = 1 << 30 // the scope began before what is told
	cutAfter  = 1 << 29 // it was open at its end
	zoneMask  = cutAfter - 1
)

// timelineData is the scopes of a frame and its neighbours, in an order in which those of any stretch of time are found at
// once, and with sums from which any number of them can be drawn as one.
type timelineData struct {
	key    timelineKey
	filled bool
	stamp  int // another whenever the data is

	scopes []process.TimelineScope // as they came
	lanes  []process.TimelineLane
	frames []process.TimelineFrame
	length float64 // of the frame, ms
	index  uint64

	bands   []band
	rows    []scopeRow
	at      []times
	zones   []uint32   // joined with the bits above
	sums    []float64  // ms of all scopes before this one in their row
	longest [][]int32  // by power of 16: the longest scope of so many
	looks   []zoneLook // by zone
	lit     []int32    // the scopes of one zone, in order
	litZone int32
	litAt   int
}

// timelineKey says which frames and lanes the data is of.
type timelineKey struct {
	index, frames uint64
	age           int
	lane          uint64
	older, newer  int
}

// zoneLook is how a zone's scopes look.
type zoneLook struct {
	stamp int
	name  string
	idle  bool
	color color.NRGBA
}

// fetch asks for what the key says, unless it is here already.
func (t *timelineData) fetch(s timelineSource, key timelineKey) {
	if t.filled && t.key == key {
		return
	}
	t.key, t.filled = key, true
	t.stamp++
	t.lanes = s.AppendTimelineLanes(t.lanes[:0], key.age)
	t.frames = s.AppendTimelineFrames(t.frames[:0], key.age, neighbours, neighbours)
	t.scopes = s.AppendTimelineRange(t.scopes[:0], key.lane, key.age, key.older, key.newer)
	t.length, t.index = 0, key.index
	for i := range t.frames {
		if t.frames[i].Age == key.age {
			t.length, t.index = t.frames[i].End, t.frames[i].Index
		}
	}
	t.build()
}

// build puts the scopes in rows.
func (t *timelineData) build() {
	t.bands, t.rows = t.bands[:0], t.rows[:0]
	for i := range t.lanes {
		if l := &t.lanes[i]; t.key.lane == 0 || t.key.lane == l.ID {
			t.bands = append(t.bands, band{TimelineLane: *l})
		}
	}
	t.count()
	t.place()
	t.rank()
}

// count makes the rows, as long as they will be.
func (t *timelineData) count() {
	t.eachLane(func(b *band, scopes []process.TimelineScope) {
		b.first = len(t.rows)
		for i := range scopes {
			level := int(scopes[i].Level)
			if level < 0 || level >= deepestRow {
				b.deeper++
				continue
			}
			for ; b.rows <= level; b.rows++ {
				t.rows = append(t.rows, scopeRow{})
			}
			t.rows[b.first+level].to++
		}
	})
	sum := int32(0)
	for i := range t.rows {
		r := &t.rows[i]
		r.from, r.to, sum = sum, sum, sum+r.to
	}
	n := int(sum)
	t.at, t.zones, t.sums = sized(t.at, n), sized(t.zones, n), sized(t.sums, n+1)
}

// place puts the scopes where they belong.
func (t *timelineData) place() {
	t.eachLane(func(b *band, scopes []process.TimelineScope) {
		for i := range scopes {
			s := &scopes[i]
			if s.Level < 0 || s.Level >= deepestRow {
				continue
			}
			r := &t.rows[b.first+int(s.Level)]
			zone := uint32(max(s.Zone, 0)) & zoneMask
			if s.Before {
				zone |= cutBefore
			}
			if s.After {
				zone |= cutAfter
			}
			t.at[r.to], t.zones[r.to] = times{s.Begin, s.End}, zone
			r.to++
		}
	})
	sum := 0.0
	for i := range t.at {
		t.sums[i] = sum
		sum += t.at[i].end - t.at[i].begin
	}
	t.sums[len(t.at)] = sum
}

// eachLane visits the bands with their scopes, which come lane by lane.
func (t *timelineData) eachLane(visit func(b *band, scopes []process.TimelineScope)) {
	for from := 0; from < len(t.scopes); {
		lane, to := t.scopes[from].Lane, from+1
		for to < len(t.scopes) && t.scopes[to].Lane == lane {
			to++
		}
		if b := t.bandOf(lane); b != nil {
			visit(b, t.scopes[from:to])
		}
		from = to
	}
}

func (t *timelineData) bandOf(lane uint64) *band {
	for i := range t.bands {
		if t.bands[i].ID == lane {
			return &t.bands[i]
		}
	}
	return nil
}

// group is how many scopes, or groups of them, one step of longest sums up.
const group = 16

// rank finds the longest of each group of scopes, of groups of groups, and so on.
func (t *timelineData) rank() {
	below := len(t.at)
	for power := 0; below > group; power++ {
		if power == len(t.longest) {
			t.longest = append(t.longest, nil)
		}
		n := (below + group - 1) / group
		t.longest[power] = sized(t.longest[power], n)
		for i := range n {
			t.longest[power][i] = t.best(power-1, i*group, min((i+1)*group, below))
		}
		below = n
	}
}

// best is the longest of some scopes, or of some groups of a power.
func (t *timelineData) best(power, from, to int) int32 {
	best, most := int32(-1), -1.0
	for i := from; i < to; i++ {
		at := int32(i)
		if power >= 0 {
			at = t.longest[power][i]
		}
		if s := &t.at[at]; s.end-s.begin > most {
			best, most = at, s.end-s.begin
		}
	}
	return best
}

// longestOf finds the longest of the scopes from one on, up to another.
func (t *timelineData) longestOf(from, to int) int32 {
	best, most := int32(from), -1.0
	better := func(at int32) {
		if at < 0 {
			return
		}
		if s := &t.at[at]; s.end-s.begin > most {
			best, most = at, s.end-s.begin
		}
	}
	for power := -1; from < to; power++ {
		if to-from <= 2*group {
			better(t.best(power, from, to))
			break
		}
		up, down := (from+group-1)/group, to/group
		better(t.best(power, from, up*group))
		better(t.best(power, down*group, to))
		from, to = up, down
	}
	return best
}

// lightUp lists the scopes of a zone, if they are not those listed already.
func (t *timelineData) lightUp(zone int32) {
	if t.litAt == t.stamp && t.litZone == zone {
		return
	}
	t.litAt, t.litZone, t.lit = t.stamp, zone, t.lit[:0]
	for i, z := range t.zones {
		if int32(z&zoneMask) == zone {
			t.lit = append(t.lit, int32(i))
		}
	}
}

// look is how a zone looks, asked for once per stamp.
func (t *timelineData) look(c *canvas, d *shown, zone uint32) *zoneLook {
	at := int(zone & zoneMask)
	if at >= len(t.looks) {
		t.looks = append(t.looks, make([]zoneLook, at+1-len(t.looks))...)
	}
	l := &t.looks[at]
	if l.stamp != t.stamp {
		info := d.source.Zone(int32(at))
		*l = zoneLook{t.stamp, info.Name, info.Idle, c.colorOf(info.Name, info.Idle)}
	}
	return l
}

// sized returns a slice of that length, in the same memory if it is enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
