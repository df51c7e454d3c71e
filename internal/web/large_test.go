//go:build !iprof_off

package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/web"
	"example.com/iprof/process"
)

// The newest frames are there first, then all, and the page answers keys.
func TestTwoHundredMegabytes(t *testing.T) {
	longtest.Skip(t)
	gather.SetEvents(1 << 16)
	defer gather.SetEvents(0)
	file := recordedBusy(t, 200e6)
	s := process.NewSession()
	if _, err := framefile.Load(s, file); err != nil {
		t.Fatal(err)
	}
	frames := s.View().Info().Frames
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	if _, err := viewer(); err != nil { // it takes longer to build than to show
		t.Fatal(err)
	}
	began := time.Now()
	u := look(t, p, web.Item{Name: "busy.iprof", File: file})
	t.Logf("%d frames: the first after %.1f s", frames, time.Since(began).Seconds())
	u.within(10*time.Minute, "iprofLines.findLast(l => l.startsWith('history '))",
		func(line string) bool { return line == fmt.Sprint("history ", frames) })
	t.Logf("all after %.1f s", time.Since(began).Seconds())
	u.strike("Home", "Home")
	u.until("iprofLines.findLast(l => l.startsWith('frame '))", func(line string) bool {
		return strings.HasPrefix(line, "frame 1 ") || strings.HasPrefix(line, "frame 0 ")
	})
	u.Screenshot("testdata/out/large.png")
	u.quiet()
}
