package desk_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/input"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// opened returns a desk with a copy of a capture, and the path of the comments beside it.
func opened(t *testing.T, comments string) (d *desk.Desk, beside string) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	file := must.Get(os.ReadFile("../../capture/testdata/v1.7.iprof"))(t)
	path := filepath.Join(t.TempDir(), "game.iprof")
	beside = path + ".comments.json"
	must.Do(t, os.WriteFile(path, file, 0o600))
	if comments != "" {
		must.Do(t, os.WriteFile(beside, []byte(comments), 0o600))
	}
	d = desk.New(desk.Options{Limits: budget.Usual, Lines: io.Discard, Whole: true}, desk.Host{
		Wake: func() {}, Title: func(string) {}, Scale: func() float32 { return 1 },
		Size: func() (int, int) { return 800, 600 }})
	t.Cleanup(d.Close)
	d.NewTab("sample")
	if d.ShowFile(path); d.Tab().Session().View().Info().Frames != 20 {
		t.Fatalf("got %d frames; want those of the capture", d.Tab().Session().View().Info().Frames)
	}
	var l draw.List
	d.Tab().Panel().Draw(&l, 1200, 700, 1)
	return d, beside
}

// say comments on what is shown, with the keys.
func say(d *desk.Desk, text string) {
	d.Key('C', input.ActionPress, input.ModAlt)
	for _, r := range text {
		d.Char(r)
	}
	d.Key(input.KeyEnter, input.ActionPress, 0)
}

// A comment is typed, stands in a file beside the capture, and is there when it is opened again.
func TestCommentsAreKeptBesideTheCapture(t *testing.T) {
	d, beside := opened(t, "")
	s, p := d.Tab().Session(), d.Tab().Panel()
	s.View().ShowFrame(7)
	say(d, "hier ruckelt es, ~/x")
	s.View().SetLens(report.Lens{Kind: report.LensRange, From: 12, To: 9})
	say(d, "the boss")
	text, err := os.ReadFile(beside)
	if err != nil || !bytes.Contains(text, []byte("hier ruckelt es, ~/x")) {
		t.Fatalf("got %s, %v; want the comment", text, err)
	}
	want := []report.Comment{{From: 7, To: 7, Text: "hier ruckelt es, ~/x"}, {From: 9, To: 12, Text: "the boss"}}
	if got := p.Options().Comments; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %+v; want %+v", got, want)
	}

	d, beside = opened(t, string(text))
	s, p = d.Tab().Session(), d.Tab().Panel()
	if got := p.Options().Comments; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("opened again: got %+v; want %+v", got, want)
	}
	s.View().ShowFrame(7)
	d.Key('C', input.ActionPress, input.ModAlt) // the text is there, and goes
	for range 30 {
		d.Key(input.KeyBackspace, input.ActionPress, 0)
	}
	d.Key(input.KeyEnter, input.ActionPress, 0)
	text, _ = os.ReadFile(beside)
	if got := p.Options().Comments; len(got) != 1 || bytes.Contains(text, []byte("ruckelt")) {
		t.Errorf("removed: got %+v, and in the file %s; want the other comment", got, text)
	}
}

// A capture that is saved has its comments beside it.
func TestSavedCapturesHaveTheirComments(t *testing.T) {
	d, _ := opened(t, `{"comments":[{"from":3,"to":3,"text":"here"}]}`)
	out := t.TempDir()
	t.Chdir(out) // the folder of captures
	d.Key('S', input.ActionPress, input.ModControl|input.ModShift)
	d.Save()
	files, _ := filepath.Glob(filepath.Join(out, "*.iprof.comments.json"))
	if len(files) != 1 {
		t.Fatalf("got files %q; want one with comments", files)
	}
	if text, err := os.ReadFile(files[0]); err != nil || !bytes.Contains(text, []byte("here")) {
		t.Errorf("got %s, %v; want the comment", text, err)
	}
}

// A file of comments may be anybody's: what is no comment is not taken, all is bounded, and a file that was not read is
// not written.
func TestFilesOfCommentsMayBeHostile(t *testing.T) {
	many := `{"comments":[` + strings.Repeat(`{"from":1,"to":1,"text":"x"},`, report.MaxComments) +
		`{"from":1,"to":1,"text":"x"}]}`
	for name, file := range map[string]string{
		"no JSON": "\x7fELF", "a list": `[1,2]`, "too many": many,
		"negative":  `{"comments":[{"from":-1,"to":2,"text":"x"}]}`,
		"too large": `{"comments":[]}` + strings.Repeat(" ", report.MaxComments*(6*report.LongestComment+100)),
	} {
		d, beside := opened(t, file)
		if got := d.Tab().Panel().Options().Comments; len(got) != 0 {
			t.Errorf("%s: got %d comments; want none", name, len(got))
		}
		d.Tab().Session().View().ShowFrame(7)
		say(d, "mine")
		if text, err := os.ReadFile(beside); err != nil || string(text) != file {
			t.Errorf("%s: got %d bytes, %v; want the file as it was", name, len(text), err)
		}
	}
	d, _ := opened(t, `{"comments":[{"from":18446744073709551615,"to":2,"text":"\u001b[31m\ud800`+
		strings.Repeat("y", 5000)+`"},{"from":5,"to":5,"text":""},{"from":5}]}`)
	got := d.Tab().Panel().Options().Comments
	if len(got) != 1 || got[0].From != 2 || len(got[0].Text) > report.LongestComment {
		t.Errorf("got %.200v; want one comment from frame 2 on, which is cut", got)
	}
	var l draw.List
	d.Tab().Panel().Run("marks")
	d.Tab().Panel().Draw(&l, 1200, 700, 1)
	if row := strings.Join(d.Tab().Panel().State().ListRow, " "); strings.Contains(row, "\x1b") {
		t.Errorf("got row %q; want it escaped", row)
	}
}

// The screen says why there are no frames, and gives no advice to a program.
func TestAnUnreachableProgramIsSaidInTheMiddle(t *testing.T) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	l.Close() // no desk listens
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

// A capture that was saved is the first of the recent files.
func TestASavedCaptureIsRecent(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	out := t.TempDir()
	d := desk.New(desk.Options{Out: out, Limits: budget.Usual, Lines: io.Discard}, desk.Host{
		Wake: func() {}, Title: func(string) {}, Scale: func() float32 { return 1 },
		Size: func() (int, int) { return 800, 600 }})
	defer d.Close()
	must.Do(t, d.Open(d.NewTab("a"), "../../capture/testdata/v1.7.iprof"))
	d.Key('S', input.ActionPress, input.ModControl|input.ModShift)
	d.Save()
	list := must.Get(os.ReadFile(filepath.Join(cache, "iprof", "recent")))(t)
	newest, _, _ := strings.Cut(string(list), "\n")
	if filepath.Dir(newest) != out || filepath.Ext(newest) != ".iprof" {
		t.Errorf("got %q first; want the file in %s", newest, out)
	}
}
