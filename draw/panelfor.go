package draw

import (
	"sync"

	"example.com/iprof/process"
)

var panels struct {
	sync.Mutex
	of map[*process.Session]*Panel
}

// PanelFor returns the panel of a session, always the same one. It is kept, with its session, for the rest of the program.
// Any goroutine may call it.
func PanelFor(s *process.Session) *Panel {
	panels.Lock()
	defer panels.Unlock()
	if p := panels.of[s]; p != nil {
		return p
	}
	if panels.of == nil {
		panels.of = map[*process.Session]*Panel{}
	}
	p := newPanel(s)
	p.session = s
	panels.of[s] = p
	return p
}

// Session returns the session that the panel shows.
func (p *Panel) Session() *process.Session { return p.session }
