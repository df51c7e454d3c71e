package viewer

import "example.com/iprof/draw"

// notice is a text in the middle of the screen. It replaces data that is missing.
type notice struct {
	title string
	words []string
	code  []string
}

var (
	noticeNoFrames = notice{"No frames yet", []string{"Mark what is to be measured, and end each frame:"}, []string{
		`func step() {`,
		`	defer iprof.Begin("step").End()`,
		`	...`,
		`}`,
		``,
		`for !done {`,
		`	step()`,
		`	iprof.Update() // once a frame`,
		`}`,
	}}
	noticeNoUpdate = notice{"Zones are measured, but no frame ends", []string{
		"Call Update once a frame, where the loop begins anew.",
		"The zones so far are in the report since the start."}, []string{
		`for !done {`,
		`	...`,
		`	iprof.Update() // once a frame`,
		`}`,
	}}
	noticePaused = notice{title: "Paused, and nothing is kept", words: []string{
		"The measurements were reset while frames were not recorded. Space goes on with the newest frame."}}
	noticeOff = notice{"The profiler is compiled out", []string{
		"This program was built with the tag iprof_off: zones cost nothing and measure nothing.",
		"Build it without the tag to see its frames here:"}, []string{
		`go build .`,
	}}
	noticeGone = notice{title: "This frame has left the history", words: []string{
		"Only its self times are left. End goes back to the newest frame."}}
	noticeFiltered = notice{title: "No zone of that name in this view", words: []string{"Esc shows all rows again."}}
	noticeNone     = notice{title: "Nothing was measured in this frame", words: []string{
		"No zone of this view was entered, nor open."}}
)

// notice draws a notice in the middle of r.
func (c *canvas) notice(r rect, n notice) {
	width := 180 * c.em
	for _, s := range n.words {
		width = max(width, c.Width(draw.FaceText, s))
	}
	height := float32(34+20*len(n.words))*c.em + c.codeHeight(n)
	x, y := draw.Snap((r.x0+r.x1-width)/2), draw.Snap(max((r.y0+r.y1-height)/2, r.y0))
	c.left(x, r.x1-x, rect{x, y, 0, y + 24*c.em}, draw.FaceBold, n.title, c.TextBright)
	y += 32 * c.em
	for _, s := range n.words {
		c.left(x, r.x1-x, rect{x, y, 0, y + 18*c.em}, draw.FaceText, s, c.TextDim)
		y += 20 * c.em
	}
	if len(n.code) > 0 {
		c.code(rect{x, y + 8*c.em, x + max(width, 330*c.em), y + c.codeHeight(n)}, n.code)
	}
}

func (c *canvas) codeHeight(n notice) float32 {
	if len(n.code) == 0 {
		return 0
	}
	return float32(32+18*len(n.code)) * c.em
}

// code draws lines of Go for the user to copy.
func (c *canvas) code(r rect, lines []string) {
	c.Round(r.x0, r.y0, r.x1, r.y1, 6*c.em, c.Surface)
	c.Border(r.x0, r.y0, r.x1, r.y1, 6*c.em, c.Outline)
	y := r.y0 + 12*c.em
	for _, s := range lines {
		x := r.x0 + 16*c.em
		for s != "" && s[0] == '\t' {
			x, s = x+32*c.em, s[1:]
		}
		c.left(x, r.x1-x, rect{x, y, 0, y + 18*c.em}, draw.FaceMono, s, c.TextNormal)
		y += 18 * c.em
	}
}
