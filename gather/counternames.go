//go:build !iprof_off

package gather

import (
	"math"
	"strings"
	"sync"

	"example.com/iprof/platform"
)

// longestKept bounds the texts that lanes keep to find them again; longer names take the slow way each time.
const longestKept = 1024

// counterTable numbers the names of counts and levels, and has the cells of those who have no lane to keep them.
type counterTable struct {
	mu     sync.Mutex
	infos  []CounterInfo // append-only
	ids    map[CounterInfo]int32
	shared []sharedCell // by id
}

// sharedCell is a cell that the table's mutex guards.
type sharedCell struct{ sum, was, at platform.Ticks }

var counterNames counterTable

// id returns a name's number; known is false beyond the limit.
func (t *counterTable) id(name string, kind int) (id int32, known bool) {
	key := CounterInfo{name, kind == level}
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, known = t.ids[key]; known {
		return id, true
	}
	if len(t.infos) >= limits().Counters {
		dropped.counters.Add(1)
		return 0, false
	}
	if t.ids == nil {
		t.ids = make(map[CounterInfo]int32)
	}
	key.Name = strings.Clone(name)
	id = int32(len(t.infos))
	t.infos = append(t.infos, key)
	t.ids[key] = id
	return id, true
}

// all returns every counter by id. The slice is shared; its entries never change.
func (t *counterTable) all() []CounterInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.infos
}

// cell returns the cell of a name's number that those share who have none of their own. The mutex is held.
func (t *counterTable) cell(id int32) *sharedCell {
	for int(id) >= len(t.shared) {
		t.shared = append(t.shared, sharedCell{})
	}
	return &t.shared[id]
}

func (t *counterTable) count(id int32, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cell(id).sum += platform.Ticks(n)
}

func (t *counterTable) set(id int32, v float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	*t.cell(id) = sharedCell{sum: platform.Ticks(math.Float64bits(v)), at: platform.Now()}
}

// latest sets a level that was set at some time, if none was set after that.
func (t *counterTable) latest(id int32, bits, at platform.Ticks) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.cell(id); at > c.at {
		*c = sharedCell{sum: bits, at: at}
	}
}

// countSlow is CountN for a name that the lane has no cell for, or a goroutine without a lane.
//
//go:norace
//go:noinline
func countSlow(name string, n int) {
	if c, id, ok := slowCell(name, summed); c != nil {
		storeTicks(&c.sum, c.sum+platform.Ticks(n))
	} else if ok {
		counterNames.count(id, n)
	}
}

// valueSlow is Value, as well.
//
//go:norace
//go:noinline
func valueSlow(name string, v float64) {
	if c, id, ok := slowCell(name, level); c != nil {
		storeTicks(&c.sum, platform.Ticks(math.Float64bits(v)))
		storeTicks(&c.at, platform.Now())
	} else if ok {
		counterNames.set(id, v)
	}
}

// slowCell finds or makes the calling goroutine's cell of a name. Without one it is the shared one of id that counts, if ok.
//
//go:norace
func slowCell(name string, kind int) (c *cell, id int32, ok bool) {
	l := locate()
	if l == nil && registry.manual.Load() {
		return nil, 0, false
	}
	if id, ok = counterNames.id(name, kind); !ok || l == nil || len(name) > longestKept {
		return nil, id, ok
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return nil, id, true
	}
	if l.counters == nil {
		l.counters = &cells{slots: make([]cell, firstCells)}
	}
	return l.counters.add(name, kind, id), id, true
}
