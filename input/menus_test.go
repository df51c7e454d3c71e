package input

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// rightTap clicks the right button at a place.
func (c *Controller) rightTap(x, y float64) {
	c.Cursor(x, y)
	c.Button(ButtonRight, ActionPress, 0)
	c.Button(ButtonRight, ActionRelease, 0)
}

// The menu begins at the column of the click. Its height depends on the room below. A menu without a place opens in the
// middle of the screen.
func TestAMenuOpensAtTheMouse(t *testing.T) {
	c := newTest(t)
	x, y := c.place(t, record(2))
	c.rightTap(x, y)
	c.layOut()
	at, _ := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Command })
	if at < x || at > x+10 {
		t.Errorf("right click at x %v: got the first line at x %v", x, at)
	}
}

func TestRightClickOnARowOffersWhatCanBeDone(t *testing.T) {
	c := newTest(t)
	c.rightTap(c.place(t, record(2)))
	if !c.panel.State().MenuOpen || c.panel.View().Get().Cursor != 2 {
		t.Fatalf("right click: got menu %v, cursor %d; want the menu of row 2", c.panel.State().MenuOpen,
			c.panel.View().Get().Cursor)
	}
	r := cursorRecord(c.panel.View().Session())
	c.pick(t, "pin")
	if v := c.panel.View().Get(); c.panel.State().MenuOpen || len(v.Pin) == 0 || v.Pin[len(v.Pin)-1] != r.Zone {
		t.Errorf("pin: got menu %v, pinned %v; want it closed and the path to zone %d", c.panel.State().MenuOpen, v.Pin,
			r.Zone)
	}
	c.strike('I', ModShift)
	for name, check := range map[string]func() bool{
		"filter-name":    func() bool { return c.panel.State().Filter == strings.ToLower(r.Name) },
		"select":         func() bool { return c.panel.View().Get().Mode == report.ReportCallGraph },
		"descendants-of": func() bool { return c.panel.View().Get().Mode == report.ReportCallGraphDescendants },
		"callers": func() bool {
			return c.panel.State().CallersOnly &&
				c.panel.View().Get().Mode == report.ReportCallGraph
		},
		"card":     func() bool { return c.panel.State().CardOpen },
		"group":    func() bool { return c.panel.State().Grouped },
		"own-lane": func() bool { return c.panel.View().Get().Lane != 0 },
		"menu":     func() bool { return c.panel.State().MenuOpen },
	} {
		t.Run(name, func(t *testing.T) {
			c.panel.View().Set(report.View{})
			c.layOut()
			c.rightTap(c.place(t, record(2)))
			r = cursorRecord(c.panel.View().Session())
			c.pick(t, name)
			if !check() {
				t.Errorf("%s on %q: got view %+v; want it done", name, r.Name, c.panel.View().Get())
			}
			if c.panel.State().CardOpen {
				c.panel.Run("card")
			}
			if c.panel.State().Grouped {
				c.panel.Run("group")
			}
			for range 3 { // the list, the filter; the last returns the focus
				c.strike(KeyEscape, 0)
			}
			c.panel.Change(func(o *viewer.Options) { o.Focused = true })
		})
	}
}

func TestMenuOfFramesSetsTheLens(t *testing.T) {
	c := newTest(t)
	for name, want := range map[string]report.LensKind{"all-frames": report.LensAll, "over-frames": report.LensOver,
		"within-frames": report.LensWithin, "slow-frames": report.LensSlowest, "one-frame": report.LensOff} {
		t.Run(name, func(t *testing.T) {
			c.panel.View().Set(report.View{})
			c.layOut()
			c.rightTap(c.place(t, column(9)))
			c.pick(t, name)
			if got := c.panel.View().Get().Lens.Kind; got != want {
				t.Errorf("%s: got lens %v; want %v", name, got, want)
			}
		})
	}
}

// The menu of all commands has a line for every command.
func TestMenuOfAllHasEveryCommand(t *testing.T) {
	c := newTest(t)
	c.strike(KeyTab, 0)
	seen := map[string]bool{}
	for range 200 {
		h := c.panel.State().Choice
		if h.Kind != hit.Command || h.Name == "" {
			t.Fatalf("menu: got %+v; want commands", h)
		}
		seen[h.Name] = true
		c.strike(KeyDown, 0)
	}
	for _, command := range viewer.Commands() {
		if command.Do != nil && !seen[command.Name] && command.Name != "menu" {
			t.Errorf("menu: got no line for %q; want one", command.Name)
		}
	}
	c.strike(KeyHome, 0)
	for c.panel.State().Choice.Name != "calltree" {
		c.strike(KeyDown, 0)
	}
	c.strike(KeyEnter, 0)
	if c.panel.State().MenuOpen || c.panel.View().Get().Mode != report.ReportCallTree {
		t.Errorf("Enter: got menu %v, mode %v; want it closed, the tree", c.panel.State().MenuOpen,
			c.panel.View().Get().Mode)
	}
	c.strike(KeyTab, 0)
	c.strike(KeyTab, 0)
	if c.panel.State().MenuOpen {
		t.Error("Tab twice: got the menu open; want it closed")
	}
}

