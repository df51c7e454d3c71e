package viewer

import (
	"strconv"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

func savePicture(_ *process.Session, p *Panel) { save(p, SavePicture) }
func saveReport(_ *process.Session, p *Panel)  { save(p, SaveReport) }

// SaveRequest is a file that a panel can save: see Options.Saver.
type SaveRequest uint8

// save calls the Saver of the options. Without one, it shows a note.
func save(p *Panel, what SaveRequest) {
	p.mu.Lock()
	f := p.options.Saver
	p.saving = true
	p.mu.Unlock()
	if f == nil {
		p.Note("this program saves no files: see Panel.Options")
		return
	}
	f(what)
}

// copyTable copies the TableText, or the list in place of the table, to the clipboard, and shows a note.
func copyTable(p *Panel) {
	listed := ""
	p.change(func() {
		if p.listed.Open {
			listed = p.listed.Text()
		}
	})
	if listed != "" {
		p.copy(listed, "list copied")
		return
	}
	p.copy(p.TableText(), "table copied")
}

// copyRow copies the cursor's row to the clipboard, with its headings, in the format of TableText.
func (t *tablePart) copyRow() {
	t.mu.Lock()
	t, d := t, &t.scene
	var b strings.Builder
	if d.Report.CursorRecord() != nil {
		t.TextHead(&b)
		t.RecordRow(&b, d, d.Report.Cursor, t.options.Precision)
	}
	t.mu.Unlock()
	t.copy(b.String(), "row copied")
}

// siteOfCursor returns the file and the line of the cursor's zone. If they are unknown, it shows a note.
func (t *tablePart) siteOfCursor() (file string, line int, known bool) {
	t.mu.Lock()
	if zone := t.scene.CursorZone(); zone >= 0 {
		z := t.scene.Zone(zone)
		file, line = z.File, z.Line
	}
	t.mu.Unlock()
	if file == "" {
		t.Note("the place of this zone is not known")
	}
	return file, line, file != ""
}

// copySite copies the site of the cursor's zone to the clipboard, as file:line.
func (t *tablePart) copySite() {
	if file, line, known := t.siteOfCursor(); known {
		text := draw.Printable(file) + ":" + strconv.Itoa(line)
		t.copy(text, "site copied: "+text)
	}
}

// openSite opens the site of the cursor's zone with the Editor of the options. Without one, it shows a note.
func (t *tablePart) openSite() {
	t.mu.Lock()
	open := t.options.Editor
	t.mu.Unlock()
	if open == nil {
		t.Note("this program opens no editor: see Panel.Options")
		return
	}
	if file, line, known := t.siteOfCursor(); known {
		t.Note("opening " + draw.Printable(file) + ":" + strconv.Itoa(line))
		open(file, line)
	}
}

// TableText returns all rows of the last drawn table, even those out of sight. It has a line of headings and a line for
// each row. Tabs separate the columns, and names are indented by two spaces for each level. It escapes control
// characters in names. It puts an apostrophe before a name that a spreadsheet would take for a formula. Any goroutine
// may call it.
func (p *Panel) TableText() string { return p.table.text() }

// text is TableText.
func (t *tablePart) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	d := &t.scene
	var b strings.Builder
	t.TextHead(&b)
	for line := range d.Report.Len() {
		if r, i := d.Report.Line(line); i < 0 {
			t.TextRow(&b, r, 0, t.options.Precision)
		} else {
			t.RecordRow(&b, d, i, t.options.Precision)
		}
	}
	return b.String()
}
