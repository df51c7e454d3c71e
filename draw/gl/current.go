//go:build cgo || windows

package gl

import (
	"errors"
	"sync"

	"example.com/iprof/draw"
)

var (
	errNoFunctions = errors.New("profgl: no OpenGL functions found: install the OpenGL driver's library")
	errNoContext   = errors.New("profgl: no current OpenGL context: call after MakeContextCurrent, " +
		"on the goroutine (locked to its thread) that called it")
)

// maxRenderers is the greatest number of the package's own renderers. Beyond it, the least recently used renderer is
// forgotten. Its context is probably gone, and its objects with it.
const maxRenderers = 16

// renderers holds the package's own renderers, most recently used first. There is one for each context, or for each
// group of contexts that share objects. OpenGL has no name for the current context, so current checks whether it has
// a renderer's program.
var renderers struct {
	sync.Mutex
	list []*Renderer
}

// play draws a list with the renderer of the current context. Threads with different contexts take turns.
func play(l *draw.List, v view, blend Blend, trust bool) error {
	renderers.Lock()
	defer renderers.Unlock()
	r, err := current(trust)
	if err != nil {
		return err
	}
	return r.draw(l, v, blend, trust)
}

// current returns the renderer of the current context, and makes one if needed. With trust it returns the latest
// renderer without a check.
func current(trust bool) (*Renderer, error) {
	list := renderers.list
	if trust && len(list) > 0 {
		return list[0], nil
	}
	for i, r := range list {
		if r.program.current() {
			copy(list[1:i+1], list[:i])
			list[0] = r
			return r, nil
		}
	}
	r, err := NewRenderer()
	if err != nil {
		return nil, err
	}
	list = append([]*Renderer{r}, list...)
	renderers.list = list[:min(len(list), maxRenderers)]
	return r, nil
}
