package console

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// screen writes lines to a terminal. It writes only the lines that changed, so that a slow connection keeps up.
type screen struct {
	w     io.Writer
	width int
	shown []string
}

// draw shows the lines from the top row down. Each line may contain styles and must not be wider than the screen.
func (s *screen) draw(width int, lines []string) error {
	var b strings.Builder
	if width != s.width || len(lines) != len(s.shown) {
		b.WriteString("\x1b[0m\x1b[2J")
		s.width, s.shown = width, make([]string, len(lines))
	}
	for i, line := range lines {
		if line != s.shown[i] {
			fmt.Fprintf(&b, "\x1b[%d;1H\x1b[2K%s\x1b[0m", i+1, line)
		}
	}
	s.shown = slices.Clone(lines)
	if b.Len() == 0 {
		return nil
	}
	_, err := io.WriteString(s.w, b.String())
	return err
}
