package agent

import (
	"bytes"
	"image"
	"image/png"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// The size of a picture in pixels, and the most rounds until its scales are at rest.
const (
	pictureWidth  = 1280
	pictureHeight = 720
	mostRounds    = 200
)

// picture draws a frame as the viewer shows it, with its verdict, as PNG.
func (c *capture) picture(index uint64) ([]byte, error) {
	s, age, err := c.around(index)
	if err != nil {
		return nil, err
	}
	view := process.NewView(s)
	view.SetFrame(age)
	p := viewer.NewPanel(view)
	now := time.Unix(0, 0)
	p.Change(func(o *viewer.Options) {
		o.Mode, o.Finished, o.Title = viewer.PanelFull, true, c.Program
		o.Now = func() time.Time { now = now.Add(time.Second); return now }
	})
	p.Run("verdict")
	var l draw.List
	for range mostRounds {
		l.Reset()
		if p.Draw(&l, pictureWidth, pictureHeight, 1); !p.Settling() {
			break
		}
	}
	m := image.NewRGBA(image.Rect(0, 0, pictureWidth, pictureHeight))
	soft.Render(m, &l)
	var out bytes.Buffer
	err = png.Encode(&out, m)
	return out.Bytes(), err
}
