package viewer

import "example.com/iprof/process"

// searching is what the command "slowest" has found while older frames are still being read.
type searching struct {
	on    bool
	index uint64 // the frame that it showed
}

// soFar stands after numbers of all frames while older frames are still being read.
const soFar = " so far"

// searchOn remembers that the frame shown is the slowest of those that are there, until the others have been read.
func (p *Panel) searchOn(s *process.Session) {
	loading := false
	p.change(func() {
		if loading = p.options.Loading; loading {
			p.searching = searching{true, s.Info().Index}
		}
	})
	if loading {
		p.Note("the slowest so far: it goes on looking while older frames are read")
	}
}

// Loaded ends Options.Loading: all frames are there, and none will come, so rows are sorted at once from now on. A user
// who looked for the slowest frame before, and has gone nowhere else since, is shown that of all frames. Any goroutine
// may call it.
func (p *Panel) Loaded() {
	was := searching{}
	p.change(func() {
		p.options.Loading, p.strip.Ribbon.Loading, p.table.Arranger.Steady = false, false, false
		was, p.searching = p.searching, searching{}
	})
	s := p.session
	if !was.on || s == nil || s.Info().Index != was.index {
		return
	}
	if slowestFrame(s, p); s.Info().Index != was.index {
		p.Note("the slowest of all frames")
	}
}
