//go:build !(aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris)

package console

import (
	"errors"
	"io"
)

// terminal is never created on this system. Terminal reads lines here.
type terminal struct{ out io.Writer }

func takeTerminal(io.Reader, io.Writer) *terminal { return nil }

func (t *terminal) giveBack() error          { return nil }
func (t *terminal) size() (int, int)         { return 80, 24 }
func (t *terminal) read([]byte) (int, error) { return 0, errors.ErrUnsupported }
func (t *terminal) interrupt()               {}
