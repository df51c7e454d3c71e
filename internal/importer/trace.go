package importer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
)

// Trace has the data read from a file.
type Trace struct {
	Skipped    int    // number of events left out: see Result.Left
	Cut        int    // number of slices that overlapped others and were cut
	Long       int    // number of slices of over 192 years, which were left out
	Unfinished bool   // the file has no end
	Words      string // message of the reader of a damaged file

	account  *budget.Account
	over     error // error of the account
	left     counts
	changed  counts
	note     string // on the length of frames
	slices   int
	lanes    []*lane
	byKey    map[string]*lane
	zones    []gather.ZoneInfo
	ids      map[string]gather.ZoneID
	begin    int64
	end      int64
	events   bool // each slice is one call
	exported bool // package export wrote the file

	doubtful  bool  // its times may be wrong, so events far from all others are left out
	base      int64 // the microseconds of time 0
	paired    bool  // begins and ends are slices
	whole     bool  // it is one frame, unless frames are requested
	states    []gather.LaneState
	found     []foundState
	processes map[string]*fileProcess // processes by their number

	arrivals []arrival

	recording recording // of a browser

	marks    []mark
	values   []value
	counters []gather.CounterInfo
	byName   map[string]int32
	latest   map[int32]float64 // values of counters in the latest frame
	dropped  gather.Dropped
}

// slice is a zone on a lane, in nanoseconds.
type slice struct {
	begin, end int64
	zone       gather.ZoneID
	calls      uint32
}

// lane is a thread of a file, or another sequence of slices.
type lane struct {
	name    string
	process *fileProcess
	thread  string // its number in the file, or ""
	place   int64  // among the others
	number  uint64 // of its goroutine, 0 if not known
	slices  []slice
	halves  []half
	strays  bool // some slices are of noZone
	id      gather.LaneID
	steps   []step
	walker
}

// mark is a moment of a lane, which may be nil.
type mark struct {
	at   int64
	lane *lane
	text string
}

// value is the value of a counter from a moment on.
type value struct {
	at      int64
	counter int32
	value   float64
}

// The sizes of data in memory, in bytes, measured in a process: slices and their steps, with spare capacity; nodes,
// names and lanes with their table entries.
const (
	sliceSize = 200
	nodeSize  = 200
	zoneSize  = 300
	laneSize  = 600
	stateSize = 400
	markSize  = 100
	halfSize  = 64
)

// New returns a trace without slices: see Add. The account, which may be nil, bounds its memory.
func New(account *budget.Account) *Trace {
	return &Trace{account: account, byKey: map[string]*lane{}, ids: map[string]gather.ZoneID{}, events: true,
		zones: []gather.ZoneInfo{{Name: "(root)"}}, byName: map[string]int32{}, latest: map[int32]float64{},
		processes: map[string]*fileProcess{}}
}

// leave counts events that are left out.
func (t *Trace) leave(why string, n int) {
	t.left.add(why, n)
	t.Skipped += n
}

// hold counts bytes that the trace holds from now on.
func (t *Trace) hold(bytes int) {
	if err := t.account.Hold(int64(bytes)); err != nil && t.over == nil {
		t.over = err
	}
}

// Add adds one call of a zone on a thread, in nanoseconds. The error is the account's.
func (t *Trace) Add(thread, zone string, begin, end int64) error {
	if begin <= earliest || end >= latest {
		t.leave(leftLarge, 1)
		return nil
	}
	t.slice(t.laneOf(thread, thread), slice{begin, max(begin, end), t.zone(zone), 1})
	return t.over
}

// AddMark adds a text at a moment of a thread, in nanoseconds. Without a thread it belongs to the program. The error is
// the account's.
func (t *Trace) AddMark(thread, text string, at int64) error {
	var l *lane
	if thread != "" {
		l = t.laneOf(thread, thread)
	}
	t.mark(l, text, at)
	return t.over
}

// Left returns the numbers of events left out so far, with the reasons.
func (t *Trace) Left() []Count { return t.left }

// Changed returns the differences from the file, with the reasons.
func (t *Trace) Changed() []Count { return t.changed }

// Note returns the reason for an unusual length of frames, or "".
func (t *Trace) Note() string { return t.note }

// Leave counts an event that is left out, with the reason.
func (t *Trace) Leave(why string) { t.leave(why, 1) }

func (t *Trace) mark(l *lane, text string, at int64) {
	text = cutText(text)
	t.marks = append(t.marks, mark{at, l, text})
	t.hold(markSize + len(text))
}

// mostText bounds the texts of marks, like iprof.Mark.
const mostText = 1024

// cutText cuts a long text between characters.
func cutText(s string) string {
	if len(s) <= mostText {
		return s
	}
	n := mostText
	for n > mostText-4 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.Clone(s[:n])
}

// value keeps the value of a counter from a moment on.
func (t *Trace) value(name string, v float64, at int64) {
	id, known := t.byName[name]
	if !known {
		id = int32(len(t.counters))
		t.byName[name] = id
		t.counters = append(t.counters, gather.CounterInfo{Name: name, Level: true})
		t.hold(zoneSize + len(name))
	}
	t.values = append(t.values, value{at, id, v})
	t.hold(markSize)
}

// Threads returns the threads with slices.
func (t *Trace) Threads() (names []string) {
	for _, l := range t.lanes {
		if len(l.slices) > 0 {
			names = append(names, l.name)
		}
	}
	return names
}

// Rename gives the lane of a thread another name. The thread keeps its own.
func (t *Trace) Rename(thread, name string) { t.laneOf(thread, thread).name = name }

// Goroutine sets the goroutine of a thread, and returns the thread's lane, for AddState.
func (t *Trace) Goroutine(thread string, number uint64) gather.LaneID {
	l := t.laneOf(thread, thread)
	l.number = number
	return gather.LaneID(slices.Index(t.lanes, l) + 1)
}

// AddState adds a state of a lane, or of the whole program if the lane is 0, in nanoseconds. The error is the
// account's.
func (t *Trace) AddState(s gather.LaneState) error {
	t.states = append(t.states, s)
	t.hold(stateSize + len(s.Reason) + len(s.Place) + len(s.By) + len(s.At))
	return t.over
}

func (t *Trace) zone(name string) gather.ZoneID {
	if id, known := t.ids[name]; known {
		return id
	}
	return t.newZone(name)
}

func (t *Trace) newZone(name string) gather.ZoneID {
	id := gather.ZoneID(len(t.zones))
	t.ids[name] = id
	t.zones = append(t.zones, gather.ZoneInfo{Name: name})
	t.hold(zoneSize + len(name))
	return id
}

func (t *Trace) laneOf(key, name string) *lane {
	l := t.byKey[key]
	if l == nil {
		l = &lane{name: name}
		t.byKey[key] = l
		t.lanes = append(t.lanes, l)
		t.hold(laneSize + len(key) + len(name))
	}
	return l
}

func (t *Trace) slice(l *lane, s slice) {
	if t.slices == 0 {
		t.begin, t.end = s.begin, s.end
	}
	t.begin, t.end = min(t.begin, s.begin), max(t.end, s.end)
	t.slices++
	t.events = t.events && s.calls <= 1
	l.slices = append(l.slices, s)
	t.hold(sliceSize)
}
