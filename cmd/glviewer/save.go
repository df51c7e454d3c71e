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

	"example.com/iprof"
	"example.com/iprof/draw"
)

// saves is what the user asked to have saved since the last frame. The asking comes with an event; a picture can only be taken
// when that is over.
type saves struct {
	asked []draw.Save
	out   io.Writer // is told where the files are
	now   func() time.Time
}

// ask is for Panel.SetSaver.
func (s *saves) ask(what draw.Save) { s.asked = append(s.asked, what) }

// save writes what was asked for, and says in the window and on standard output where it is or why it is not.
func (v *viewer) save() {
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

func (v *viewer) saveOne(what draw.Save) (file string, err error) {
	extension, write := ".html", iprof.WriteHTML
	if what == draw.SavePicture {
		picture, err := v.grab()
		if err != nil {
			return "", err
		}
		extension, write = ".png", func(w io.Writer) error { return png.Encode(w, picture) }
	}
	file, err = freeName(v.out, "iprof-"+v.saves.now().Format("20060102-150405"), extension)
	if err != nil {
		return "", err
	}
	if err := writeFile(file, write); err != nil {
		return "", fmt.Errorf("%s: %w", v.out, cause(err))
	}
	return file, nil
}

// mostNames is how many files of one second there may be.
const mostNames = 100

// freeName is the path of a file that does not exist yet.
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
			return "", fmt.Errorf("%s: %w", folder, cause(err))
		}
	}
	return "", fmt.Errorf("%s: %d files are named %s already", folder, mostNames, name)
}

// cause is an error without the temporary file's name, which tells nobody anything.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
