package instrument_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// library is a stub with the import path of a real library, and a loop that uses it.
type library struct {
	module, folder, pkg string // the package is in a folder of the module
	stub, setup, frame  string
	idle                string // zone of a call that waits
}

var libraries = map[string]library{
	"glfw": {"github.com/go-gl/glfw/v3.3/glfw", "", "glfw", "type Window struct{}\nfunc (*Window) SwapBuffers() {}\n" +
		"func WaitEventsTimeout(float64) {}\n", "w := &glfw.Window{}", "glfw.WaitEventsTimeout(1); w.SwapBuffers()",
		"wait for events"},
	"sdl GL": {"github.com/veandco/go-sdl2", "sdl", "sdl", "type Window struct{}\nfunc (*Window) GLSwap() {}\n",
		"w := &sdl.Window{}", "w.GLSwap()", "swap buffers"},
	"sdl renderer": {"github.com/veandco/go-sdl2", "sdl", "sdl", "type Renderer struct{}\n" +
		"func (*Renderer) Present() {}\nfunc Delay(uint32) {}\n", "r := &sdl.Renderer{}", "sdl.Delay(1); r.Present()",
		"delay"},
	"sdl surface": {"github.com/veandco/go-sdl2", "sdl", "sdl", "type Window struct{}\n" +
		"func (*Window) UpdateSurface() error { return nil }\n", "w := &sdl.Window{}", "w.UpdateSurface()", "present"},
	"raylib": {"github.com/gen2brain/raylib-go/raylib", "", "rl", "func EndDrawing() {}\n", "", "rl.EndDrawing()",
		"end drawing"},
	"gio": {"gioui.org", "app", "app", "type FrameEvent struct{}\nfunc (FrameEvent) Frame(ops *int) {}\n",
		"e := app.FrameEvent{}", "e.Frame(nil)", ""},
	"pixel": {"github.com/gopxl/pixel/v2", "backends/opengl", "opengl", "type Window struct{}\n" +
		"func (*Window) Update() {}\n", "w := &opengl.Window{}", "w.Update()", "window update"},
	"old pixel": {"github.com/faiface/pixel", "pixelgl", "pixelgl", "type Window struct{}\n" +
		"func (*Window) Update() {}\n", "w := &pixelgl.Window{}", "w.Update()", "window update"},
}

// TestFramesOfLibraries runs a loop of three frames with each library. Other methods of the same name end no frame.
func TestFramesOfLibraries(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	offline(t)
	for name, l := range libraries {
		t.Run(name, func(t *testing.T) {
			path := strings.TrimSuffix(l.module+"/"+l.folder, "/")
			dir := files(t, map[string]string{
				"user/go.mod": "module example.org/user\n\ngo 1.25\n\nrequire " + l.module + " v" + major(l.module) +
					".0.0\n\nreplace " + l.module + " => ../library\n",
				"user/main.go": fmt.Sprintf("package main\n\nimport %s %q\n\ntype player struct{}\n\n"+
					"func (player) Update(dt int) {}\nfunc (player) Frame() {}\nfunc (player) Present(n int) {}\n\n"+
					"func main() {\n\tvar p player\n\t%s\n\tfor range 3 {\n\t\tp.Update(1)\n\t\tp.Frame()\n"+
					"\t\tp.Present(1)\n\t\t%s\n\t}\n}\n", l.pkg, path, l.setup, l.frame),
				"library/go.mod":                   "module " + l.module + "\n\ngo 1.25\n",
				"library/" + l.folder + "/stub.go": "package " + l.pkg + "\n\n" + l.stub,
			})
			user := filepath.Join(dir, "user")
			plan := planned(t, user, instrument.Options{})
			if len(plan.Frames) != 1 {
				t.Errorf("frames end at %q; want one place", plan.Frames)
			}
			report := reported(t, filepath.Join(built(t, user, plan), "user"))
			if !strings.Contains(report, "\n3 frames: median ") || !strings.Contains(report, l.idle) {
				t.Errorf("there are not 3 frames and %q:\n%s", l.idle, report)
			}
		})
	}
}

