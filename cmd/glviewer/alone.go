package main

import (
	"image"
	"image/color"
	imagedraw "image/draw"
	"io"

	"example.com/iprof"
	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/editor"
	"example.com/iprof/internal/workload"
)

// viewAlone runs the sample without a window, where there is no display. The processor draws the requested pictures.
func viewAlone(o options, stdout io.Writer) error {
	v := &application{options: o}
	draw.SetScripts(scripts(o.fonts, true, func() {}))
	if err := v.beginAlone(stdout); err != nil {
		return err
	}
	defer v.work.Close()
	defer v.Close()
	defer v.box.Close() // again, after an error
	defer v.box.OnPanic()
	v.layOut() // the first frame takes much longer than any other
	v.session().Update()
	v.session().Reset()
	v.session().Reset() // that frame is of no use
	if err := v.attach(); err != nil {
		return err
	}
	for v.frame < v.frames {
		if err := v.stepAlone(); err != nil {
			return err
		}
	}
	return v.finish(stdout)
}

// beginAlone makes the desk with its first tab and the profiled workload.
func (v *application) beginAlone(stdout io.Writer) (err error) {
	v.Desk, v.work = desk.New(v.deskOptions(stdout), v.hostAlone()), noWorkload{}
	if len(v.files)+len(v.programs) == 0 {
		v.work, err = workload.New(v.workload, workload.Options{Seed: v.seed})
		if err != nil {
			return err
		}
	}
	v.NewTab(v.workload)
	if v.options.events {
		v.events = desk.NewLog(stdout)
	}
	return nil
}

// hostAlone is the desk's host without a window.
func (v *application) hostAlone() desk.Host {
	return desk.Host{
		Wake: func() {}, Title: func(string) {}, Close: func() { v.frame = v.frames },
		Size:      func() (width, height int) { return v.width, v.height },
		Scale:     v.scaleAlone,
		Clipboard: func(string) {},
		Picture:   v.grab,
		Editor:    editor.Open,
		Dial:      v.dial,
	}
}

// scaleAlone returns the scale of the flag, or the usual scale of monitors.
func (v *application) scaleAlone() float32 {
	if v.scale > 0 {
		return float32(v.scale)
	}
	return 1
}

// stepAlone runs a frame, as live does. It lays out each picture, but draws only requested ones.
func (v *application) stepAlone() error {
	v.Watch()
	if err := v.work.Step(frameTime); err != nil {
		return err
	}
	v.frame++
	v.stumble()
	v.layOut()
	v.events.Note(v.Desk, v.frame)
	v.Save()
	if !v.work.Replays() {
		iprof.Update()
	}
	return nil
}

// layOut draws the tab's screen and its surroundings as lists.
func (v *application) layOut() (screen, around *draw.List) {
	defer iprof.Begin("draw").End()
	v.SetScale(v.scaleAlone())
	v.offscreen.Reset()
	v.Tab().Panel().Draw(&v.offscreen, float32(v.width), float32(v.height-v.BarHeight()), v.scaleAlone())
	v.chrome.list.Reset()
	v.Draw(&v.chrome.list, v.width, v.height)
	return &v.offscreen, &v.chrome.list
}

// drawAlone draws the picture that a window would show.
func (v *application) drawAlone() *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, v.width, v.height))
	imagedraw.Draw(picture, picture.Rect, image.NewUniform(color.RGBA{14, 17, 22, 255}), image.Point{}, imagedraw.Src)
	screen, around := v.layOut()
	below := image.Rect(0, v.BarHeight(), v.width, v.height)
	for _, part := range []struct {
		list *draw.List
		in   image.Rectangle
	}{{screen, below}, {around, picture.Rect}} {
		if part.list.Quads() > 0 {
			soft.Render(picture.SubImage(part.in).(*image.RGBA), part.list)
		}
	}
	return picture
}
