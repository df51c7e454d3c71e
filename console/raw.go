package console

import (
	"errors"
	"io"
	"os"

	"golang.org/x/term"
)

// terminal is a keyboard and screen in raw mode: keys arrive at once and are not echoed.
type terminal struct {
	in, out *os.File
	saved   *term.State
	screen  uint32 // settings of the screen before, on Windows
}

// takeTerminal puts the terminal into raw mode. It returns nil if in or out is not a terminal.
func takeTerminal(in io.Reader, out io.Writer) *terminal {
	t := &terminal{}
	var ok bool
	if t.in, ok = in.(*os.File); !ok || t.in == nil {
		return nil
	}
	if t.out, ok = out.(*os.File); !ok || t.out == nil {
		return nil
	}
	if !term.IsTerminal(int(t.out.Fd())) {
		return nil
	}
	if t.screen, ok = t.takeScreen(); !ok {
		return nil
	}
	var err error
	if t.saved, err = term.MakeRaw(int(t.in.Fd())); err != nil {
		t.giveScreen(t.screen)
		return nil
	}
	return t
}

// giveBack restores the terminal's settings.
func (t *terminal) giveBack() error {
	t.giveScreen(t.screen)
	return term.Restore(int(t.in.Fd()), t.saved)
}

// size returns the terminal's columns and lines, 80 and 24 if they are unknown.
func (t *terminal) size() (width, height int) {
	if width, height, err := term.GetSize(int(t.out.Fd())); err == nil && width > 0 && height > 0 {
		return width, height
	}
	return 80, 24
}

// read waits a tenth of a second for keys if the system supports that, or else until a key arrives.
func (t *terminal) read(buffer []byte) (int, error) {
	if !t.wait() {
		return 0, nil
	}
	n, err := t.in.Read(buffer)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}
