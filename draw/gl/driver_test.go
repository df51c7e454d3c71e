//go:build linux && cgo && !iprof_off

package gl

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/egltest"
)

// driverKinds are the contexts in which Mesa hides some extensions.
var driverKinds = map[string]egltest.Kind{"gl21": egltest.Legacy, "es3": egltest.ES3}

// TestDriversWithoutExtensions runs zones of the GPU in processes whose driver, Mesa, hides extensions: what an old
// driver does not say is not asked for, the zones of the CPU stay, and one line says why there is no lane.
func TestDriversWithoutExtensions(t *testing.T) {
	driver := egltest.Open(t, egltest.Core, 8, 8) // skips the test, or fails, where there is none
	if !strings.Contains(driver.Version, "Mesa") {
		t.Skipf("%s hides no extensions: only Mesa does", driver.Version)
	}
	for name, c := range map[string]struct{ kind, hides, want string }{
		"OpenGL 2.1 with all": {"gl21", "", `lane "GPU", shadow 1, pass 2, on the CPU 2, told nothing`},
		"OpenGL 2.1 with GL_EXT_timer_query": {"gl21", "-GL_ARB_timer_query",
			`lane "GPU (outermost zones only)", shadow 1, pass 0, on the CPU 2, told nothing`},
		"OpenGL 2.1 without": {"gl21", "-GL_ARB_timer_query -GL_EXT_timer_query",
			`lane "", shadow 0, pass 0, on the CPU 2, told profgl: no GPU lane: this OpenGL context has no timer`},
		"OpenGL ES without": {"es3", "-GL_EXT_disjoint_timer_query",
			`lane "", shadow 0, pass 0, on the CPU 2, told profgl: no GPU lane: this OpenGL context has no timer`},
	} {
		t.Run(name, func(t *testing.T) {
			child := exec.Command(os.Args[0], "-test.run=^TestDriverOfTheChild$", "-test.v")
			child.Env = append(os.Environ(), "IPROF_DRIVER="+c.kind, "MESA_EXTENSION_OVERRIDE="+c.hides)
			if c.kind == "gl21" {
				child.Env = append(child.Env, "MESA_GL_VERSION_OVERRIDE=2.1")
			}
			out, err := child.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "\n"+c.want) {
				t.Errorf("got %v\n%s\nwant %s", err, out, c.want)
			}
		})
	}
}

// TestDriverOfTheChild is the child process of TestDriversWithoutExtensions.
func TestDriverOfTheChild(t *testing.T) {
	kind, ok := driverKinds[os.Getenv("IPROF_DRIVER")]
	if !ok {
		t.Skip("only as a child of TestDriversWithoutExtensions")
	}
	noTimers(t)
	ctx := egltest.Open(t, kind, 64, 48)
	_, why := GPULane()
	gather.Collect(new(gather.Frame))
	drawScene(ctx, 2)
	f, name, told := arrived(t), "", "nothing"
	rows := map[string]uint32{}
	for _, l := range f.Lanes {
		if l.Device {
			name, rows = l.Name, gpuRows(f, l.ID)
		}
	}
	if why != nil {
		told = why.Error()
	}
	fmt.Printf("\nlane %q, shadow %d, pass %d, on the CPU %d, told %s\n", name, rows["GPU shadow"],
		rows["GPU shadow/GPU pass"], gpuRows(f, f.Lanes[0].ID)["shadow/pass"], told)
	noError(t, "GPU zones")
}
