package instrument

import "slices"

// painters are packages of libraries that show the picture themselves, so that the program has no such call. A copy of
// the library's module is rewritten, but only for the ends of frames.
var painters = map[string]string{ // to their modules
	"fyne.io/fyne/v2/internal/driver/glfw": "fyne.io/fyne/v2",
}

// addPainter reports whether a package is rewritten only for the ends of frames.
func (p *Plan) addPainter(l *listed) bool {
	module := painters[l.ImportPath]
	if module == "" || !p.options.Frames.found() || l.Module == nil || l.Module.Path != module {
		return false
	}
	if p.painters == nil {
		p.painters = map[string]bool{}
	}
	p.painters[l.ImportPath] = true
	p.options.Deps = append(slices.Clone(p.options.Deps), module)
	return true
}

// leavePainters removes the zones from the functions of painters.
func (p *Plan) leavePainters() {
	for _, s := range p.sources {
		for _, f := range s.list {
			if p.painters[s.pkg] {
				f.skip = "of a library, which is changed only for the ends of frames"
				f.Reason = f.skip
			}
		}
	}
}
