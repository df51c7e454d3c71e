package viewer

import "example.com/iprof/process"

// searching is the result of the command "slowest" while older frames are still being read.
type searching struct {
	on    bool
	index uint64 // the shown frame
}

// soFar stands after numbers of all frames while older frames are still being read.
const soFar = " so far"

// searchOn remembers that the shown frame is the slowest of the frames read so far.
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

// Loaded ends Options.Loading: all frames have been read, so from now on rows are sorted at once. If the user has last
// asked for the slowest frame, it shows the slowest of all frames. Any goroutine may call it.
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
