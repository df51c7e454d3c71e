package main

import (
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/printed"
)

// comparison is a difference of two runs or of two sets of runs, in the form in which people read it.
type comparison struct {
	head   string // the first line, or ""
	names  string // heading of the names, with the unit: "zone, self time a frame"
	noise  string // heading of the column before the verdict
	within string // "the same or within noise"
	rows   []compared
	notes  []string // sentences below the table, each with its full stop
	last   []string // sentences below the summary
}

// compared is a row.
type compared struct {
	before, after float64
	noise         string
	verdict       string
	title         string          // safe to print
	zone          gather.ZoneInfo // where its code is; may be empty
	whole         bool            // the row of all zones
}

// shown reports whether a row is more than the same.
func (r *compared) shown() bool { return r.whole || r.verdict != "same" }

// cells returns the texts of a row without its title.
func (r *compared) cells() [len(changes.Headings)]string {
	return changes.Cells(r.before, r.after, r.noise, r.verdict)
}

// counts returns the number of slower rows, and of those that are not shown.
func (c *comparison) counts() (slower, same int) {
	for i := range c.rows {
		if c.rows[i].verdict == "slower" {
			slower++
		}
		if !c.rows[i].shown() {
			same++
		}
	}
	return slower, same
}

// summary is the sentence that counts the rows.
func (c *comparison) summary() string {
	slower, same := c.counts()
	return fmt.Sprintf("%d slower, %d %s", slower, same, c.within)
}

// writeText writes lines. It leaves out zones that are the same.
func (c *comparison) writeText(w io.Writer) error {
	if c.head != "" {
		fmt.Fprintln(w, c.head)
	}
	line := func(cells [len(changes.Headings)]string, name string) {
		fmt.Fprintf(w, "%10s %10s %10s %8s %8s  %-6s  %s\n", cells[0], cells[1], cells[2], cells[3], cells[4], cells[5],
			name)
	}
	headings := changes.Headings
	headings[4] = c.noise
	line(headings, c.names)
	for i := range c.rows {
		if r := &c.rows[i]; r.shown() {
			line(r.cells(), r.title)
		}
	}
	for _, words := range c.notes {
		fmt.Fprintln(w, words)
	}
	_, err := fmt.Fprintln(w, c.summary())
	for _, words := range c.last {
		fmt.Fprintln(w, words)
	}
	return err
}

// verdict is the comparison in one sentence. It names the zone that lost the most time.
func (c *comparison) verdict(name func(string) string) string {
	var most *compared
	slower := 0
	for i := range c.rows {
		r := &c.rows[i]
		if r.verdict != "slower" && r.verdict != "new" || r.whole {
			continue
		}
		slower++
		if most == nil || r.after-r.before > most.after-most.before {
			most = r
		}
	}
	if most == nil {
		return "Nothing became slower beyond " + strings.TrimPrefix(c.within, "the same or within ") + "."
	}
	unit := strings.TrimPrefix(c.names[strings.LastIndexByte(c.names, ' ')+1:], "ms")
	if unit != "" {
		unit = " a " + unit
	}
	words := fmt.Sprintf("%s takes %.3f ms%s more: %.3f instead of %.3f (%s).", name(most.title),
		most.after-most.before, unit, most.after, most.before, changes.Percentage(most.before, most.after))
	if most.verdict == "new" {
		words = fmt.Sprintf("%s is new, and takes %.3f ms%s.", name(most.title), most.after, unit)
	}
	if slower > 1 {
		words += fmt.Sprintf(" %s slower, too.", printed.Count(slower-1, "zone"))
	}
	return words
}

// writeMarkdown writes the comparison for a review, in the Markdown of GitHub and GitLab: the verdict in a sentence, a
// table of what changed, and the rest folded.
func (c *comparison) writeMarkdown(w io.Writer) error {
	fmt.Fprintf(w, "**%s**\n\n", c.verdict(markdownName))
	if c.head != "" {
		fmt.Fprintf(w, "%s\n\n", c.head)
	}
	c.markdownTable(w, true)
	for _, words := range append(c.notes, c.last...) {
		fmt.Fprintf(w, "\n%s\n", words)
	}
	_, same := c.counts()
	if same > 0 {
		fmt.Fprintf(w, "\n<details><summary>%d %s</summary>\n\n", same, c.within)
		c.markdownTable(w, false)
		fmt.Fprint(w, "\n</details>\n")
	}
	_, err := fmt.Fprintf(w, "\n%s\n", c.summary())
	return err
}

// mostReviewed is the greatest number of rows of a table in a review. A comment on GitHub has at most 65,536
// characters.
const mostReviewed = 100

func (c *comparison) markdownTable(w io.Writer, shown bool) {
	fmt.Fprintf(w, "| %s | before ms | after ms | change | %% | %s | |\n", c.names, c.noise)
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|---|")
	rows := 0
	for i := range c.rows {
		r := &c.rows[i]
		if r.shown() != shown {
			continue
		}
		if rows++; rows > mostReviewed {
			continue
		}
		cells := r.cells()
		fmt.Fprintf(w, "| %s | %s |\n", markdownName(r.title), strings.Join(cells[:], " | "))
	}
	if rows > mostReviewed {
		fmt.Fprintf(w, "\n%d rows of %d; `iprof diff` without -markdown has all.\n", mostReviewed, rows)
	}
}

// markdownName is a name for a table of Markdown. It is code, so that nothing in it is a link or a mention. Every
// character that Markdown or HTML may read is an entity.
func markdownName(name string) string {
	var b strings.Builder
	for _, r := range html.EscapeString(name) {
		if strings.ContainsRune("\\`*_{}[]()#+!|~@$:", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return "<code>" + b.String() + "</code>"
}

// writeGitHub writes a command of a GitHub workflow for each slower and each new zone: an annotation of its line. The
// file is relative to the working directory, if it is below it.
func (c *comparison) writeGitHub(w io.Writer) error {
	for i := range c.rows {
		r := &c.rows[i]
		if r.verdict != "slower" && r.verdict != "new" {
			continue
		}
		place := ""
		if r.zone.File != "" {
			place = fmt.Sprintf(" file=%s,line=%d,title=slower", githubValue(belowHere(r.zone.File)), r.zone.Line)
		}
		one := comparison{names: c.names, within: c.within, rows: []compared{*r}}
		one.rows[0].whole = false
		fmt.Fprintf(w, "::warning%s::%s\n", place, githubText(one.verdict(func(s string) string { return s })))
	}
	_, err := fmt.Fprintf(w, "::notice::%s\n", githubText(c.summary()))
	return err
}

// belowHere returns a path relative to the working directory, or as it is if it is elsewhere.
func belowHere(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if below, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	return path
}

// githubText escapes the text of a workflow command.
func githubText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// githubValue escapes a value of a workflow command.
func githubValue(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubText(s))
}
