//go:build !iprof_off

package measure

import (
	"sync"
	"sync/atomic"

	"example.com/iprof/platform"
)

// remarks holds the remarks for the next frame.
var remarks remarkLog

// remarkLog holds remarks in the order of add. Their texts share one buffer, so that a remark needs no separate memory.
// The zero value is empty. Any goroutine may call its methods.
type remarkLog struct {
	mu      sync.Mutex
	list    []Remark // without texts
	ends    []int    // of their texts
	text    []byte
	dropped uint64
	used    sync.Once
}

// use turns on remarks of frames.
func (l *remarkLog) use() {
	l.used.Do(func() { spoken.Store(&remarkFunctions{l.report, l.forget}) })
}

// report adds the remarks before its end to the frame. With move, it removes them from the log.
func (l *remarkLog) report(f *Frame, move bool) {
	f.Remarks, f.Dropped.Remarks = l.appendTo(nil, f.End, move)
}

// add keeps a remark with the present time, or counts it as dropped without room.
func (l *remarkLog) add(m Remark, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) >= MaxRemarks || len(l.text)+len(text) > MaxRemarkBytes {
		l.dropped++
		return
	}
	m.Time = platform.Now()
	l.text = append(l.text, text...)
	l.list, l.ends = append(l.list, m), append(l.ends, len(l.text))
}

// appendTo appends the remarks up to a time, and returns the number dropped since the start. With move, it removes
// them. The texts of a frame share one allocation.
func (l *remarkLog) appendTo(dst []Remark, end platform.Ticks, move bool) (list []Remark, dropped uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for n < len(l.list) && l.list[n].Time <= end {
		n++
	}
	if n == 0 {
		return dst, l.dropped
	}
	text, from := string(l.text[:l.ends[n-1]]), 0
	for i, m := range l.list[:n] {
		m.Text, from = text[from:l.ends[i]], l.ends[i]
		dst = append(dst, m)
	}
	if move {
		l.remove(n)
	}
	return dst, l.dropped
}

// remove removes the first remarks.
func (l *remarkLog) remove(n int) {
	gone := l.ends[n-1]
	l.text = l.text[:copy(l.text, l.text[gone:])]
	l.list = l.list[:copy(l.list, l.list[n:])]
	l.ends = l.ends[:copy(l.ends, l.ends[n:])]
	for i := range l.ends {
		l.ends[i] -= gone
	}
}

// forget drops the waiting remarks, whose times have lost their meaning.
func (l *remarkLog) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list, l.ends, l.text = l.list[:0], l.ends[:0], l.text[:0]
}

// spoken has the functions for remarks. It is nil in programs without remarks, so the linker leaves the code out.
var spoken atomic.Pointer[remarkFunctions]

type remarkFunctions struct {
	report func(f *Frame, move bool)
	forget func()
}
