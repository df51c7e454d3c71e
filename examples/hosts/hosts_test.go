package hosts

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/xvfbtest"
	"example.com/iprof/viewer"
)

// hudRows are the rows of the picture that the HUD and the verdict below it may cover.
const hudRows = 68

var hostsToTest = []struct {
	program     string
	environment []string
}{
	{"gl21", nil},
	{"gl21", []string{"MESA_GL_VERSION_OVERRIDE=2.1", "MESA_GLSL_VERSION_OVERRIDE=120"}}, // not newer
	{"gl33", nil},
	{"gl41", nil},
	{"ebitengine", nil},
}

// Each host checks itself, frame by frame. After 40 frames it shows the same picture with the overlay as without.
func TestOverlayLeavesNoTrace(t *testing.T) {
	display, folder := xvfbtest.Start(t), t.TempDir()
	must.Run(t, exec.Command("go", "build", "-o", folder+"/", "./..."))
	for _, h := range hostsToTest {
		t.Run(strings.Join(append([]string{h.program}, h.environment...), " "), func(t *testing.T) {
			pictures := map[string]*image.NRGBA{}
			for _, overlay := range []string{"off", "hud", "half", "full"} {
				file := filepath.Join(t.TempDir(), overlay+".png")
				cmd := exec.Command(filepath.Join(folder, h.program), "-frames", "40", "-check", "-overlay", overlay,
					"-screenshot", file)
				cmd.Env = append(append(os.Environ(), "DISPLAY="+display, "LIBGL_ALWAYS_SOFTWARE=1"), h.environment...)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("-overlay %s: %v\n%s", overlay, err, out)
				}
				pictures[overlay] = load(t, file)
			}
			busy(t, pictures["off"])
			below(t, pictures["off"], pictures["hud"])
		})
	}
}

func load(t *testing.T, file string) *image.NRGBA {
	t.Helper()
	f := must.Get(os.Open(file))(t)
	defer f.Close()
	p := must.Get(png.Decode(f))(t)
	picture := image.NewNRGBA(p.Bounds())
	for y := range picture.Rect.Dy() {
		for x := range picture.Rect.Dx() {
			picture.Set(x, y, p.At(x, y))
		}
	}
	return picture
}

// busy fails where the host drew nothing, so that nothing could be disturbed.
func busy(t *testing.T, p *image.NRGBA) {
	t.Helper()
	colours := map[color.NRGBA]bool{}
	for y := range p.Rect.Dy() {
		for x := range p.Rect.Dx() {
			colours[p.NRGBAAt(x, y)] = true
		}
	}
	if len(colours) < 200 {
		t.Errorf("colours of the host: got %d; want at least 200", len(colours))
	}
}

// below fails if the pictures differ below the HUD, or not at all.
func below(t *testing.T, without, with *image.NRGBA) {
	t.Helper()
	differ := false
	for y := range without.Rect.Dy() {
		for x := range without.Rect.Dx() {
			if without.NRGBAAt(x, y) == with.NRGBAAt(x, y) {
				continue
			}
			if differ = true; y >= hudRows {
				t.Fatalf("pixel (%d, %d): got %v with the overlay; want %v as without",
					x, y, with.NRGBAAt(x, y), without.NRGBAAt(x, y))
			}
		}
	}
	if !differ {
		t.Error("got the same picture with the overlay; want the overlay")
	}
}

func TestCompareSeesWhatChanged(t *testing.T) {
	Panel().Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
	defer Panel().Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	before, after := image.NewNRGBA(image.Rect(0, 0, 640, 360)), image.NewNRGBA(image.Rect(0, 0, 640, 360))
	if err := Compare(before, after, Cover(before.Rect)); err == nil {
		t.Error("an overlay that drew nothing: got no error; want one")
	}
	after.SetNRGBA(20, 20, color.NRGBA{G: 1})
	if err := Compare(before, after, Cover(before.Rect)); err != nil {
		t.Errorf("a pixel of the overlay: got %v; want no error", err)
	}
	after.SetNRGBA(639, 359, color.NRGBA{A: 1})
	if err := Compare(before, after, Cover(before.Rect)); err == nil {
		t.Error("a pixel elsewhere: got no error; want one")
	}
	Panel().Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	if err := Compare(before, after, Cover(before.Rect)); err == nil {
		t.Error("a pixel without an overlay: got no error; want one")
	}
}

// The engine has its graphics library to itself.
func TestEngineIsNotBypassed(t *testing.T) {
	out := must.Get(exec.Command("go", "list", "-deps", "./ebitengine").Output())(t)
	for _, banned := range []string{"example.com/iprof/draw/gl", "github.com/go-gl/gl/v3.3-core/gl"} {
		if strings.Contains(string(out), banned+"\n") {
			t.Errorf("ebitengine reaches %s; want it not to", banned)
		}
	}
}

func TestHostsBuildCompiledOut(t *testing.T) {
	build := exec.Command("go", "build", "-tags=iprof_off", "-o", t.TempDir()+"/", "./...")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
