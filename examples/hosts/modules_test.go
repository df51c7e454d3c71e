package hosts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/xvfbtest"
)

// The engine's package needs a display as soon as it is imported, also for tests that open no window.
func TestTheModuleForEbitengine(t *testing.T) {
	display := xvfbtest.Start(t)
	cmd := exec.Command("go", "test", "-count=1", "./...")
	cmd.Dir = "../../hosts/ebitengine"
	cmd.Env = append(os.Environ(), "DISPLAY="+display, "LIBGL_ALWAYS_SOFTWARE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The example runs in a window. Its pictures are frames, and the wait for the screen is idle by itself.
func TestTheWaitForTheScreenIsIdle(t *testing.T) {
	display := xvfbtest.Start(t)
	program := filepath.Join(t.TempDir(), "example")
	must.Run(t, exec.Command("go", "build", "-o", program,
		"example.com/iprof/hosts/ebitengine/example"))
	for _, mode := range []string{"0", "1", "3"} {
		cmd := exec.Command(program, "-frames", "20", "-overlay", mode)
		cmd.Env = append(os.Environ(), "DISPLAY="+display, "LIBGL_ALWAYS_SOFTWARE=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("-overlay %s: %v\n%s", mode, err, out)
		}
		for _, want := range []string{`(?m)^\W*Draw `, `(?m)^\W*disc `, `(?m)^\W*\(between frames\)  \[.*idle\]`} {
			if !regexp.MustCompile(want).Match(out) {
				t.Errorf("-overlay %s: got\n%s\nwant %s in it", mode, out, want)
			}
		}
		if got := strings.Contains(string(out), "iprof draw"); got != (mode != "0") {
			t.Errorf("-overlay %s: got drawing %v; want %v:\n%s", mode, got, mode != "0", out)
		}
	}
}
