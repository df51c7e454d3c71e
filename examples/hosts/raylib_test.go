package hosts

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"example.com/iprof/internal/xvfbtest"
)

// buildRaylib builds the example of the module for raylib. Not every proxy has raylib, and not every machine the
// library for keyboards that it links: without them the test is skipped.
func buildRaylib(t *testing.T, tags string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "example")
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = "../../hosts/raylib", append(os.Environ(), "CGO_CFLAGS=-O0") // C code that compiles quickly
		return cmd.CombinedOutput()
	}
	if out, err := run("mod", "download"); err != nil {
		t.Skipf("SKIPPED: raylib is not to be had here: %v\n%s", err, out)
	}
	switch out, err := run("build", "-tags", tags, "-o", program, "./example"); {
	case err != nil && bytes.Contains(out, []byte("cannot find -l")):
		t.Skipf("SKIPPED: raylib needs a system library: install libxkbcommon-dev\n%s", out)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// The program for raylib shows its own picture and the overlay on it. The wait for the screen is idle. The overlay
// changes nothing outside its own place.
func TestTheModuleForRaylib(t *testing.T) {
	display, program := xvfbtest.Start(t), buildRaylib(t, "x11")
	show := func(program string, mode int) (string, []byte) {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.png", mode))
		cmd := exec.Command(program, "-frames", "20", "-overlay", fmt.Sprint(mode), "-screenshot", filepath.Base(file))
		cmd.Dir = filepath.Dir(file) // raylib writes below the working directory
		cmd.Env = append(os.Environ(), "DISPLAY="+display, "LIBGL_ALWAYS_SOFTWARE=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("-overlay %d: %v\n%s", mode, err, out)
		}
		return file, out
	}
	file, out := show(program, 0)
	off := load(t, file)
	if got, want := off.NRGBAAt(480, 5), off.NRGBAAt(5, 5); got != want {
		t.Errorf("the picture's border: got %v and %v; want one colour", got, want)
	}
	if regexp.MustCompile("(?m)iprof draw").Match(out) {
		t.Errorf("without an overlay: got\n%s\nwant no drawing in it", out)
	}
	file, out = show(program, 1)
	below(t, off, load(t, file))
	for _, want := range []string{`(?m)^\W*draw `, `(?m)^\W*disc .* 24$`, `(?m)^\W*EndDrawing  \[idle\]`,
		`iprof draw`} {
		if !regexp.MustCompile(want).Match(out) {
			t.Errorf("got\n%s\nwant %s in it", out, want)
		}
	}
	file, _ = show(program, 2)
	const x, y = 372, 126 // the middle of a disc, where the table is: raylib draws what it has kept before the overlay
	disc := off.NRGBAAt(x, y)
	table := load(t, file).NRGBAAt(x, y)
	if disc.B < 150 || table.B > 100 {
		t.Errorf("a disc is %v, and %v with the table on it; want it bright, and dark", disc, table)
	}
	file, _ = show(buildRaylib(t, "x11,iprof_off"), 3)
	if without := load(t, file); !bytes.Equal(without.Pix, off.Pix) {
		t.Error("with the tag iprof_off: got another picture; want that without an overlay")
	}
}