func TestMenuOpensWithinTheScreen(t *testing.T) {
	c := newTest(t)
	c.rightTap(testWidth-3, testHeight-3)
	c.layOut()
	x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Command })
	if x > testWidth-60 || y > testHeight-60 {
		t.Errorf("menu at the corner: got its first line at %v, %v; want it pushed inside", x, y)
	}
}

func TestFoldedPackagesOpenWithEnter(t *testing.T) {
	c := newTest(t)
	c.strike('G', 0)
	c.layOut()
	c.strike('G', ModShift)
	if c.layOut(); !c.panel.State().CursorFolded {
		t.Fatal("Shift+G: got the cursor's package open; want it folded")
	}
	before := c.panel.View().Get().Cursor
	c.strike(KeyDown, 0)
	c.layOut()
	c.strike(KeyUp, 0)
	c.layOut()
	if !c.panel.State().CursorFolded {
		t.Errorf("down and up: got cursor %d, from %d; want it on the folded package again",
			c.panel.View().Get().Cursor,
			before)
	}
	c.strike(KeyEnter, 0)
	c.layOut()
	if c.panel.State().CursorFolded || c.panel.View().Get().Mode != report.ReportSelfTime {
		t.Errorf("Enter: got folded %v, mode %v; want it unfolded in the same report", c.panel.State().CursorFolded,
			c.panel.View().Get().Mode)
	}
}

func TestSavingAsksTheHost(t *testing.T) {
	c := newTest(t)
	for c.panel.Settling() {
		c.layOut()
	}
	if c.panel.Run("save-picture"); !c.panel.Settling() {
		t.Error("no host: got no note; want one")
	}
	var got []viewer.SaveRequest
	c.panel.Change(func(o *viewer.Options) {
		o.Saver = func(what viewer.SaveRequest) {
			got = append(got, what)
			c.SetScale(1) // a host may use the controller
			c.panel.Note("saved")
		}
	})
	c.strike('S', ModControl)
	c.strike('E', ModControl)
	c.strike(KeyTab, 0)
	for c.panel.State().Choice.Name != "save-report" {
		c.strike(KeyDown, 0)
	}
	c.pick(t, "save-report")
	if len(got) != 3 || got[0] != viewer.SavePicture || got[1] != viewer.SaveReport || got[2] != viewer.SaveReport {
		t.Errorf("saved: got %v; want a picture and two reports", got)
	}
	c.panel.Change(func(o *viewer.Options) { o.Saver = nil })
}

func TestRightClickOnAHeadingOffersColumns(t *testing.T) {
	c := newTest(t)
	c.rightTap(c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Header }))
	if h := c.panel.State().Choice; h.Kind != hit.Column {
		t.Errorf("heading: got %+v; want the columns", h)
	}
}

// cursorRecord returns the record under the cursor.
func cursorRecord(s *process.Session) (r report.Record) {
	var shown report.Report
	s.View().AppendReport(&shown)
	return shown.Records[shown.Cursor]
}

func TestTypingSearchesTheMenuOfCommands(t *testing.T) {
	c := newTest(t)
	c.strike(KeyTab, 0)
	for _, key := range "TIMEL" {
		c.strike(Key(key), 0)
	}
	c.layOut()
	if s := c.panel.State(); !s.MenuOpen || s.Choice.Name != "timeline" {
		t.Fatalf("typed timel: got %+v; want the cursor on timeline", s.Choice)
	}
	for range "TIMEL" {
		c.strike(KeyBackspace, 0)
	}
	for _, r := range "calls fit" { // the window delivers characters, words in any order
		c.Char(r)
	}
	if got := c.panel.State().Choice.Name; got != "fit" {
		t.Errorf("typed calls fit: got %q; want fit", got)
	}
	for _, r := range "xxxx\x00\xff" {
		c.Char(r)
	}
	c.layOut()
	c.strike(KeyEnter, 0)
	c.layOut()
	if got := c.panel.State(); got.Filter != "" {
		t.Errorf("words that no command has: got filter %q; want none", got.Filter)
	}
	c.strike(KeyEscape, 0)
	if c.panel.State().MenuOpen || c.panel.State().Typing {
		t.Error("Escape: got the menu open; want it closed")
	}
}

