package input

import (
	"slices"
	"sync"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// mostViews is how many steps back there are.
const mostViews = 100

// views is where the user has been: what Alt+Left goes back to.
type views struct{ past, future []process.View }

// record keeps the view that a control left, unless it led nowhere else. A walk from frame to frame is one step.
func (v *views) record(before, after process.View) {
	if sameView(before, after) {
		return
	}
	v.future = v.future[:0]
	if n := len(v.past); n > 0 && onlyAge(v.past[n-1], before) && onlyAge(before, after) {
		return
	}
	if len(v.past) == mostViews {
		v.past = slices.Delete(v.past, 0, 1)
	}
	v.past = append(v.past, before)
}

// back returns the view before now, forth the one that back left.
func (v *views) back(now process.View) (process.View, bool)  { return step(&v.past, &v.future, now) }
func (v *views) forth(now process.View) (process.View, bool) { return step(&v.future, &v.past, now) }

func step(from, to *[]process.View, now process.View) (process.View, bool) {
	n := len(*from)
	if n == 0 {
		return now, false
	}
	then := (*from)[n-1]
	*from, *to = (*from)[:n-1], append(*to, now)
	return then, true
}

// sameView reports whether two views show the same; the cursor does not count.
func sameView(a, b process.View) bool { return a.Age == b.Age && a.Kept == b.Kept && onlyAge(a, b) }

// onlyAge reports whether nothing but the age differs.
func onlyAge(a, b process.View) bool {
	return a.Mode == b.Mode && a.Average == b.Average && a.Recursion == b.Recursion && a.Focus == b.Focus && a.Lane == b.Lane &&
		a.Lens == b.Lens && slices.Equal(a.Pin, b.Pin)
}

// visited is where the user of one session has been.
type visited struct {
	mu      sync.Mutex
	views   views
	stepped bool // the command was a step back or forth itself
}

var (
	visitedMu  sync.Mutex
	visitedAll = map[*process.Session]*visited{}
)

// visitedOf lives as long as the program, as the session's controller does.
func visitedOf(s *process.Session) *visited {
	visitedMu.Lock()
	defer visitedMu.Unlock()
	v := visitedAll[s]
	if v == nil {
		v = new(visited)
		visitedAll[s] = v
	}
	return v
}

// run does a command and remembers what was shown before it.
func (c *Controller) run(do command) {
	before := c.session.View()
	do(c.session, c.panel)
	c.remember(before)
}

// remember keeps the view that a control left.
func (c *Controller) remember(before process.View) {
	after := c.session.View()
	v := visitedOf(c.session)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stepped {
		v.stepped = false
		return
	}
	v.views.record(before, after)
}

func goBack(s *process.Session, _ *draw.Panel)  { visitedOf(s).step(s, (*views).back) }
func goForth(s *process.Session, _ *draw.Panel) { visitedOf(s).step(s, (*views).forth) }

// step shows another view that was shown before. A frame that is not the newest must stand still.
func (v *visited) step(s *process.Session, which func(*views, process.View) (process.View, bool)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	then, ok := which(&v.views, s.View())
	v.stepped = true
	if !ok {
		return
	}
	if then.Age > 0 {
		s.Pause()
	}
	s.SetView(then)
}
