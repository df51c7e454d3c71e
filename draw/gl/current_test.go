//go:build cgo

package gl

import (
	"image/color"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/internal/egltest"
	"example.com/iprof/internal/must"
	host "github.com/go-gl/gl/v3.3-core/gl"
)

// forget makes the test begin without renderers.
func forget() { renderers.list = nil }

// shown draws through the package's own renderers and reports whether anything came of it.
func shown(t *testing.T, ctx *egltest.Context) bool {
	t.Helper()
	ctx.Clear(background)
	must.Do(t, play(half(), view{pixels: true}, BlendAlpha, false))
	noError(t, "a draw")
	return ctx.Image().RGBAAt(45, 5) == color.RGBA{R: 250, G: 100, A: 255}
}

// Going to and fro between contexts, and losing one, is noticed: each draw finds the renderer of the context it is in.
func TestEachContextHasItsRenderer(t *testing.T) {
	forget()
	a := egltest.Open(t, egltest.Core, 64, 48)
	if !shown(t, a) {
		t.Fatal("got nothing in the first context")
	}
	b := must.Get(egltest.New(egltest.ES3, 64, 48))(t)
	if !shown(t, b) || len(renderers.list) != 2 {
		t.Errorf("got %d renderers in the second context, or nothing shown; want 2", len(renderers.list))
	}
	a.MakeCurrent()
	if !shown(t, a) || len(renderers.list) != 2 {
		t.Errorf("got %d renderers back in the first context, or nothing shown; want 2", len(renderers.list))
	}
	b.Close()
	c := must.Get(egltest.New(egltest.Compat, 64, 48))(t)
	defer c.Close()
	if !shown(t, c) || len(renderers.list) != 3 {
		t.Errorf("got %d renderers after the loss of a context, or nothing shown; want 3", len(renderers.list))
	}
}

// A program of the host's that happens to have the number of ours in another context is not taken for ours.
func TestForeignProgramIsNotTakenForOurs(t *testing.T) {
	forget()
	egltest.Open(t, egltest.Core, 64, 48)
	first := must.Get(NewRenderer())(t)
	b := must.Get(egltest.New(egltest.Core, 64, 48))(t)
	defer b.Close()
	empty := host.CreateProgram()
	if empty != first.program.id {
		t.Fatalf("got program %d; want %d, the number of ours", empty, first.program.id)
	}
	if first.program.current() {
		t.Error("got the host's unlinked program taken for ours")
	}
	noError(t, "asking for an unlinked program")
	c := must.Get(egltest.New(egltest.Core, 64, 48))(t)
	defer c.Close()
	second := must.Get(NewRenderer())(t)
	if first.program.id != second.program.id || first.program.current() || !second.program.current() {
		t.Errorf("got programs %d and %d, of the current context %v and %v; want one number, false and true",
			first.program.id, second.program.id, first.program.current(), second.program.current())
	}
	if err := first.Draw(half(), nil, BlendAlpha, false); err != errOtherContext {
		t.Errorf("got %v; want %v", err, errOtherContext)
	}
	noError(t, "asking for a program")
}

// Contexts that share objects share the renderer, though they share no vertex arrays.
func TestSharedContextsShareTheRenderer(t *testing.T) {
	forget()
	a := egltest.Open(t, egltest.Core, 64, 48)
	shown(t, a)
	b := must.Get(a.Share())(t)
	defer b.Close()
	if !shown(t, b) || len(renderers.list) != 1 {
		t.Errorf("got %d renderers, or nothing shown; want 1", len(renderers.list))
	}
}

func TestWithoutContextSaysSo(t *testing.T) {
	forget()
	egltest.Open(t, egltest.Core, 8, 8)
	egltest.ReleaseCurrent()
	if err := play(half(), view{pixels: true}, BlendAlpha, false); err != errNoContext {
		t.Errorf("got %v; want %v", err, errNoContext)
	}
}

func TestDeleteFreesEverything(t *testing.T) {
	ctx := egltest.Open(t, egltest.Core, 64, 48)
	r := must.Get(NewRenderer())(t)
	picture(t, ctx, r, half())
	program, buffer, texture := r.program.id, r.buffers.vertices, r.textures.slots[0].id
	r.Delete()
	if host.IsProgram(program) || host.IsBuffer(buffer) || host.IsTexture(texture) {
		t.Error("got an object left; want all of them freed")
	}
	if err := r.Draw(half(), nil, BlendAlpha, false); err != errOtherContext {
		t.Errorf("got %v; want %v", err, errOtherContext)
	}
}

// Every function of the binding has an address, so that a missing one does no harm.
func TestLoaderFindsFunctions(t *testing.T) {
	if runtime.GOOS == "windows" { // there, functions belong to a context
		egltest.Open(t, egltest.Core, 8, 8)
	}
	must.Do(t, load())
	for _, name := range []string{"glFlush", "glBlendFuncSeparateiARB", "glDrawElements"} {
		if uintptr(find(name)) == 0 {
			t.Errorf("got no address of %s; want one", name)
		}
	}
}

func TestVersionsAreRead(t *testing.T) {
	for _, c := range []struct {
		text    string
		es      bool
		version int
		failure string
	}{
		{"4.5 (Core Profile) Mesa 22.3.6", false, 45, ""},
		{"2.1 Metal - 76.3", false, 21, ""},
		{"4.6.0 NVIDIA 550.54", false, 46, ""},
		{"OpenGL ES 3.2 Mesa", true, 32, ""},
		{"OpenGL ES 2.0 (ANGLE)", true, 20, ""},
		{"OpenGL ES-CM 1.1", false, 0, "cannot be read"},
		{"1.4 Windows GDI", false, 14, "too old"},
		{"2.0 old", false, 20, "too old"},
		{"", false, 0, "cannot be read"},
	} {
		t.Run(c.text, func(t *testing.T) {
			got := &capabilities{}
			err := got.parseVersion(c.text)
			if got.es != c.es || got.version != c.version || (err == nil) != (c.failure == "") ||
				err != nil && !strings.Contains(err.Error(), c.failure) {
				t.Errorf("%q: got es %v, version %d, error %v; want %v, %d, %q",
					c.text, got.es, got.version, err, c.es, c.version, c.failure)
			}
		})
	}
}

func TestStepsAreSkippedWhereTheyDoNotExist(t *testing.T) {
	old := &capabilities{es: true, version: 20, extensions: map[string]bool{}}
	for _, s := range append(drawingState(old), uploadState(old)...) {
		for _, never := range []string{"POLYGON", "LOGIC", "SAMPLER", "VERTEX_ARRAY", "RASTERIZER", "ROW_LENGTH",
			"SRGB", "CLIP", "ALPHA_TEST"} {
			if strings.Contains(s.name, never) {
				t.Errorf("got step %s for OpenGL ES 2; want none", s.name)
			}
		}
	}
}
