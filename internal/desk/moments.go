package desk

import (
	"bytes"
	"io"
	"strings"

	"example.com/iprof/internal/moment"
)

// GoTo shows the moment of a link in the shown tab, such as "#frame=140&zone=updateWorld". If the tab's frames are
// still being read, it does so when the frame is there. The tab's panel shows an error. An empty link does nothing.
func (d *Desk) GoTo(link string) {
	d.tab.wanted = strings.TrimPrefix(link, "#")
	d.seek()
}

// Moment returns the link to the moment that the window shows, without "#". It is "" while the shown tab follows its
// program, and in a window with several tabs, as a link leads to one program.
func (d *Desk) Moment() string {
	if len(d.tabs) != 1 || !d.tab.session.Paused() || d.tab.wanted != "" {
		return ""
	}
	t := d.tab
	if at := t.session.View().Generation(); t.moment == "" || t.momentAt != at {
		var answer bytes.Buffer
		if t.runLink(&answer, "") != nil {
			return ""
		}
		t.moment, t.momentAt = strings.TrimPrefix(strings.TrimSpace(answer.String()), "#"), at
	}
	return t.moment
}

// seek tries to show the wanted moment of the shown tab.
func (d *Desk) seek() {
	t := d.tab
	if t.wanted == "" {
		return
	}
	if t.linked = true; t.session.View().Info().Frames == 0 {
		return
	}
	err := t.runLink(io.Discard, t.wanted)
	if err != nil && t.panel.Options().Loading {
		return
	}
	if t.wanted = ""; err != nil {
		t.panel.Note(err.Error())
	}
}

// runLink runs the panel's command for links.
func (t *Tab) runLink(to io.Writer, line string) error {
	command, _ := t.panel.Command("link")
	wrong, _ := command.Run(t.session, to, line)
	return wrong
}

// address returns the command that shows a moment of the tab again, or the address of the page.
func (d *Desk) address(t *Tab, link string) string {
	if t.set != "" {
		link = moment.Moment{Set: t.set}.String() + "&" + link
	}
	switch {
	case d.host.Link != nil:
		return d.host.Link(link)
	case t.link != nil:
		return moment.Command(t.link.address, link)
	case t.path != "":
		return moment.Command(t.path, link)
	}
	return link
}
