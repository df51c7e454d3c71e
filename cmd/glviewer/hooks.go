package main

import (
	"bufio"
	"math"
	"os"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/input"
)

// connect gives the panel what only a program with a window and files has: typed characters, the clipboard,
// source, and files to save in.
func (v *viewer) connect() {
	v.window.SetCharCallback(input.GLFWChar)
	v.panel.SetClipboard(glfw.SetClipboardString)
	v.panel.SetSource(readSource)
	v.panel.SetSaver(v.saves.ask)
}

// pointTo passes the mouse on. A window that opens under it is not pointed at before the mouse moves.
func (v *viewer) pointTo(w *glfw.Window, x, y float64) {
	input.GLFWCursor(w, x, y)
	at := [2]float64{x, y}
	if v.resting == nil {
		v.resting = &at
	}
	if *v.resting == at && !v.pointed {
		nowhere := float32(math.NaN())
		v.panel.SetHover(nowhere, nowhere)
		return
	}
	v.pointed = true
}

const (
	sourceLines = 16
	longestLine = 64 << 10 // bytes; a file with longer ones is no source
)

// readSource returns some lines of a file from the line with that number on; none where the file cannot be read.
func readSource(file string, line int) (lines []string) {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, longestLine)
	for n := 1; n < line+sourceLines && s.Scan(); n++ {
		if n >= line {
			lines = append(lines, s.Text())
		}
	}
	return lines
}
