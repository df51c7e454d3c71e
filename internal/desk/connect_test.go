package desk_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
	"example.com/iprof/viewer"
)

// TestAnUnreachableProgramIsSaidInTheMiddle: the screen says why there are no frames, and gives no advice to a program.
func TestAnUnreachableProgramIsSaidInTheMiddle(t *testing.T) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	l.Close() // nobody is there
	d := desk.New(desk.Options{Limits: budget.Usual, Lines: io.Discard}, desk.Host{
		Wake: func() {}, Title: func(string) {}, Scale: func() float32 { return 1 },
		Size: func() (int, int) { return 800, 600 },
		Dial: func(address string) (desk.Program, string, error) {
			p, err := remote.New(address, "")
			return p, address, err
		}})
	t.Cleanup(d.Close)
	tab := d.NewTab("a")
	must.Do(t, d.Follow(tab, l.Addr().String()))
	tab.Panel().Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	text := ""
	for end := time.Now().Add(time.Minute); !strings.Contains(text, "Not connected: ") && time.Now().Before(end); {
		var list draw.List
		tab.Panel().Draw(&list, 1200, 700, 1)
		text = ""
		for _, w := range list.AppendWords(nil) {
			text += w.Text + " "
		}
	}
	if !strings.Contains(text, "Not connected: ") || !strings.Contains(text, "refused") ||
		strings.Contains(text, "Mark what is") {
		t.Errorf("got %q", text)
	}
}
