package main

import (
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"example.com/iprof/internal/outfile"
	"example.com/iprof/viewer"
)

// saves collects the saves that the user asked for since the last frame. They come with events. A picture can only be
// taken after the events.
type saves struct {
	asked []viewer.Save
	out   io.Writer // gets a line for each file
	now   func() time.Time
}

// saveCapture asks for a capture of all since the window opened.
const saveCapture viewer.Save = 255

// ask is the function for viewer.Options.Saver.
func (s *saves) ask(what viewer.Save) { s.asked = append(s.asked, what) }

// save writes the files asked for. It prints each file's name or error in the window and to v.saves.out.
func (v *application) save() {
	for _, what := range v.saves.asked {
		file, err := v.saveOne(what)
		if err != nil {
			v.panel.Note("not saved: " + err.Error())
			fmt.Fprintln(v.saves.out, "not saved:", err)
			continue
		}
		v.panel.Note("saved " + file)
		fmt.Fprintln(v.saves.out, "saved", file)
	}
	v.saves.asked = v.saves.asked[:0]
}

func (v *application) saveOne(what viewer.Save) (file string, err error) {
	extension, write := ".html", writePage
	switch what {
	case saveCapture:
		extension, write = ".iprof", v.tab.saveCapture
	case viewer.SavePicture:
		extension, write = ".png", func(w io.Writer) error {
			picture, err := v.grab()
			if err != nil {
				return err
			}
			return png.Encode(w, picture)
		}
	}
	file, err = freeName(v.out, "iprof-"+v.saves.now().Format("20060102-150405"), extension)
	if err != nil {
		return "", err
	}
	err = attempt(func() error { return outfile.Write(file, write) })
	v.tab.saved = v.tab.saved || what == saveCapture && err == nil
	return file, err
}

// mostNames is how many files can be saved within one second.
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
