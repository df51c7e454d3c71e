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

// thumbnails has the pictures in progress, by context.
var thumbnails struct {
	on atomic.Bool
	sync.Mutex
	list []*thumbnail
}

// maxThumbnails is the greatest number of contexts with pictures.
const maxThumbnails = 4

// picturing is the zone of keeping pictures.
var picturing = NewZone("iprof picture")

// Thumbnail makes Overlay keep a picture, 240 pixels wide, of each slow frame over budget that the default session
// keeps: see [process.HistoryLimits]. Overlay copies the program's framebuffer before it draws itself, also while the
// panel is off. The GPU scales the copy. If the frame was slow, the copy is read back some frames later, without
// waiting for the GPU. The zone "iprof picture" has the cost. A multisampled framebuffer is resolved first. The
// pictures take at most 5 MB. If copying takes the processor over half a millisecond, as with software rasterisers,
// Overlay copies only frames that have already taken half the time of a slow frame, and copying takes at most a
// fiftieth of the time. Some slow frames then have no picture. The error says in one line why the current context has
// no pictures. Without a context the error is nil, and the panel shows the reason later. Any goroutine may call it.
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

// pictures reports whether the context can copy, read back asynchronously, and report when a read is done.
func (c *capabilities) pictures() bool { return c.since(32, 30) }

// keepPicture copies the framebuffer, and reads back copies of slow frames.
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

// thumbnailOf returns the pictures of the current context, and makes them at the first call.
func thumbnailOf(handle uintptr) *thumbnail {
	list := thumbnails.list
	for i, t := range list {
		if t.handle != handle {
			continue
		}
		if t.why != nil || isFramebuffer(t.framebuffers[0]) {
			return t
		}
		thumbnails.list = append(list[:i:i], list[i+1:]...) // a deleted context's number is in use again
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
