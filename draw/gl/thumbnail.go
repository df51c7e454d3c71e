//go:build cgo || windows

package gl

import (
	"errors"
	"sync"
	"sync/atomic"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

var errNoPictures = errors.New("profgl: no pictures of slow frames: they need OpenGL 3.2 or OpenGL ES 3")

// thumbnails are the pictures under way, by context.
var thumbnails struct {
	on atomic.Bool
	sync.Mutex
	list []*thumbnail
}

// maxThumbnails is the most contexts with pictures. Others have none.
const maxThumbnails = 4

// picturing is the zone of keeping pictures.
var picturing = NewZone("iprof picture")

// Thumbnail has Overlay keep a picture, 240 pixels wide, of each slow frame over budget that the default session
// keeps: see [process.HistoryLimits]. Overlay copies what the program has drawn, before it draws itself, also
// while the panel is off. The copy is scaled by the GPU, and read back some frames later, only if the frame was slow,
// without waiting for it. The zone "iprof picture" has the cost. A multisampled framebuffer is resolved first. The
// pictures take at most 5 MB. Where copying takes the processor over half a millisecond, as with software
// rasterisers, only frames are copied that have taken half the time of a slow frame by then, and copying takes at most
// a fiftieth of the time: then some slow frames have no picture. The error says in one line why the current context has
// no pictures. Without a context it is nil, and the panel says so later. Any goroutine may call it.
func Thumbnail(on bool) error {
	thumbnails.on.Store(on && gather.Enabled)
	if !on || !gather.Enabled || currentContext() == 0 {
		return nil
	}
	c, err := detectLoaded()
	if err == nil && !c.pictures() {
		err = errNoPictures
	}
	return err
}

func detectLoaded() (*capabilities, error) {
	if err := load(); err != nil {
		return nil, err
	}
	return detect()
}

// pictures reports whether the context can copy, read back later, and tell when that is done.
func (c *capabilities) pictures() bool { return c.since(32, 30) }

// keepPicture copies what the framebuffer shows, and reads back copies of slow frames.
func keepPicture(s *process.Session) {
	if !thumbnails.on.Load() || !gather.Recording() {
		return
	}
	handle := currentContext()
	frame, share, running := s.FrameInProgress()
	if handle == 0 || !running {
		return
	}
	z := Scope{cpu: picturing.cpu.Begin(), gpu: beginGPU(picturing, false)}
	defer z.End()
	thumbnails.Lock()
	defer thumbnails.Unlock()
	if t := thumbnailOf(handle); t != nil && t.why == nil {
		t.step(s, frame, share)
	}
}

// thumbnailOf returns the pictures of a context, which is current, and makes them if there are none.
func thumbnailOf(handle uintptr) *thumbnail {
	list := thumbnails.list
	for i, t := range list {
		if t.handle != handle {
			continue
		}
		if t.why != nil || isFramebuffer(t.framebuffers[0]) {
			return t
		}
		thumbnails.list = append(list[:i:i], list[i+1:]...) // another context has the number of one that is gone
		break
	}
	if len(thumbnails.list) == maxThumbnails {
		return nil
	}
	t := newThumbnail(handle)
	thumbnails.list = append(thumbnails.list, t)
	if t.why != nil {
		viewer.PanelFor(process.Default()).Note(t.why.Error())
	}
	return t
}
