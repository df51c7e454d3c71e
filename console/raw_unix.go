//go:build aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package console

import (
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a keyboard and screen in raw mode: keys arrive at once and are not echoed.
type terminal struct {
	in, out *os.File
	was     unix.Termios
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
	if _, err := unix.IoctlGetTermios(int(t.out.Fd()), getTermios); err != nil {
		return nil
	}
	was, err := unix.IoctlGetTermios(int(t.in.Fd()), getTermios)
	if err != nil {
		return nil
	}
	t.was = *was
	raw := rawMode(t.was)
	if err := unix.IoctlSetTermios(int(t.in.Fd()), setTermios, &raw); err != nil {
		return nil
	}
	return t
}

// rawMode returns the settings with raw input. Output settings stay, so other output of the program remains readable.
func rawMode(m unix.Termios) unix.Termios {
	m.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	m.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	m.Cflag = m.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	m.Cc[unix.VMIN], m.Cc[unix.VTIME] = 0, 1 // a read returns after a tenth of a second at the latest
	return m
}

// giveBack restores the terminal's settings.
func (t *terminal) giveBack() error {
	return unix.IoctlSetTermios(int(t.in.Fd()), setTermios, &t.was)
}

// size returns the terminal's columns and lines, 80 and 24 if they are unknown.
func (t *terminal) size() (width, height int) {
	if s, err := unix.IoctlGetWinsize(int(t.out.Fd()), unix.TIOCGWINSZ); err == nil && s.Col > 0 && s.Row > 0 {
		return int(s.Col), int(s.Row)
	}
	return 80, 24
}

// read waits at most a tenth of a second for keys.
func (t *terminal) read(buffer []byte) (int, error) {
	n, err := unix.Read(int(t.in.Fd()), buffer)
	switch {
	case err == unix.EAGAIN: // another user of the descriptor made it non-blocking
		time.Sleep(50 * time.Millisecond)
		return 0, nil
	case err == unix.EINTR:
		return 0, nil
	case err != nil:
		return 0, err
	}
	return n, nil
}
