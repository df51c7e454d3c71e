package console

import (
	"os"
	"path/filepath"
	"strings"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/process"
)

// oldest is an age that SetFrame clamps.
const oldest = 1 << 30

// frame shows an old frame. It pauses first, as the keys do: a frame that is looked at must stand still.
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
	c.sayFrame()
	return nil
}

func (c *call) namedFrame() error {
	at, err := choose("frame", c.rest, []string{"live", "oldest", "slowest"})
	if err != nil {
		return err
	}
	if at == 0 {
		c.s.SetFrame(0)
		c.s.Resume()
	} else {
		c.s.Pause()
		c.s.SetFrame([]int{0, oldest, slowest(c.s)}[at])
	}
	c.sayFrame()
	return nil
}

// slowest returns the age of the busiest frame that still has a report.
func slowest(s *process.Session) int {
	frames := s.AppendFrames(nil, oldest)
	at := len(frames) - 1
	for i := range frames {
		if frames[i].HasReport && frames[i].Busy > frames[at].Busy {
			at = i
		}
	}
	return max(0, len(frames)-1-at)
}

func (c *call) sayFrame() {
	info := c.s.Info()
	if info.Frames == 0 {
		c.say("no frames yet: the program calls Update once a frame")
		return
	}
	c.say("frame %d%s, %d ago, %s%s", info.Index, label(info.Label), info.Age, text.Duration(info.Length), paused(info.Paused))
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

// dumpHTML writes a page into a file that is not there yet: whoever may send commands must not overwrite files.
func (c *call) dumpHTML() error {
	f, err := create(c.rest)
	if err != nil {
		return err
	}
	err = html.Write(f, c.s.Dump(process.DumpOptions{}), html.Options{})
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	c.say("wrote %q", f.Name())
	return nil
}

// create makes a new file that only its owner may read.
func create(path string) (*os.File, error) {
	if path == "" {
		return os.CreateTemp("", strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")+"-*.html")
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}
