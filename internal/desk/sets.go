package desk

import (
	"fmt"
	"io"
	"os"
	"slices"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/moment"
	"example.com/iprof/internal/scratch"
)

// showSets adds a tab for each set of frames in the capture of a tab. A set is read when its tab is shown.
func (d *Desk) showSets(of *Tab, names []string) {
	for _, name := range names {
		path := of.path
		t := d.NewTab(path)
		t.fill = func() error { return d.open(t, path, moment.Moment{Set: name}.String()) }
		d.call(t, of.name+" · "+name, "")
		t.path, t.set = path, name
	}
}

// setIn returns a file with the frames of the tab's set in a capture, which it closes.
func (t *Tab) setIn(file *os.File) (*os.File, error) {
	defer t.closeRead(file)
	one, err := scratch.New()
	var all []string
	if err == nil {
		all, err = framefile.CopySet(one, file, t.set)
	}
	if err == nil && !slices.Contains(all, t.set) {
		err = fmt.Errorf("%q: there is no such set of frames; there are %q", t.set, all)
	}
	if err == nil {
		_, err = one.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, err
	}
	t.imported = one
	return one, nil
}

// fillNow reads what a tab shows, unless it has been read.
func (d *Desk) fillNow(t *Tab) {
	fill := t.fill
	if t.fill = nil; fill == nil {
		return
	}
	if err := fill(); err != nil {
		d.note("not opened: " + err.Error())
	}
}
