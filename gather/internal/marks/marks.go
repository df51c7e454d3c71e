// Package marks keeps the marks of a program until a frame takes them.
package marks

import "sync"

// Pending has the marks that no frame has yet, in the order of Add. The zero value is empty. Any goroutine may call its
// methods.
type Pending[Mark any] struct {
	mu      sync.Mutex
	marks   []Mark
	dropped uint64
}

// Add adds the mark that now returns. It drops the mark if there are that many already.
func (p *Pending[Mark]) Add(most int, now func() Mark) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.marks) >= most {
		p.dropped++
		return
	}
	p.marks = append(p.marks, now())
}

// AppendTo appends the first marks, those that the frame has. With move, they are removed. It also returns how many
// marks were dropped since the start.
func (p *Pending[Mark]) AppendTo(dst []Mark, has func(*Mark) bool, move bool) (marks []Mark, dropped uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for n < len(p.marks) && has(&p.marks[n]) {
		n++
	}
	dst = append(dst, p.marks[:n]...)
	if move {
		rest := copy(p.marks, p.marks[n:])
		clear(p.marks[rest:])
		p.marks = p.marks[:rest]
	}
	return dst, p.dropped
}
