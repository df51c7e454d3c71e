package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"example.com/iprof/draw"
	"example.com/iprof/fonts/system"
)

// checkFonts returns an error if a file of -font cannot be opened, before a window opens. It leaves out those that are
// damaged or too large, with a line for each.
func (o *options) checkFonts() error {
	var usable []string
	for _, name := range o.fonts {
		_, err := system.OpenFiles(name)
		if missing := new(fs.PathError); errors.As(err, &missing) {
			return fmt.Errorf("-font: %w; see glviewer -h", err)
		}
		if err == nil {
			usable = append(usable, name)
		} else {
			o.unused = append(o.unused, "-font: "+err.Error()+"; other fonts are used")
		}
	}
	o.fonts = usable
	for _, name := range filepath.SplitList(os.Getenv(system.Environment)) {
		if _, err := system.OpenFiles(name); err != nil {
			o.unused = append(o.unused, system.Environment+": "+err.Error()+"; other fonts are used")
		}
	}
	return nil
}

// scripts returns the function that draws what our typefaces lack. It searches the machine's fonts when a text first
// needs them. The search runs in the background: the drawing shows escapes until wake is called. With atOnce the search
// blocks. Without any font, escapes stay.
func scripts(files []string, atOnce bool, wake func()) draw.Scripts {
	find := sync.OnceValue(func() *system.Fonts {
		found, _ := system.Open(files...)
		return found
	})
	search := sync.OnceFunc(func() {
		go func() {
			if found := find(); found != nil {
				draw.SetScripts(found.Layout)
				wake()
			}
		}()
	})
	return func(text string, style draw.Style) []draw.Word {
		if !atOnce {
			search()
		} else if found := find(); found != nil {
			return found.Layout(text, style)
		}
		return []draw.Word{{Text: text}}
	}
}
