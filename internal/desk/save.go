package desk

import (
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"example.com/iprof/draw/html"
	"example.com/iprof/internal/moment"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/pngfile"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// saves collects the saves that the user asked for since the last frame. Requests come with events, and a picture can
// only be taken after the events.
type saves struct {
	requests []viewer.SaveRequest
	now      func() time.Time
}

// saveCapture asks for a capture of all frames since the window opened.
const saveCapture viewer.SaveRequest = 255

// ask is the function for viewer.Options.Saver.
func (s *saves) ask(what viewer.SaveRequest) { s.requests = append(s.requests, what) }

// Save writes the files asked for since the last call. It prints each file's name or error in the window and to the
// options' Lines.
func (d *Desk) Save() {
	for _, what := range d.saves.requests {
		file, err := d.saveOne(what)
		if err != nil {
			d.tab.panel.Note("not saved: " + err.Error())
			fmt.Fprintln(d.options.Lines, "not saved:", err)
			continue
		}
		d.wrote(file)
		d.tab.panel.Note("saved " + file)
		fmt.Fprintln(d.options.Lines, "saved", file)
	}
	d.saves.requests = d.saves.requests[:0]
}

// wrote tells the host of a file. Any goroutine may call it.
func (d *Desk) wrote(file string) {
	if d.host.Saved != nil {
		d.host.Saved(file)
	}
}

func (d *Desk) saveOne(what viewer.SaveRequest) (file string, err error) {
	extension, write := ".html", d.tab.writePage
	switch what {
	case saveCapture:
		extension, write = ".iprof", d.tab.saveCapture
	case viewer.SavePicture:
		extension, write = ".png", func(w io.Writer) error {
			picture, err := d.host.Picture()
			if err != nil {
				return err
			}
			_, err = w.Write(encoded(picture))
			return err
		}
	}
	file, err = freeName(d.options.Out, "iprof-"+d.saves.now().Format("20060102-150405"), extension)
	if err != nil {
		return "", err
	}
	err = attempt(func() error { return outfile.Write(file, write) })
	if what == saveCapture && err == nil {
		d.tab.saved = true
		if list := d.tab.panel.Options().Comments; len(list) > 0 && !d.options.Browser {
			err = writeComments(file, list)
		}
		if full, err := filepath.Abs(file); err == nil {
			remember(full)
		}
	}
	return file, err
}

// encoded returns a picture of the window as a PNG file.
func encoded(p *image.RGBA) []byte {
	pixels := make([]byte, 0, 3*p.Rect.Dx()*p.Rect.Dy())
	for y := range p.Rect.Dy() {
		for x := range p.Rect.Dx() {
			at := y*p.Stride + 4*x
			pixels = append(pixels, p.Pix[at:at+3]...)
		}
	}
	return pngfile.Encode(p.Rect.Dx(), p.Rect.Dy(), pixels)
}

// mostNames is the greatest number of files saved within one second.
const mostNames = 100

// freeName returns the path of a file that does not exist. It adds a number to the name if needed.
func freeName(folder, name, extension string) (string, error) {
	for n := 1; n <= mostNames; n++ {
		file := filepath.Join(folder, name+extension)
		if n > 1 {
			file = filepath.Join(folder, fmt.Sprintf("%s-%d%s", name, n, extension))
		}
		_, err := os.Lstat(file)
		if errors.Is(err, fs.ErrNotExist) {
			return file, nil
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", folder, outfile.Cause(err))
		}
	}
	return "", fmt.Errorf("%s: %d files are named %s already", folder, mostNames, name)
}

// writePage writes the tab's report as an HTML page. It does not use the root package's writer, which knows no
// recordings when the profiler is compiled out.
func (t *Tab) writePage(w io.Writer) error {
	d := t.session.Dump(report.DumpPage)
	return html.Write(w, d, html.Options{Link: func(frame uint64, zone string) string {
		m := moment.Of(frame)
		if m.Zone = zone; t.path == "" {
			return ""
		}
		return moment.Command(t.path, m.String())
	}})
}
