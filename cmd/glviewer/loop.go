package main

import (
	"fmt"
	"io"
	"time"

	"github.com/go-gl/gl/v3.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof"
	"example.com/iprof/draw"
	profgl "example.com/iprof/draw/gl"
	"example.com/iprof/input"
	"example.com/iprof/internal/workload"
	"example.com/iprof/process"
)

// vsync is waiting for the screen: no work, so no budget is charged for it.
var vsync = iprof.Zone{Name: "vsync", Idle: true}

// frameTime is the sample's clock: a step is as long on a slow machine.
const frameTime = time.Second / 60

// viewer is the running program.
type viewer struct {
	options
	window   *glfw.Window
	session  *process.Session
	panel    *draw.Panel
	work     workload.Workload
	backdrop *backdrop
	events   *eventLog
	frame    int       // steps done
	next     time.Time // when the next frame is due
	saves    saves
	resting  *[2]float64 // where the mouse was when the window opened
	pointed  bool        // it has moved since
}

// view opens the window and runs the sample in it until it is closed or has done its frames.
func view(o options, stdout io.Writer) error {
	if err := startGLFW(); err != nil {
		return err
	}
	defer glfw.Terminate()
	window, err := openWindow(o)
	if err != nil {
		return err
	}
	v, err := newViewer(o, window, stdout)
	if err != nil {
		return err
	}
	defer v.work.Close()
	if err := v.run(); err != nil {
		return err
	}
	return v.finish(stdout)
}

func newViewer(o options, window *glfw.Window, stdout io.Writer) (*viewer, error) {
	r, err := profgl.NewRenderer() // loads the GL functions, whatever the version
	if err != nil {
		return nil, fmt.Errorf("%w (%v)", errNoGL, err)
	}
	r.Delete()
	v := &viewer{options: o, window: window, session: process.Default(), saves: saves{out: stdout, now: time.Now}}
	if v.work, err = workload.New(o.workload, workload.Options{Seed: o.seed}); err != nil {
		return nil, err
	}
	v.panel = draw.PanelFor(v.session)
	v.panel.SetTitle(o.workload)
	v.panel.SetMode(draw.Full)
	v.panel.SetFocused(true)
	if v.backdrop, err = newBackdrop(); err != nil {
		return nil, err
	}
	v.listen()
	v.startTimeline()
	if o.events {
		v.events = &eventLog{out: stdout}
	}
	if !o.hidden {
		glfw.SwapInterval(1)
	}
	return v, v.warmUp()
}

// warmUp draws once and forgets it: glyphs are drawn and shaders compiled the first time only, and would dwarf all else.
func (v *viewer) warmUp() error {
	defer v.session.Reset()
	defer v.session.Update()
	return v.redraw()
}

// listen ties the window's events to the controls.
func (v *viewer) listen() {
	c := input.ControllerFor(v.session)
	quit := func(*process.Session, *draw.Panel) { v.window.SetShouldClose(true) }
	c.Unbind(input.KeyF2, 0) // here the keys are never another program's
	c.Bind(input.Binding{Key: input.KeyF1, Name: "cycle", Action: "the sample's own picture", Always: true,
		Do: func(_ *process.Session, p *draw.Panel) { p.Cycle() }})
	c.Bind(input.Binding{Key: input.KeyEscape, Name: "quit", Action: "quit", Always: true, Do: quit})
	c.Bind(input.Binding{Key: 'Q', Mods: input.Control, Name: "quit", Action: "quit", Always: true, Do: quit})
	v.window.SetTitle("IProf · " + v.workload)
	v.window.SetKeyCallback(input.GLFW)
	v.window.SetCursorPosCallback(v.pointTo)
	v.window.SetMouseButtonCallback(input.GLFWButton)
	v.window.SetScrollCallback(input.GLFWScroll)
	v.connect()
	v.window.SetRefreshCallback(func(*glfw.Window) { v.redraw() }) // while a window is being resized
}

func (v *viewer) run() error {
	for !v.window.ShouldClose() && (v.frames == 0 || v.frame < v.frames) {
		var err error
		if v.session.Paused() {
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

// live does a frame: the sample's step, the picture, the events.
func (v *viewer) live() error {
	if err := v.work.Step(frameTime); err != nil {
		return err
	}
	v.frame++
	if err := v.redraw(); err != nil {
		return err
	}
	v.events.note(v)
	v.poll()
	v.save()
	if !v.work.Replays() {
		iprof.Update()
	}
	return nil
}

func (v *viewer) poll() {
	defer iprof.Begin("events").End()
	glfw.PollEvents()
}

// look draws the frozen display and sleeps until there is an event. The time slept belongs to no frame.
func (v *viewer) look() error {
	if err := v.redraw(); err != nil {
		return err
	}
	v.events.note(v)
	v.sleep()
	v.save()
	if !v.session.Paused() {
		v.session.Pause()
		v.session.Update()
		v.session.Resume()
	}
	v.next = time.Time{}
	return nil
}

// sleep waits for an event, or while the display still moves for the next frame.
func (v *viewer) sleep() {
	if v.panel.Settling() {
		glfw.WaitEventsTimeout(frameTime.Seconds())
		return
	}
	glfw.WaitEvents()
}

// redraw draws the window and shows it.
func (v *viewer) redraw() error {
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
func (v *viewer) draw(width, height int) error {
	defer iprof.Begin("draw").End()
	gl.Viewport(0, 0, int32(width), int32(height))
	gl.ClearColor(0.055, 0.067, 0.086, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	if v.panel.Mode() != draw.Full {
		v.backdrop.draw(v.work.Picture(), width, height)
	}
	v.measure(width)
	return profgl.OverlayFor(v.session)
}

// measure passes on how large things are to be, and how large the window's units are in pixels.
func (v *viewer) measure(width int) {
	if units, _ := v.window.GetSize(); units > 0 {
		input.SetScale(float32(width) / float32(units))
	}
	profgl.SetContentScale(v.contentScale())
}

// contentScale is what the flag says, else the monitor.
func (v *viewer) contentScale() float32 {
	if v.scale > 0 {
		return float32(v.scale)
	}
	scale, _ := v.window.GetContentScale()
	return scale
}

// show puts the picture on the screen and waits for the next frame. Software GL does not wait by itself.
func (v *viewer) show() {
	defer vsync.Begin().End()
	v.window.SwapBuffers()
	if v.hidden || v.session.Paused() {
		return
	}
	now := time.Now()
	if wait := v.next.Sub(now); wait > 0 {
		time.Sleep(wait)
		now = v.next
	}
	v.next = now.Add(frameTime)
}
