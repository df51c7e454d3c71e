package web_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/web"
)

// The page's address has the moment that it shows. Back and forward go through the moments, and a changed address shows
// its moment.
func TestTheAddressHasTheMoment(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	u := look(t, p, web.Item{Name: "game.iprof", File: recorded(t, "game.iprof", 300, 0)})
	newest := 0
	at := func(age int) {
		t.Helper()
		u.wait(fmt.Sprint("age ", age))
		u.until("location.hash", func(hash string) bool {
			return strings.HasPrefix(hash, fmt.Sprintf("#frame=%d&", newest-age))
		})
	}
	u.until("location.hash", func(hash string) bool { return strings.HasPrefix(hash, "#frame=") })
	if _, err := fmt.Sscanf(u.Text("location.hash"), "#frame=%d&", &newest); err != nil {
		t.Fatal(err)
	}
	for age := range 3 {
		u.strike("ArrowLeft", "ArrowLeft")
		at(age + 1)
	}
	for _, step := range []struct {
		do  string
		age int
	}{{"back", 2}, {"back", 1}, {"forward", 2}, {"forward", 3}, {"back", 2}} {
		u.Text("history." + step.do + "(), ''")
		at(step.age)
	}
	u.Text("location.hash = '#frame=7&view=calltree', ''")
	u.wait("mode tree")
	at(newest - 7)
	u.Screenshot("testdata/out/moment.png")
	u.quiet()
}