func TestResetAsks(t *testing.T) {
	c := newTest(t)
	frames, now := c.panel.View().Info().Frames, time.Now()
	c.panel.Change(func(o *viewer.Options) { o.Now = func() time.Time { return now } })
	c.strike('X', 0)
	if got := c.panel.View().Info().Frames; got != frames || !c.panel.Settling() {
		t.Fatalf("X: got %d frames; want %d, and a question", got, frames)
	}
	for range 100 { // however often it is drawn
		c.layOut()
	}
	if !c.panel.Settling() {
		t.Error("the question was there for 100 draws; want it for a time")
	}
	now = now.Add(5 * time.Second)
	c.strike('X', 0)
	if got := c.panel.View().Info().Frames; got != frames {
		t.Errorf("X long after the question: got %d frames; want %d", got, frames)
	}
	c.strike('X', 0)
	if got := c.panel.View().Info().Frames; got != 0 {
		t.Errorf("X X: got %d frames; want none", got)
	}
}

// What X forgot comes back: with the key of undo at any time, and with Ctrl+Z as long as the view is the same.
func TestResetIsUndone(t *testing.T) {
	for _, test := range []struct {
		name  string
		keys  func(c *Controller)
		comes bool
	}{
		{"undo", func(c *Controller) { c.strike('X', ModControl) }, true},
		{"Ctrl+Z", func(c *Controller) { c.strike('Z', ModControl) }, true},
		{"another view, undo", func(c *Controller) { c.strike('5', 0); c.strike('X', ModControl) }, true},
		{"another view, Ctrl+Z", func(c *Controller) { c.strike('5', 0); c.strike('Z', ModControl) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTest(t)
			frames := c.panel.View().Info().Frames
			c.strike('5', 0)
			c.strike('1', 0)
			c.strike('X', 0)
			c.strike('X', 0)
			test.keys(c)
			if got := c.panel.View().Info().Frames; (got == frames) != test.comes || got != 0 != test.comes {
				t.Errorf("got %d frames; want %d: %v", got, frames, test.comes)
			}
			if mode := c.panel.View().Get().Mode; mode != report.ReportSelfTime && test.name == "Ctrl+Z" {
				t.Errorf("got mode %d; want the same view", mode)
			}
		})
	}
}

// Delete hides the zone under the cursor, which goes to the next row. Shift+Delete shows all again.
func TestDeleteHidesTheZone(t *testing.T) {
	c := newTest(t)
	zoneOf := func() report.ZoneID {
		var r report.Report
		c.panel.View().AppendReport(&r)
		return r.Records[r.Cursor].Zone
	}
	there := func(zone report.ZoneID) bool {
		c.layOut()
		for y := float32(0); y < testHeight; y += 4 {
			for x := float32(0); x < testWidth; x += 8 {
				h := c.panel.HitAt(x, y)
				if (h.Kind == hit.Record || h.Kind == hit.Legend) && h.Zone == zone {
					return true
				}
			}
		}
		return false
	}
	c.panel.View().Session().Pause()
	c.strike(KeyDown, 0)
	gone := zoneOf()
	if !there(gone) {
		t.Fatal("the zone has no row")
	}
	c.strike(KeyDelete, 0)
	if zoneOf() == gone || there(gone) {
		t.Errorf("Delete: got the cursor on zone %d, of %d, in sight: %v; want another, and none of it",
			zoneOf(), gone, there(gone))
	}
	x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Command && h.Name == "show-zones" })
	c.Cursor(float64(x), float64(y))
	c.Button(ButtonLeft, ActionPress, 0)
	c.Button(ButtonLeft, ActionRelease, 0)
	if !there(gone) || len(c.panel.View().Get().Hidden) != 0 {
		t.Error("a click on the sign in the header: got the zone hidden; want it there")
	}
	c.strike(KeyDelete, 0)
	c.strike(KeyDelete, 0)
	if c.strike(KeyDelete, ModShift); len(c.panel.View().Get().Hidden) != 0 {
		t.Error("Shift+Delete: got hidden zones; want none")
	}
}

// Enter takes a line of the menu of all commands that is no command, as a click does.
func TestEnterTakesAZoneFromTheMenu(t *testing.T) {
	c := newTest(t)
	c.strike(KeyTab, 0)
	c.layOut()
	for _, r := range "physics" {
		c.Char(r)
	}
	name := c.panel.State().Choice.Name
	c.strike(KeyEnter, 0)
	if got := c.panel.State(); got.MenuOpen || got.Filter == "" {
		t.Errorf("Enter on %q: got the filter %q, menu open %v; want the zone found", name, got.Filter, got.MenuOpen)
	}
}

