package web_test

import (
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/web"
)

// A screen reader finds the sentence as a live region, and the table with the chosen row, which the keyboard moves.
func TestAScreenReaderFindsTheTable(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	u := look(t, p, web.Item{Name: "a.iprof", File: recorded(t, "a.iprof", 100, 0)})
	selected := func() (row string) {
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
			for line := range strings.Lines(u.Accessible()) {
				if strings.HasPrefix(line, "row ") && strings.HasSuffix(line, " selected\n") {
					return line
				}
			}
		}
		t.Fatalf("got no chosen row in\n%s", u.Accessible())
		return ""
	}
	first := selected()
	all := u.Accessible()
	for _, want := range []string{"application the profile", " live polite\n", "grid ", "columnheader zone\n",
		"columnheader self ms\n", "rowheader "} {
		if !strings.Contains(all, want) {
			t.Errorf("got no %q in\n%s", want, all)
		}
	}
	u.strike("ArrowDown", "ArrowDown")
	for end := time.Now().Add(patience); selected() == first; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the key down: got the row %s as before", first)
		}
	}
	if got := u.Text("document.getElementById('screen').getAttribute('aria-activedescendant')"); got != "chosen" {
		t.Errorf("got the active row %q; want the chosen one", got)
	}
	if got := u.Text("document.getElementById('said').ariaLive"); got != "polite" {
		t.Errorf("got a sentence that is %s; want polite", got)
	}
	u.Text(`iprofFiles.mirror(JSON.stringify({sentence: '<img src=x onerror="owned=1">', caption: '<b>', head: ['<i>'],
		rows: [['</td><script>owned=1</script>']], chosen: 0})), ''`)
	made := "document.querySelectorAll('#said *, #rows b, #rows i, #rows script').length + typeof owned"
	if got := u.Text(made); got != "0undefined" {
		t.Errorf("got %s; want hostile names as texts", got)
	}
}
