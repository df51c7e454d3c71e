package desk

import (
	"path/filepath"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/input"
	"example.com/iprof/viewer"
)

// greeting is the list of first steps in a window that was opened without a capture or address. It lies over the first
// tab until that tab shows the sample.
type greeting struct {
	choices []choice
	at      int // the chosen line
	note    string
	top     float32 // of the first choice in the last picture, in pixels; choices have one height
	row     float32 // that height
	left    float32
	right   float32
}

// choice is a line of the greeting.
type choice struct {
	title, words string
	keys         string // that do the same in any tab, or the kind of line
	do           func()
}

// Greet shows the greeting over the first tab. It lists the tabs of the last window and the recent captures.
func (d *Desk) Greet() {
	d.greeting = &greeting{choices: d.choices()}
	t := d.tabs[0]
	d.call(t, "start", "")
	t.panel.Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
}

// Greets reports whether the greeting is shown.
func (d *Desk) Greets() bool { return d.greeting != nil && d.tab == d.tabs[0] }

// choices returns the lines of the greeting.
func (d *Desk) choices() (all []choice) {
	if before := d.options.Settings.Tabs; len(before) > 0 {
		all = append(all, choice{"Go on where you were", strings.Join(baseNames(before), ", "), "", func() {
			for _, name := range before {
				d.showAgain(name)
			}
		}})
	}
	for _, c := range []struct {
		command string
		choice
	}{
		{"open", choice{"Open a file", "a capture of iprof, or a trace or profile of another tool", "Ctrl+O",
			d.choose}},
		{"connect", choice{"Connect to a program", "one that runs and serves its frames: iprof run -listen ADDR, " +
			"or debug.ListenAndServe", "", d.askAddress}},
		{"run-program", choice{"Run a program of yours", "the sources of any Go program: its functions get zones, " +
			"its files stay as they are", "", d.askProgram}},
		{"sample", choice{"See the sample", "a small game that measures itself", "", d.showSample}},
	} {
		if d.offers(c.command) {
			all = append(all, c.choice)
		}
	}
	for _, path := range recent() {
		all = append(all, choice{filepath.Base(path), filepath.Dir(path), "recent", func() { d.ShowFile(path) }})
	}
	return all
}

// offers reports whether the window can do what a command does.
func (d *Desk) offers(command string) bool {
	switch command {
	case "connect":
		return !d.options.Browser
	case "run-program":
		return d.host.Record != nil
	case "sample":
		return d.host.Sample != nil
	}
	return true
}

func baseNames(of []string) (names []string) {
	for _, name := range of {
		names = append(names, filepath.Base(name))
	}
	return names
}

// showAgain opens a tab of the last window again: a capture, or a remote program.
func (d *Desk) showAgain(name string) {
	if filepath.IsAbs(name) {
		d.ShowFile(name)
	} else {
		d.connectTo(name)
	}
}

// askAddress asks for the address of a program. It lists the addresses of the last window.
func (d *Desk) askAddress() {
	d.prompt.ask(question{"Connect to a program: HOST:PORT, as iprof run -listen or debug.ListenAndServe has it.",
		func(text string) (lines []string) {
			for _, name := range d.options.Settings.Tabs {
				if !filepath.IsAbs(name) && strings.HasPrefix(name, text) {
					lines = append(lines, name)
				}
			}
			return lines
		}, nil, d.connectTo})
}

// connectTo shows a remote program in a new tab, or in the tab that already has it.
func (d *Desk) connectTo(address string) {
	for _, t := range d.tabs {
		if t.link != nil && t.link.address == address {
			d.switchTo(t)
			return
		}
	}
	d.show(address, func(t *Tab) error { return d.Follow(t, address) })
}

// askProgram asks for the folder of a Go program.
func (d *Desk) askProgram() {
	d.prompt.ask(question{"Run a Go program: its folder. Tab completes, Up and Down choose.",
		func(text string) []string { return completions(text, false) },
		func(path string) bool { return isFolder(path) && !hasSources(path) }, d.runProgram})
}

// hasSources reports whether a folder has Go files.
func hasSources(folder string) bool {
	files, _ := filepath.Glob(filepath.Join(globEscaped.Replace(folder), "*.go"))
	return len(files) > 0
}

var globEscaped = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// runProgram starts the program of a folder, and shows it in a new tab. Its frames stay after the program has ended.
func (d *Desk) runProgram(folder string) {
	name := filepath.Base(folder)
	d.show(name, func(t *Tab) error {
		ended := make(chan string, 1)
		address, err := d.host.Record(folder, func(line string) { ended <- line })
		if err != nil {
			return err
		}
		if err := d.follow(t, address, true); err != nil {
			return err
		}
		d.call(t, name, "")
		t.link.show("building " + name)
		go t.link.end(name, ended)
		return nil
	})
}

