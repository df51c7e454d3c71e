package main

import (
	"image"
	"image/draw"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"example.com/iprof"
	lists "example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/input"
	"example.com/iprof/viewer"
)

// panel is the profiler's panel as a widget.
type panel struct {
	widget.BaseWidget
	image   *canvas.Image
	picture *image.RGBA
	list    lists.List
	input   *input.Controller
}

func newPanel() *panel {
	p := &panel{picture: image.NewRGBA(image.Rect(0, 0, 1000, 600)), input: input.ControllerFor(iprof.Default())}
	p.image = canvas.NewImageFromImage(p.picture)
	p.ExtendBaseWidget(p)
	return p
}

func (p *panel) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(p.image) }

// drawing is the zone of the profiler's own drawing. It is not the program's work, so it is not in its budget.
var drawing = iprof.Zone{Name: "iprof draw", Idle: true}

// show draws the panel as large as the widget is.
func (p *panel) show() {
	defer drawing.Begin().End()
	if size := image.Rect(0, 0, int(p.Size().Width), int(p.Size().Height)); !size.Empty() && size != p.picture.Rect {
		p.picture = image.NewRGBA(size)
		p.image.Image = p.picture
	}
	draw.Draw(p.picture, p.picture.Rect, image.Black, image.Point{}, draw.Src)
	p.list.Reset()
	p.list.Begin(1)
	viewer.PanelFor(iprof.Default()).Draw(&p.list, float32(p.picture.Rect.Dx()), float32(p.picture.Rect.Dy()), 1)
	soft.Render(p.picture, &p.list)
	p.image.Refresh()
}

var keys = map[fyne.KeyName]input.Key{fyne.KeyUp: input.KeyUp, fyne.KeyDown: input.KeyDown, fyne.KeyLeft: input.KeyLeft,
	fyne.KeyRight: input.KeyRight, fyne.KeyReturn: input.KeyEnter, fyne.KeySpace: input.KeySpace,
	fyne.KeyEscape: input.KeyEscape, fyne.KeyBackspace: input.KeyBackspace, fyne.KeyTab: input.KeyTab}

// key passes a key on. Names of letters and digits are the letters and digits.
func (p *panel) key(e *fyne.KeyEvent) {
	k, known := keys[e.Name]
	if !known && len(e.Name) == 1 {
		k = input.Key(e.Name[0])
	}
	p.input.Key(k, input.ActionPress, 0)
}

func (p *panel) MouseIn(e *desktop.MouseEvent) { p.MouseMoved(e) }

func (p *panel) MouseMoved(e *desktop.MouseEvent) {
	p.input.Cursor(float64(e.Position.X), float64(e.Position.Y))
}

func (p *panel) MouseOut() {}

func (p *panel) MouseDown(e *desktop.MouseEvent) { p.button(e, input.ActionPress) }

func (p *panel) MouseUp(e *desktop.MouseEvent) { p.button(e, input.ActionRelease) }

func (p *panel) button(e *desktop.MouseEvent, action input.Action) {
	button := input.ButtonLeft
	if e.Button == desktop.MouseButtonSecondary {
		button = input.ButtonRight
	}
	p.input.Button(button, action, 0)
}

func (p *panel) Scrolled(e *fyne.ScrollEvent) {
	p.input.Scroll(float64(e.Scrolled.DX/20), float64(e.Scrolled.DY/20))
}
