package main

import (
	"fmt"
	"sync"

	"example.com/iprof/draw"
	"example.com/iprof/fonts/system"
)

// checkFonts returns an error if a font of the command line cannot be used, before a window opens.
func (o *options) checkFonts() error {
	if _, err := system.OpenFiles(o.fonts...); err != nil {
		return fmt.Errorf("-font: %w; see glviewer -h", err)
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