// end waits for the end of a program that the viewer has started, and shows its result.
func (l *link) end(name string, how <-chan string) {
	select {
	case line := <-how:
		l.leave()
		l.show("ENDED · " + name)
		l.note(line)
	case <-l.left:
	}
}

// showSample shows the sample in place of the greeting.
func (d *Desk) showSample() {
	if err := d.host.Sample(); err != nil {
		d.note(err.Error())
		return
	}
	d.greeting = nil
	d.call(d.tab, "sample", "")
	d.host.Title(d.tab.Title())
	d.tab.panel.Change(func(o *viewer.Options) { o.Mode, o.Title = viewer.PanelFull, "sample" })
}

// note shows a line for a while.
func (d *Desk) note(line string) {
	if d.Greets() {
		d.greeting.note = line
		return
	}
	d.tab.panel.Note(line)
}

// greetingKey takes a key while the greeting is shown.
func (d *Desk) greetingKey(k input.Key) {
	g := d.greeting
	switch k {
	case input.KeyDown, input.KeyTab:
		g.at = (g.at + 1) % len(g.choices)
	case input.KeyUp:
		g.at = (g.at + len(g.choices) - 1) % len(g.choices)
	case input.KeyEnter, input.KeyKeypadEnter:
		d.choice(g.at)
	}
}

// greetingClick carries out the choice under the mouse.
func (d *Desk) greetingClick() {
	if at := d.greeting.under(float32(d.bar.x), float32(d.bar.y)); at >= 0 {
		d.choice(at)
	}
}

func (d *Desk) choice(at int) {
	d.greeting.at, d.greeting.note = at, ""
	d.greeting.choices[at].do()
}

// point chooses the line under the mouse.
func (g *greeting) point(x, y float32) {
	if at := g.under(x, y); at >= 0 {
		g.at = at
	}
}

// under returns the choice at a place in the window, or -1.
func (g *greeting) under(x, y float32) int {
	if g.row == 0 || x < g.left || x > g.right || y < g.top {
		return -1
	}
	if at := int((y - g.top) / g.row); at < len(g.choices) {
		return at
	}
	return -1
}

// draw draws the greeting over the window below the bar of the tabs. It leaves out choices that do not fit.
func (g *greeting) draw(l *draw.List, c *draw.Palette, width, height, bar, scale float32) {
	l.Rect(0, bar, width, height, c.Background)
	wide := min(700*scale, width-24*scale)
	g.left = draw.Snap((width - wide) / 2)
	g.right, g.row = g.left+wide, draw.Snap(42*scale)
	whole := g.row*float32(len(g.choices)) + 110*scale
	y := bar + max(20*scale, (height-bar-whole)*0.35)
	l.Text(g.left+14*scale, y+24*scale, draw.FaceLarge, "IProf", c.TextBright)
	l.Text(g.left+14*scale, y+50*scale, draw.FaceText, "Where does the time of each frame go?", c.TextDim)
	g.top = draw.Snap(y + 66*scale)
	for i := range g.choices {
		if top := g.top + g.row*float32(i); top+g.row < height-30*scale {
			g.line(l, c, i, top, scale)
		}
	}
	words, ink := "Up, Down and Enter choose. Files can be dropped here. Ctrl+Q closes the window.", c.TextFaint
	if g.note != "" {
		words, ink = g.note, c.Amber
	}
	l.TextCut(g.left+14*scale, height-14*scale, wide-28*scale, draw.FaceText, words, ink)
}

// line draws a choice.
func (g *greeting) line(l *draw.List, c *draw.Palette, i int, top, scale float32) {
	k, title := &g.choices[i], c.TextNormal
	if i == g.at {
		l.Round(g.left, top+2*scale, g.right, top+g.row-2*scale, 5*scale, c.Selected)
		l.Rect(g.left, top+8*scale, g.left+3*scale, top+g.row-8*scale, c.Accent)
		title = c.TextBright
	}
	room := g.right - g.left - 28*scale
	if k.keys != "" {
		room -= l.TextRight(g.right-14*scale, top+18*scale, draw.FaceText, k.keys, c.TextFaint) + 10*scale
	}
	l.TextCut(g.left+14*scale, top+18*scale, room, draw.FaceBold, k.title, title)
	l.TextCut(g.left+14*scale, top+34*scale, room, draw.FaceSmall, k.words, c.TextDim)
}
