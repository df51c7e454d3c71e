package viewer

import (
	"sync"

	"example.com/iprof/process"
)

var panels struct {
	sync.Mutex
	of map[*process.Session]*Panel
}

// PanelFor returns the panel of a session. It is always the same one, and lives as long as the program, with its
// session. Any goroutine may call it.
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

// Session returns the session of the panel.
func (p *Panel) Session() *process.Session { return p.session }