func TestTypingAZonesName(t *testing.T) {
	c := newTest(t)
	c.strike(KeySlash, 0)
	c.Char('/') // the key's own character
	for _, r := range "Ph" {
		c.strike(Key(r&^32), 0)
		c.Char(r)
	}
	if got := c.panel.State().Filter; got != "ph" {
		t.Errorf("typed: got %q; want \"ph\"", got)
	}
	if c.strike(KeyBackspace, 0); c.panel.State().Filter != "p" || !c.panel.State().Typing {
		t.Errorf("Backspace: got %q, typing %v; want \"p\", typing", c.panel.State().Filter, c.panel.State().Typing)
	}
	if c.strike(KeyEnter, 0); c.panel.State().Typing || c.panel.State().Filter != "p" {
		t.Error("Enter: got still typing, or no filter; want the filter kept")
	}
	if c.strike(KeyEscape, 0); c.panel.State().Filter != "" || !c.panel.Options().Focused {
		t.Error("Esc: got the filter, or the focus gone; want only the filter gone")
	}
	if c.Char('x') {
		t.Error("a character while nothing is typed: got it used; want it the program's")
	}
}

func TestTypingWithoutCharacterEvents(t *testing.T) {
	c := newTest(t)
	c.strike('F', ModControl)
	for _, k := range "AI" {
		c.strike(Key(k), 0)
	}
	c.strike('-', ModShift)
	if got := c.panel.State().Filter; got != "ai_" {
		t.Errorf("typed by keys: got %q; want \"ai_\"", got)
	}
	if c.strike(KeyEscape, 0); c.panel.State().Typing || c.panel.State().Filter != "" {
		t.Error("Esc while typing: got it open; want it closed and empty")
	}
}

func TestMenuTakesTheKeys(t *testing.T) {
	c := newTest(t)
	c.strike('K', 0)
	has := func() bool { // none are the usual ones
		columns := c.panel.Options().Columns
		return len(columns) == 0 || slices.Contains(columns, report.ColumnHier)
	}
	before := has()
	c.strike(KeyDown, 0) // waited %, beside self
	c.strike(KeyDown, 0)
	c.strike(KeyEnter, 0)
	if has() == before {
		t.Error("third line, Enter: got the column as before; want it toggled")
	}
	if !c.strike('5', 0) || c.panel.View().Get().Mode == report.ReportCallTree {
		t.Error("5 in a menu: got the mode changed, or the key passed on; want neither")
	}
	if c.strike(KeyEscape, 0); c.panel.State().MenuOpen || !c.panel.Options().Focused {
		t.Error("Esc: got the menu open, or the focus gone; want the menu closed")
	}
	c.strike('L', ModControl)
	c.layOut()
	x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.MenuAway })
	if c.tap(x, y); c.panel.State().MenuOpen {
		t.Error("click beside the menu: got it open; want it closed")
	}
}

func TestEscapeClosesBeforeItQuits(t *testing.T) {
	c := newTest(t)
	quit := 0
	c.panel.AddCommand(viewer.Command{Name: "quit", Action: "quit", Always: true,
		Do: func(*process.Session, *viewer.Panel) { quit++ }})
	c.Bind(KeyEscape, 0, "quit")
	c.strike('L', ModControl)
	c.strike(KeyEscape, 0)
	c.panel.View().Arrange(func(a *report.Arrangement) { a.Filter = "a" })
	c.strike(KeyEscape, 0)
	if quit != 0 || c.panel.State().MenuOpen || c.panel.State().Filter != "" {
		t.Errorf("Esc twice: got quit %d times, menu open %v, filter %q; want the menu and the filter gone", quit,
			c.panel.State().MenuOpen, c.panel.State().Filter)
	}
	if c.strike(KeyEscape, 0); quit != 1 {
		t.Errorf("Esc with nothing open: got quit %d times; want once", quit)
	}
}

// In the list of keys typing searches, and runs no command.
func TestTypingSearchesTheHelp(t *testing.T) {
	c := newTest(t)
	c.enter(KeySlash, ModShift, '?')
	if q := c.panel.State(); q.Help || q.Typing {
		t.Fatalf("first page: got %+v; want the signs, which are not searched", q)
	}
	c.enter(KeySlash, ModShift, '?')
	paused := c.panel.View().Session().Paused()
	for _, r := range "zo m" {
		c.enter(Key(r), 0, r)
	}
	c.strike(KeyBackspace, 0)
	c.strike(KeyBackspace, 0)
	if c.panel.View().Session().Paused() != paused || c.panel.State().CardOpen || !c.panel.State().Help {
		t.Error("typing: got a command run, or the help closed; want neither")
	}
	var l draw.List
	c.panel.Draw(&l, testWidth, testHeight, 1)
	found := false
	for _, w := range l.AppendWords(nil) {
		found = found || w.Text == "zo"
	}
	if !found {
		t.Errorf("got %v; want the words that are searched for", l.AppendWords(nil))
	}
	if c.strike(KeyEscape, 0); c.panel.State().Help || !c.panel.Options().Focused {
		t.Error("Escape: got the help, or the focus gone; want the help closed")
	}
}
