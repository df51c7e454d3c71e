package main

import (
	"fmt"
	"io"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof"
	"example.com/iprof/capture"
	"example.com/iprof/draw"
	profgl "example.com/iprof/draw/gl"
	"example.com/iprof/input"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/workload"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// vsync is the zone of waiting for the screen. It is idle, so the frame budget leaves it out.
var vsync = iprof.Zone{Name: "vsync", Idle: true}

// frameTime is the simulated time of each step of the sample. It does not depend on the machine's speed.
const frameTime = time.Second / 60

// application is the running program.
type application struct {
	options
	*desk.Desk
	window    *glfw.Window
	work      workload.Workload
	backdrop  *backdrop
	pictures  bool // keep pictures of slow frames
	events    *desk.Log
	recording *capture.Recorder // nil without -record
	box       *capture.BlackBox // nil without -blackbox
	frame     int               // number of steps done
	next      time.Time         // when the next frame is due
	chrome    chrome
	settings  desk.Settings
	started   started
	trusted   []string  // the addresses that the token is for
	offscreen draw.List // the screen without a window
}

// view opens the window and runs the sample in it, until the window is closed or the number of frames is reached. A
// hidden window needs neither a display nor OpenGL.
func view(o options, stdout io.Writer) error {
	err := startGLFW()
	if err == nil {
		defer glfw.Terminate()
		var settings desk.Settings
		if o.remembers() {
			settings = desk.LoadSettings()
		}
		var window *glfw.Window
		window, err = openWindow(o, settings.Window)
		if err == nil {
			return viewIn(window, o, settings, stdout)
		}
	}
	if o.hidden {
		return viewAlone(o, stdout)
	}
	return err
}

func viewIn(window *glfw.Window, o options, settings desk.Settings, stdout io.Writer) error {
	v, err := newApplication(o, settings, window, stdout)
	if err != nil {
		return err
	}
	defer func() { v.work.Close() }()
	defer v.Close()
	defer v.started.end()
	defer v.box.Close() // again, after an error
	defer v.box.OnPanic()
	if err := v.run(); err != nil {
		return err
	}
	v.remember()
	return v.finish(stdout)
}

func newApplication(o options, s desk.Settings, window *glfw.Window, stdout io.Writer) (*application, error) {
	r, err := profgl.NewRenderer() // loads the GL functions of any version
	if err != nil {
		return nil, fmt.Errorf("%w (%v)", errNoGL, err)
	}
	r.Delete()
	v := &application{options: o, settings: s, window: window}
	draw.SetScripts(scripts(o.fonts, o.frames > 0, glfw.PostEmptyEvent))
	v.Desk = desk.New(v.deskOptions(stdout), v.host())
	v.work = noWorkload{}
	if !o.greets && len(o.files)+len(o.programs) == 0 {
		if err := v.startSample(); err != nil {
			return nil, err
		}
	}
	v.connect()
	if v.NewTab(o.workload); o.greets {
		v.Greet()
	}
	v.backdrop, err = newBackdrop()
	if err != nil {
		return nil, err
	}
	v.window.SetTitle(v.Tab().Title())
	if o.events {
		v.events = desk.NewLog(stdout)
	}
	if !o.hidden {
		glfw.SwapInterval(1)
	}
	if err := v.warmUp(); err != nil {
		return v, err
	}
	if v.remembers() && !v.Greets() {
		v.OfferGuide()
	}
	return v, v.attach()
}

func (v *application) deskOptions(lines io.Writer) desk.Options {
	return desk.Options{Viewer: "glviewer", Limits: v.limits, Roots: v.sources, Out: v.out, Timeline: v.timeline,
		Whole: v.frames > 0, Lines: lines, Settings: v.settings,
		KeyLabel: func(key input.Key) string { return glfw.GetKeyName(glfw.Key(key), 0) }}
}

// startSample makes the sample run.
func (v *application) startSample() (err error) {
	v.work, err = workload.New(v.workload, workload.Options{Seed: v.seed})
	if err != nil {
		v.work = noWorkload{}
		return err
	}
	v.pictures = !v.work.Replays() && profgl.Thumbnail(true) == nil // of slow frames
	return nil
}

// beginSample shows the sample in place of the greeting. The time until now belongs to no frame.
func (v *application) beginSample() error {
	if err := v.startSample(); err != nil {
		return err
	}
	v.session().Update()
	v.session().Reset()
	v.Tab().Keep(framefile.ThisProgram())
	v.OfferGuide()
	return nil
}

func (v *application) session() *process.Session { return v.Tab().Session() }

// warmUp draws a frame and resets the session. The first frame draws the glyphs and compiles the shaders, so it takes
// much longer than any other.
func (v *application) warmUp() error {
	defer v.session().Reset() // once more: that frame is of no use
	defer v.session().Reset()
	defer v.session().Update()
	return v.redraw()
}

func (v *application) run() error {
	for !v.window.ShouldClose() && (v.frames == 0 || v.frame < v.frames) {
		var err error
		v.Watch()
		if v.session().Paused() || v.Greets() {
			err = v.look()
		} else {
			err = v.live()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// live runs a frame: the sample's step, the picture, the events.
func (v *application) live() error {
	if err := v.work.Step(frameTime); err != nil {
		return err
	}
	v.frame++
	v.stumble()
	if err := v.redraw(); err != nil {
		return err
	}
	v.events.Note(v.Desk, v.frame)
	v.poll()
	v.Save()
	if !v.work.Replays() {
		iprof.Update()
	}
	return nil
}

func (v *application) poll() {
	defer iprof.Begin("events").End()
	glfw.PollEvents()
}

// look draws the paused display and sleeps until there is an event. The time asleep belongs to no frame.
func (v *application) look() error {
	if err := v.redraw(); err != nil {
		return err
	}
	v.events.Note(v.Desk, v.frame)
	v.sleep()
	v.Save()
	if s := process.Default(); !v.session().Paused() && !s.Paused() && !v.work.Replays() {
		s.Pause()
		s.Update()
		s.Resume()
	}
	v.next = time.Time{}
	return nil
}

// sleep waits for an event. While the display still moves, it waits for at most one frame.
func (v *application) sleep() {
	if v.Tab().Panel().Settling() {
		glfw.WaitEventsTimeout(frameTime.Seconds())
		return
	}
	glfw.WaitEvents()
}

// redraw draws the window and shows it.
func (v *application) redraw() error {
	width, height := v.window.GetFramebufferSize()
	if width == 0 || height == 0 { // minimised
		glfw.WaitEventsTimeout(frameTime.Seconds())
		return nil
	}
	if err := v.draw(width, height); err != nil {
		return err
	}
	v.show()
	return nil
}

// draw draws everything into the current frame buffer.
func (v *application) draw(width, height int) error {
	if !v.Tab().Detached() {
		defer profgl.Begin("draw").End() // on the GPU, too
	} else {
		defer iprof.Begin("draw").End()
	}
	gl.Viewport(0, 0, int32(width), int32(height))
	gl.ClearColor(0.055, 0.067, 0.086, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	bar := v.BarHeight()
	gl.Viewport(0, 0, int32(width), int32(height-bar))
	if !v.Tab().Detached() && (v.Tab().Panel().Options().Mode != viewer.PanelFull || v.pictured()) {
		v.backdrop.draw(v.work.Picture(), width, height-bar)
	}
	v.measure(width)
	if err := profgl.OverlayPanel(viewer.PanelFor(v.session())); err != nil {
		return err
	}
	return v.drawChrome(width, height)
}

// pictured reports whether the frame may need a picture, because it is slow so far. The panel's whole screen hides the
// sample's picture, so other frames do not draw it.
func (v *application) pictured() bool {
	_, share, _ := v.session().FrameInProgress()
	return v.pictures && share > 0.5
}

// show puts the picture on the screen and waits for the next frame. Software GL does not wait for the screen in
// SwapBuffers.
func (v *application) show() {
	defer vsync.Begin().End()
	v.window.SwapBuffers()
	if v.hidden || v.session().Paused() {
		return
	}
	now := time.Now()
	if wait := v.next.Sub(now); wait > 0 {
		time.Sleep(wait)
		now = v.next
	}
	v.next = now.Add(frameTime)
}
