package console

import (
	"os"
	"path/filepath"
	"strings"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// frame shows an old frame. It pauses first, as the keys do, so that the frame's age does not change. Without an
// argument it prints the frame shown.
func (c *call) frame() error {
	switch n, relative, err := number(c.rest); {
	case c.rest == "":
	case err != nil:
		return c.namedFrame()
	case relative:
		c.s.Pause()
		c.s.MoveFrame(n)
	default:
		c.s.Pause()
		c.s.SetFrame(n)
	}
	c.printFrame()
	return nil
}

func (c *call) namedFrame() error {
	names := []string{"live", "oldest", "slowest"} // of the viewer's commands
	at, err := choose("frame", c.rest, names)
	if err != nil {
		return err
	}
	viewer.PanelFor(c.s).Run(names[at])
	c.printFrame()
	return nil
}

func (c *call) printFrame() {
	info := c.s.Info()
	if info.Frames == 0 {
		c.printf("no frames yet: the program calls Update once a frame")
		return
	}
	c.printf("frame %d%s, %d ago, %s%s",
		info.Index, label(info.Label), info.Age, text.Duration(info.Length), paused(info.Paused))
}

func label(s string) string {
	if s == "" {
		return ""
	}
	return " " + text.Name(s)
}

func paused(is bool) string {
	if is {
		return ", paused"
	}
	return ""
}

// dumpHTML writes a page to a new file. It never overwrites a file, because commands may come from a socket.
func (c *call) dumpHTML() error {
	f, err := create(c.rest)
	if err != nil {
		return err
	}
	err = html.Write(f, c.s.Dump(process.DumpPage), html.WholeRun)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	c.printf("wrote %q", f.Name())
	return nil
}

// create creates a file that only its owner may read. The file must not exist. Without a path it is a temporary file.
func create(path string) (*os.File, error) {
	if path == "" {
		return os.CreateTemp("", strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")+"-*.html")
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}
