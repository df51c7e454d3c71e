//go:build cgo && !iprof_off

package gl

import (
	"errors"
	"image/color"
	"slices"
	"testing"
	"time"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/egltest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	host "github.com/go-gl/gl/v3.3-core/gl"
)

// quarters are the colours of a test picture: top left, top right, bottom left, bottom right.
var quarters = [4]color.RGBA{{200, 30, 10, 255}, {20, 180, 40, 255}, {60, 70, 220, 255}, {240, 230, 0, 255}}

func drawQuarters(width, height int32) {
	host.Enable(host.SCISSOR_TEST)
	for i, c := range quarters {
		x, y := int32(i%2)*width/2, int32(1-i/2)*height/2
		host.Scissor(x, y, width/2, height/2)
		host.ClearColor(float32(c.R)/255, float32(c.G)/255, float32(c.B)/255, 1)
		host.Clear(host.COLOR_BUFFER_BIT)
	}
	host.Disable(host.SCISSOR_TEST)
}

// pictures switches pictures on, with every frame over budget. It returns nil in contexts that have none.
func pictures(t *testing.T) *process.Session {
	t.Helper()
	s := process.Default()
	thumbnails.list = nil
	budget := s.FrameBudget()
	s.Reset()
	s.SetFrameBudget(time.Nanosecond)
	t.Cleanup(func() {
		s.SetFrameBudget(budget)
		must.Do(t, Thumbnail(false))
	})
	if err := Thumbnail(true); err != nil {
		if !errors.Is(err, errNoPictures) {
			t.Error(err)
		}
		return nil
	}
	return s
}

// The picture of a slow frame shows its drawing, small, also if the drawing has state of its own.
func TestPicturesShowWhatFramesDrew(t *testing.T) {
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		s := pictures(t)
		if s == nil {
			return
		}
		drawQuarters(wide, high)
		shown, _, _ := s.FrameInProgress()
		must.Do(t, Overlay())
		noError(t, "a picture")
		s.Update()
		for range 10_000 {
			ctx.Clear(background)
			if must.Do(t, Overlay()); s.Picture(shown) != nil {
				break
			}
			host.Flush()
			s.Update()
		}
		p := s.Picture(shown)
		if p == nil || p.Width != pictureWidth || p.Height != pictureWidth*high/wide {
			t.Fatalf("%v: got %v; want a picture of %d x %d", ctx.Kind, p, pictureWidth, pictureWidth*high/wide)
		}
		for i, want := range quarters {
			x, y := p.Width/4+i%2*p.Width/2, p.Height/4+i/2*p.Height/2
			at := p.Pixels[3*(y*p.Width+x):]
			if !slices.Equal(at[:3], []byte{want.R, want.G, want.B}) {
				t.Errorf("%v: quarter %d is %v; want %v", ctx.Kind, i, at[:3], want)
			}
		}
	})
}

// Keeping pictures changes nothing of the host's state, raises no error and, but for the pictures, does not allocate.
func TestPicturesChangeNoState(t *testing.T) {
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		s := pictures(t)
		if s == nil {
			return
		}
		c := renderer(t).caps
		h := newOddHost(ctx, c)
		h.set()
		oddReading(c)
		before := take(t, c)
		pack := new(int32)
		host.GetIntegerv(host.PIXEL_PACK_BUFFER_BINDING, pack)
		was := *pack
		for range 30 {
			keepPicture(s)
			s.Update()
			for _, d := range before.compare(t, take(t, c)) {
				t.Fatalf("%v: %s", ctx.Kind, d)
			}
		}
		if host.GetIntegerv(host.PIXEL_PACK_BUFFER_BINDING, pack); *pack != was {
			t.Errorf("%v: PIXEL_PACK_BUFFER: got %d; want %d", ctx.Kind, *pack, was)
		}
		s.SetFrameBudget(time.Hour)
		s.Reset()
		if got := allocstest.PerRun(50, func() { keepPicture(s) }); got != 0 && platform.Assembly {
			t.Errorf("%v: got %v allocations; want none", ctx.Kind, got)
		}
		noError(t, "pictures")
	})
}

// oddReading sets everything that reading back depends on to other values.
func oddReading(c *capabilities) {
	var id uint32
	host.GenBuffers(1, &id)
	host.BindBuffer(host.PIXEL_PACK_BUFFER, id)
	host.GenRenderbuffers(1, &id)
	host.BindRenderbuffer(host.RENDERBUFFER, id)
	for i, p := range []uint32{host.PACK_ROW_LENGTH, host.PACK_SKIP_ROWS, host.PACK_SKIP_PIXELS} {
		host.PixelStorei(p, int32(3+i))
	}
	host.PixelStorei(host.PACK_ALIGNMENT, 8)
	if !c.es {
		host.PixelStorei(host.PACK_SWAP_BYTES, 1)
		host.PixelStorei(host.PACK_LSB_FIRST, 1)
	}
	host.ReadBuffer(host.NONE)
}

// Contexts that lack something say so in a line, and everything else works.
func TestOldContextsHaveNoPictures(t *testing.T) {
	egltest.Run(t, egltest.ES2, 64, 48, func(t *testing.T, ctx *egltest.Context) {
		forget()
		thumbnails.list = nil
		defer Thumbnail(false)
		c, err := detectLoaded()
		must.Do(t, err)
		if err := Thumbnail(true); !c.pictures() != errors.Is(err, errNoPictures) {
			t.Errorf("version %d: got %v", c.version, err)
		}
		must.Do(t, Overlay())
		noError(t, "no pictures")
	})
	c := &capabilities{version: 21}
	if c.pictures() || (&capabilities{version: 20, es: true}).pictures() {
		t.Error("OpenGL 2.1 or OpenGL ES 2: got pictures; want none")
	}
}

// BenchmarkPicture measures the processor time of keeping pictures in a frame that is not slow.
func BenchmarkPicture(b *testing.B) {
	egltest.Open(b, egltest.Core, 1280, 720)
	forget()
	thumbnails.list = nil
	warm(b, Thumbnail(true))
	defer Thumbnail(false)
	s := process.Default()
	s.SetFrameBudget(time.Hour)
	b.ReportAllocs()
	for b.Loop() {
		keepPicture(s)
		s.Update()
	}
	host.Finish()
}