func TestALibraryEndsNoFramesItself(t *testing.T) {
	offline(t)
	dir := files(t, map[string]string{
		"user/go.mod": "module example.org/user\n\ngo 1.25\n\nrequire gioui.org v0.0.0\n\n" +
			"replace gioui.org => ../library\n",
		"user/main.go": "package main\n\nimport \"gioui.org/app\"\n\nfunc main() {\n\tvar e app.FrameEvent\n" +
			"\te.Frame(nil)\n}\n",
		"library/go.mod":   "module gioui.org\n\ngo 1.25\n",
		"library/op/op.go": "package op\n\ntype Ops struct{}\n",
		"library/app/app.go": "package app\n\nimport \"gioui.org/op\"\n\ntype queue struct{}\n\n" +
			"func (queue) Frame(*op.Ops) {}\n\ntype FrameEvent struct{ queue queue }\n\n" +
			"func (e FrameEvent) Frame(o *op.Ops) {\n\te.queue.Frame(o)\n}\n",
	})
	plan := planned(t, filepath.Join(dir, "user"), instrument.Options{Deps: []string{"gioui.org"}})
	if len(plan.Frames) != 1 || !strings.Contains(plan.Frames[0], "main.go:7") {
		t.Errorf("frames end at %q; want at the call in main.go alone", plan.Frames)
	}
}

// Fyne shows the picture itself, in a file that does not import GLFW. Its own functions get no zones.
func TestFramesOfFyne(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	const require = "\n\ngo 1.25\n\nrequire github.com/go-gl/glfw/v3.3/glfw v0.0.0\n"
	dir := files(t, map[string]string{
		"user/go.mod": "module example.org/user" + require + "require fyne.io/fyne/v2 v2.0.0\n\n" +
			"replace fyne.io/fyne/v2 => ../fyne\n\nreplace github.com/go-gl/glfw/v3.3/glfw => ../glfw\n",
		"user/main.go": "package main\n\nimport \"fyne.io/fyne/v2/app\"\n\nfunc main() { app.New().Run() }\n",
		"fyne/go.mod":  "module fyne.io/fyne/v2" + require,
		"fyne/app/app.go": "package app\n\nimport driver \"fyne.io/fyne/v2/internal/driver/glfw\"\n\n" +
			"type App struct{}\n\nfunc New() App { return App{} }\n\n" +
			"func (App) Run() { driver.Loop(new(driver.Window)) }\n",
		"fyne/internal/driver/glfw/window.go": "package glfw\n\nimport \"github.com/go-gl/glfw/v3.3/glfw\"\n\n" +
			"type Window struct{ view glfw.Window }\n",
		"fyne/internal/driver/glfw/loop.go": "package glfw\n\n//iprof:zone never\n" +
			"func Loop(w *Window) { for range 3 { w.view.SwapBuffers() } }\n",
		"glfw/go.mod":  "module github.com/go-gl/glfw/v3.3/glfw\n\ngo 1.25\n",
		"glfw/stub.go": "package glfw\n\ntype Window struct{}\n\nfunc (*Window) SwapBuffers() {}\n",
	})
	before := golden.Digest(t, dir)
	user := filepath.Join(dir, "user")
	plan := planned(t, user, instrument.Options{})
	if len(plan.Frames) != 1 || plan.Count != 1 {
		t.Errorf("frames end at %q in %d functions; want one place and one function", plan.Frames, plan.Count)
	}
	report := reported(t, filepath.Join(built(t, user, plan), "user"))
	if !strings.Contains(report, "\n3 frames: median ") || strings.Contains(report, "never") {
		t.Errorf("there are not 3 frames, or a zone of the library:\n%s", report)
	}
	if golden.Digest(t, dir) != before {
		t.Error("the sources were changed")
	}
	if plan := planned(t, user, instrument.Options{Frames: instrument.Frames{None: true}}); len(plan.Frames) != 0 {
		t.Errorf("without frames they end at %q", plan.Frames)
	}
}

func major(module string) string {
	if strings.HasSuffix(module, "/v2") {
		return "2"
	}
	return "0"
}

