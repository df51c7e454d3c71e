//go:build cgo

package gl

import (
	"sync"

	"example.com/iprof/draw"
)

// maxRenderers limits the package's own renderers. Beyond it the one that was used longest ago is forgotten: its context is
// most likely gone, and its objects with it.
const maxRenderers = 16

// renderers are the package's own, one for each context or group of contexts that share objects, the latest used first.
// OpenGL has no name for the current context, so each is asked whether its program is there.
var renderers struct {
	sync.Mutex
	list []*Renderer
}

// play draws a list with the renderer of the current context. Threads with contexts of their own take turns.
func play(l *draw.List, v view, blend Blend, trust bool) error {
	renderers.Lock()
	defer renderers.Unlock()
	r, err := current(trust)
	if err != nil {
		return err
	}
	return r.draw(l, v, blend, trust)
}

// current returns the renderer of the current context, and makes it if there is none. With trust it is the latest.
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
