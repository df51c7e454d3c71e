package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
)

// reviewed returns what diff writes in a form.
func reviewed(t *testing.T, before, after string, as form) string {
	t.Helper()
	var out bytes.Buffer
	must.Get(writeDiff(&out, before, after, 5, &as))(t)
	return out.String()
}

// A comment begins with the verdict, has what changed in a table, and the rest folded.
func TestDiffForAReview(t *testing.T) {
	before := captured(t, 1, 400, zoneTime{"walls", 3000}, zoneTime{"pose", 1000}, zoneTime{"sprites", 5000})
	after := captured(t, 2, 400, zoneTime{"walls", 4000}, zoneTime{"pose", 1000}, zoneTime{"sprites", 6000},
		zoneTime{"sky", 200})
	text := reviewed(t, before, after, form{markdown: true})
	const want = `^\*\*<code>(walls|sprites)</code> takes (0\.9|1\.0)\d+ ms a frame more: .* 2 zones slower, too\.\*\*`
	if !regexp.MustCompile(want).MatchString(text) {
		t.Errorf("got\n%s\nwant the verdict first", text)
	}
	open, folded, ok := strings.Cut(text, "<details>")
	for name, shown := range map[string]bool{"walls": true, "sky": true, "pose": false} {
		if row := "| <code>" + name + "</code> | "; strings.Contains(open, row) != shown ||
			strings.Contains(folded, row) == shown || !ok {
			t.Errorf("%s: got\n%s\nwant it shown: %v", name, text, shown)
		}
	}
	if text := reviewed(t, before, before, form{markdown: true}); !strings.HasPrefix(text,
		"**Nothing became slower beyond noise.**\n") {
		t.Errorf("got\n%s\nwant that nothing became slower", text)
	}
}

// Whatever a name has, a comment's table has its columns, and no markup but its own.
func TestNamesInAReviewAreText(t *testing.T) {
	names := []zoneTime{{"a|b", 1000}, {"`c` **d** <img src=x>", 1000}, {"[e](http://f) @team #12", 1000},
		{"g\n## h", 1000}, {"</details>", 1000}}
	more := append([]zoneTime{}, names...)
	for i := range more {
		more[i].ticks *= 2
	}
	text := reviewed(t, captured(t, 1, 100, names...), captured(t, 2, 100, more...), form{markdown: true})
	rows := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| <code>") {
			continue
		}
		rows++
		if strings.Count(line, "|") != 8 {
			t.Errorf("got the row %q; want seven cells", line)
		}
	}
	own := regexp.MustCompile(`</?(code|details|summary)>|&(#\d+|lt|gt|amp);`)
	if bare := own.ReplaceAllString(text, ""); rows != 7 || strings.Count(text, "</details>") != 1 ||
		strings.ContainsAny(bare, "<>`@[]#") {
		t.Errorf("got %d rows in\n%s\nwant seven, without markup of the names", rows, text)
	}
}

// An annotation is at the line of the zone, relative to the repository.
func TestDiffAsAnnotations(t *testing.T) {
	t.Chdir(t.TempDir())
	here := must.Get(os.Getwd())(t)
	as := func(z *gather.ZoneInfo) { z.File, z.Line = filepath.Join(here, "game", "walls, old.go"), 12 }
	before := capturedAs(t, 1, 400, as, zoneTime{"walls\n::error::x", 3000}, zoneTime{"pose", 1000})
	after := capturedAs(t, 2, 400, as, zoneTime{"walls\n::error::x", 4000}, zoneTime{"pose", 1000})
	text := reviewed(t, before, after, form{github: true})
	lines := strings.Split(strings.TrimSpace(text), "\n")
	found := 0
	for _, line := range lines {
		if !strings.HasPrefix(line, "::warning") && !strings.HasPrefix(line, "::notice") {
			t.Errorf("got the line %q; want annotations only", line)
		}
		if strings.HasPrefix(line, "::warning file=game/walls%2C old.go,line=12,title=slower::walls") {
			found++
		}
	}
	if found != 1 || len(lines) != 3 { // the zone, the whole frame, and the summary
		t.Errorf("got\n%s\nwant one at the line of walls", text)
	}
}
