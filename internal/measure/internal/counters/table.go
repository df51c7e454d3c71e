package counters

import (
	"math"
	"strings"
	"sync"
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/platform"
)

// Table numbers the names of counters. It also has a cell for each number, for goroutines without a cell of their own.
// The zero value is empty. Any goroutine may call its methods.
type Table struct {
	mu    sync.Mutex
	names []Name // append-only
	ids   map[Name]int32
	cells []shared // by id
	texts []text   // by id
}

// Name is the name of a counter. A count and a level may have the same text.
type Name struct {
	Text string
	Kind Kind
}

// shared is a cell that any goroutine may write, with the table's mutex held.
type shared struct{ sum, reported, at platform.Ticks }

// text is the text by which a counter was last looked up.
type text struct {
	address uintptr
	times   int
}

const (
	// textLookups is the number of lookups by one text after which Cells may keep the text. A text used this often is
	// probably one that the host keeps, too.
	textLookups = 16

	nameBytes = 256 // of a name's entries, without its text
)

// Len returns the number of names.
func (t *Table) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.names)
}

// AppendNames appends the names with numbers from first on, in the order of their numbers.
func (t *Table) AppendNames(dst []Name, first int) []Name {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append(dst, t.names[first:]...)
}

// Find returns the number of a name. by is the host's text for it; n may hold a copy. lasting reports whether the last
// textLookups lookups of the name used that text.
func (t *Table) Find(n Name, by string) (id int32, lasting, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, known = t.ids[n]; !known {
		return 0, false, false
	}
	x := &t.texts[id]
	if address := uintptr(unsafe.Pointer(textOf(by))); x.address != address {
		x.address, x.times = address, 0
	}
	x.times++
	return id, x.times >= textLookups, true
}

// Number returns the number of a name, cut if it is too long. A new name gets a number, unless the table already has
// most names. lasting reports whether Cells may keep the name's text.
func (t *Table) Number(name string, kind Kind, most int) (id int32, lasting, known bool) {
	n := Name{sites.Cut(name), kind}
	if id, lasting, known = t.Find(n, name); !known {
		if !t.Put(n, most) {
			return 0, false, false
		}
		sites.NoteCut(name)
		id, lasting, known = t.Find(n, name)
	}
	return id, lasting && len(name) <= sites.Longest, known
}

// Put numbers a name. It returns false if the table already has most names, or without memory.
func (t *Table) Put(n Name, most int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.ids[n]; known {
		return true
	}
	if len(t.names) >= most || !budget.Fits(nameBytes) {
		return false
	}
	if t.ids == nil {
		t.ids = make(map[Name]int32)
	}
	n.Text = strings.Clone(n.Text)
	budget.Add(budget.Names, nameBytes+int64(len(n.Text)))
	t.ids[n] = int32(len(t.names))
	t.names, t.texts, t.cells = append(t.names, n), append(t.texts, text{}), append(t.cells, shared{})
	return true
}

// Add adds to a count.
func (t *Table) Add(id int32, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &t.cells[id]
	c.sum = plus(c.sum, platform.Ticks(n))
}

// Set sets a level.
func (t *Table) Set(id int32, v float64) {
	t.setLatest(id, platform.Ticks(math.Float64bits(v)), platform.Now())
}

// setLatest sets a level with its time, unless the table has a later one.
func (t *Table) setLatest(id int32, bits, at platform.Ticks) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := &t.cells[id]; at >= c.at {
		*c = shared{sum: bits, at: at}
	}
}

// Forget drops the unreported sums and levels. Names keep their numbers.
func (t *Table) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.cells)
}