const server = `package main

import (
	"fmt"
	web "net/http"
	"net/http/httptest"
)

type shop struct{}

func (shop) item(w web.ResponseWriter, r *web.Request) { fmt.Fprint(w, r.PathValue("id")) }

func bare(w web.ResponseWriter, _ *web.Request) {}

func (shop) ServeHTTP(w web.ResponseWriter, request *web.Request) {}

func main() {
	mux := web.NewServeMux()
	mux.HandleFunc("GET /items/{id}", shop{}.item)
	mux.HandleFunc("/bare", bare)
	send := func(h web.Handler, path string) {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	for i := range 5 {
		send(mux, fmt.Sprint("/items/", i))
	}
	send(mux, "/bare")
	send(shop{}, "/anything")
}
`

// A handler of -frame has a row for each route, and the percentiles of its requests.
func TestRequestsByRoute(t *testing.T) {
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": server})
	frames := instrument.Frames{Functions: []string{"user.shop.item", "user.shop.ServeHTTP"}}
	plan := planned(t, dir, instrument.Options{Frames: frames})
	if len(plan.Requests) != 2 || len(plan.Frames) != 0 {
		t.Errorf("requests %q, frames %q; want two and none", plan.Requests, plan.Frames)
	}
	if testing.Short() {
		texts := readBy(t, dir, plan)
		for _, want := range []string{"defer iprofAuto.Served(request, ", `"user.shop.item"`, `"user.shop.ServeHTTP"`} {
			if !strings.Contains(texts, want) {
				t.Errorf("the files have no %s:\n%s", want, texts)
			}
		}
		return
	}
	report := reported(t, filepath.Join(built(t, dir, plan), "user"))
	for _, want := range []string{
		`(?m)^ *5 +\d+\.\d+ +\d+\.\d+ +"GET /items/\{id\}"$`,
		`(?m)^ *1 +\d+\.\d+ +\d+\.\d+ +"GET user.shop.ServeHTTP"$`,
		` 5 .*GET /items/\{id\} `,
	} {
		if !regexp.MustCompile(want).MatchString(report) {
			t.Errorf("the report has no %s:\n%s", want, report)
		}
	}
}

// A frame has one end, though the library shows the picture, too.
func TestAGameThatEndsItsFramesItself(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root := must.Get(filepath.Abs("../.."))(t)
	mod := must.Get(os.ReadFile(filepath.Join(root, "go.mod")))(t)
	sum := must.Get(os.ReadFile(filepath.Join(root, "go.sum")))(t)
	offline(t)
	dir := files(t, map[string]string{
		"user/go.mod": strings.Replace(string(mod), "module example.com/iprof", "module example.org/user", 1) +
			"\nrequire (\n\texample.com/iprof v0.0.0\n\tgithub.com/gopxl/pixel/v2 v2.0.0\n)\n\nreplace (\n" +
			"\texample.com/iprof => " + root + "\n\tgithub.com/gopxl/pixel/v2 => ../library\n)\n",
		"user/go.sum": string(sum),
		"user/main.go": "package main\n\nimport (\n\t\"example.com/iprof\"\n" +
			"\t\"github.com/gopxl/pixel/v2/backends/opengl\"\n)\n\nfunc main() {\n\tw := &opengl.Window{}\n" +
			"\tfor range 20 {\n\t\tw.Update()\n\t\tiprof.Update()\n\t}\n}\n",
		"library/go.mod":                  "module github.com/gopxl/pixel/v2\n\ngo 1.25\n",
		"library/backends/opengl/stub.go": "package opengl\n\n" + libraries["pixel"].stub,
	})
	user := filepath.Join(dir, "user")
	program := built(t, user, planned(t, user, instrument.Options{Flags: []string{"-mod=mod"}}))
	report := reported(t, filepath.Join(program, "user"))
	if !regexp.MustCompile(`\n2[0-3] frames: `).MatchString(report) {
		t.Errorf("there are not 20 frames, and up to three of the first ends:\n%s", report)
	}
}
