package report

import (
	"cmp"
	"sort"
	"strings"
)

// LockWait is one wait for a lock. It is plain data.
type LockWait struct {
	Lock     string // the zone of package wait, such as "lock scores"; else the trace's reason, such as "mutex"
	Place    string // of the wait, such as "world.go:42"; "" if unknown
	Lane     LaneID
	LaneName string
	By       string  // the go statement, goroutine or function that released the lock; "" if unknown
	At       string  // where that was, such as "world.go:88"; "" if unknown
	Time     float64 // ms
	Frame    uint64  // FrameSummary.Index of the frame in which it ended
	HasFrame bool    // Frame is known
}

// Lock is a lock for which goroutines waited. It is plain data. Locks of package wait have the numbers since start or
// Reset. Of other locks, the waits of an execution trace are known, as far as the session keeps them.
type Lock struct {
	Name    string   // see LockWait.Lock
	Place   string   // see LockWait.Place. A trace knows locks by their places only
	Count   uint64   // waits
	Time    float64  // ms that goroutines waited, in sum
	Waiter  string   // the go statement, else the goroutine, that waited longest in sum; "" if unknown
	Waiters int      // goroutines that waited; 0: not known
	Holder  string   // who released it after most of that time: see LockWait.By
	At      string   // where that was
	Held    float64  // ms of Time that ended there
	Longest LockWait // the longest wait; its Time is 0 if no single wait is known
}

// mostLocks is the greatest number of locks in a list. Waits for others are summed in a lock of the name "(other)".
const mostLocks = 1024

// IsLock reports whether the reason of a wait is a lock: of package wait, or of package sync in an execution trace.
func IsLock(reason string) bool { return strings.HasPrefix(reason, "mutex") || isLockZone(reason) }

// isLockZone reports whether a name is that of a lock's zone in package wait.
func isLockZone(name string) bool {
	name = strings.TrimPrefix(name, "read ")
	return name == "lock" || strings.HasPrefix(name, "lock ")
}

// Locks returns the locks for which goroutines waited, the longest sum of waits first. Those of package wait are always
// known, those of package sync with an execution trace: see Traced. It reads LockWaits, and the totals of zones.
func (d *Dump) Locks() []Lock {
	l := lockList{known: map[[2]string]int{}, sums: map[lockPart]float64{}}
	for i := range d.LockWaits {
		l.take(&d.LockWaits[i])
	}
	for _, t := range d.ZoneTotals() {
		if t.Count > 0 && int(t.Zone) < len(d.Zones) && d.Zones[t.Zone].Blocked && isLockZone(d.Zones[t.Zone].Name) {
			k := &l.list[l.at(d.Zones[t.Zone].Name, "")]
			k.Count, k.Time = max(k.Count, uint64(t.Count)), max(k.Time, t.Hier)
		}
	}
	sort.SliceStable(l.list, func(i, k int) bool { return l.list[i].Time > l.list[k].Time })
	return l.list
}

// lockList sums waits by lock.
type lockList struct {
	list  []Lock
	known map[[2]string]int // by name and place
	sums  map[lockPart]float64
}

// lockPart is who waited for a lock, or who released it and where.
type lockPart struct {
	lock     int
	lane     LaneID
	who, at  string
	released bool
}

// at returns the place of a lock in the list.
func (l *lockList) at(name, place string) int {
	key := [2]string{name, place}
	at, has := l.known[key]
	if !has && len(l.list) >= mostLocks-1 {
		key = [2]string{"(other)"}
		at, has = l.known[key]
	}
	if !has {
		at = len(l.list)
		l.known[key] = at
		l.list = append(l.list, Lock{Name: key[0], Place: key[1]})
	}
	return at
}

// take adds a wait.
func (l *lockList) take(w *LockWait) {
	at := l.at(w.Lock, w.Place)
	k := &l.list[at]
	k.Count++
	k.Time += w.Time
	if w.Time > k.Longest.Time {
		k.Longest = *w
	}
	one := lockPart{lock: at, lane: w.Lane}
	if _, has := l.sums[one]; !has && w.Lane != 0 {
		k.Waiters++
		l.sums[one] = 0
	}
	waited := lockPart{lock: at, who: cmp.Or(Crowd(w.LaneName), w.LaneName)}
	l.sums[waited] += w.Time
	if k.Waiter == "" || l.sums[waited] > l.sums[lockPart{lock: at, who: k.Waiter}] {
		k.Waiter = waited.who
	}
	released := lockPart{lock: at, who: w.By, at: w.At, released: true}
	if l.sums[released] += w.Time; l.sums[released] >= k.Held && w.By+w.At != "" {
		k.Holder, k.At, k.Held = w.By, w.At, l.sums[released]
	}
}
