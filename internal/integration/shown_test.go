//go:build !windows && !iprof_off

package integration_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// The documents show what commands print. Here these commands run, and print it: the same columns, headings, zones and
// sentences, with other numbers.

// output is what a document shows, and how to make it.
type output struct {
	make  func(t *testing.T, m *maker) string
	whole bool // from its first line on the document shows all that is printed
	loose bool // what its verdict blames depends on the machine
	short bool // also with -short
}

// outputs are the blocks of documents: output-1 of a file is the first that is neither program nor commands.
var outputs = map[string]output{
	"docs/examples.md/output-1": {make: example("hello"), loose: true, short: true},
	"docs/examples.md/output-2": {make: example("cli", "-tree", "README.md", "DESIGN.md")},
	"docs/examples.md/output-3": {make: example("tickserver", "-ticks", "80", "-every", "20ms"), loose: true},
	"docs/examples.md/output-4": {make: requests},

	"docs/tutorial/1-first-zone.md/output-1":  {make: balls, whole: true},
	"docs/tutorial/2-first-hitch.md/output-1": {make: hitch},
	"docs/tutorial/2-first-hitch.md/output-2": {make: hitch},
	"docs/tutorial/2-first-hitch.md/output-3": {make: hitch},
	"docs/tutorial/4-captures.md/output-1":    {make: compare},
	"docs/tutorial/5-no-edit.md/output-1":     {make: words("-n"), whole: true},
	"docs/tutorial/5-no-edit.md/output-2":     {make: words()},
}

// notMade are blocks of documents that are no output, and why.
var notMade = map[string]string{
	"docs/export.md/output-1": "a file for Alloy, which export/agents reads",
}

// shownIn returns the outputs in a document, in order. In a block with prompts they are the lines without one.
func shownIn(text string) (found []string) {
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		language, body := m[1], m[2]
		after := prompt.ReplaceAllString(body, "")
		if language == "" && (!typed.MatchString(body) || after != body) {
			found = append(found, after)
		}
	}
	return found
}

// TestEachShownOutputIsMade runs the commands whose output a document shows.
func TestEachShownOutputIsMade(t *testing.T) {
	m := &maker{dir: t.TempDir()}
	seen := map[string]bool{}
	for _, name := range guides(t) {
		for i, text := range shownIn(readDocument(t, name)) {
			place := fmt.Sprintf("%s/output-%d", name, i+1)
			seen[place] = true
			o, ok := outputs[place]
			if !ok && notMade[place] == "" {
				t.Errorf("got no command for %s; want one in outputs that prints it:\n%s", place, text)
			}
			if ok && (o.short || !testing.Short()) {
				t.Run(strings.ReplaceAll(place, "/", " "), func(t *testing.T) { o.compare(t, m, text) })
			}
		}
	}
	for place := range outputs {
		if !seen[place] {
			t.Errorf("got no %s in a document", place)
		}
	}
}

// compare tries some times, as a machine with other work adds remarks and hides milliseconds.
func (o output) compare(t *testing.T, m *maker, shown string) {
	var made string
	var wrong []string
	for range 10 {
		made = o.make(t, m)
		if wrong = o.differ(shown, made); wrong == nil {
			return
		}
	}
	t.Errorf("%s\ngot\n%s\nthe document shows\n%s", strings.Join(wrong, "\n"), made, shown)
}

// differ returns the lines of one text that are not in the other, if these should be.
func (o output) differ(shown, made string) (wrong []string) {
	want, got := o.lines(shown), o.lines(made)
	for _, line := range want {
		if !slices.ContainsFunc(got, func(made string) bool { return fits(line, made) }) {
			wrong = append(wrong, "nothing prints: "+line)
		}
	}
	if !o.whole {
		return wrong
	}
	for _, line := range got[max(0, slices.Index(got, want[0])):] {
		if !slices.Contains(want, line) {
			wrong = append(wrong, "not shown: "+line)
		}
	}
	return wrong
}

// fits reports whether a line is the shown one, in which … stands for anything.
func fits(shown, made string) bool {
	before, after, cut := strings.Cut(shown, "…")
	if !cut {
		return shown == made
	}
	return strings.HasPrefix(made, before) && strings.HasSuffix(made, after)
}

var (
	branch   = regexp.MustCompile("((?:[| ]  )*)[|`]- ") // of a tree; which row is the last depends on times
	number   = regexp.MustCompile(`\d+(?:[.,]\d+)*`)
	unit     = regexp.MustCompile(`\bN (?:ns|us|ms|s|B|kB|MB)\b`)
	away     = regexp.MustCompile(`(?m); (?:the machine gave the|waited for a) processor.*$`)
	ofItsOwn = regexp.MustCompile(` of its own\b`)
	blamed   = regexp.MustCompile(`^Frame N(, the start)?: \+N U( of work)?\. .*`)
)

// depth stands for a row's branch of a tree.
func depth(branch string) string {
	return " " + strings.Repeat("+", len(branch)/3) + " "
}

// lines returns the lines of a text with all numbers alike, without what depends on the machine.
func (o output) lines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		line = branch.ReplaceAllStringFunc(line, depth)
		line = unit.ReplaceAllString(number.ReplaceAllString(line, "N"), "N U")
		line = ofItsOwn.ReplaceAllString(away.ReplaceAllString(line, ""), "")
		line = strings.TrimSuffix(strings.Join(strings.Fields(line), " "), ".")
		if o.loose && blamed.MatchString(line) {
			line = "Frame N: +N U. SENTENCE"
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// maker builds programs, each once.
type maker struct {
	dir string
}

// built returns a program of this repository.
func (m *maker) built(t *testing.T, folder string) string {
	t.Helper()
	return m.build(t, filepath.Base(folder), folder)
}

// written returns the first program of a document.
func (m *maker) written(t *testing.T, name string) string {
	t.Helper()
	program := strings.TrimSuffix(filepath.Base(name), ".md")
	source := filepath.Join(m.dir, program+".go")
	must.Do(t, os.WriteFile(source, []byte(blocks(readDocument(t, name))["go-1"]), 0o600))
	return m.build(t, program, source)
}

func (m *maker) build(t *testing.T, name, source string) string {
	t.Helper()
	path := filepath.Join(m.dir, name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if out, err := inRoot("go", "build", "-o", path, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// said runs a program in a folder. It returns what it prints, and fails if it ends with another status.
func said(t *testing.T, status int, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(filepath.Dir(program), "cache"))
	out, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != status && status >= 0 {
		t.Fatalf("%s %q: got %v; want status %d\n%s", program, args, err, status, out)
	}
	return string(out)
}

func example(name string, args ...string) func(*testing.T, *maker) string {
	return func(t *testing.T, m *maker) string {
		return said(t, 0, root, m.built(t, "./examples/"+name), args...)
	}
}

func balls(t *testing.T, m *maker) string {
	return said(t, 0, t.TempDir(), m.written(t, "docs/tutorial/1-first-zone.md"))
}

// hitch has a black box, and looks into its file.
func hitch(t *testing.T, m *maker) string {
	dir := t.TempDir()
	text := said(t, 0, dir, m.written(t, "docs/tutorial/2-first-hitch.md"))
	files, _ := filepath.Glob(filepath.Join(dir, "hitches/*.iprof"))
	for _, file := range files {
		text += said(t, 0, dir, m.built(t, "./cmd/iprof"), "top", file)
	}
	return text
}

// compare records two versions of a program.
func compare(t *testing.T, m *maker) string {
	dir, program := t.TempDir(), m.written(t, "docs/tutorial/4-captures.md")
	said(t, 0, dir, program, "-record", "before.iprof")
	said(t, 0, dir, program, "-record", "after.iprof", "-slow")
	return said(t, -1, dir, m.built(t, "./cmd/iprof"), "diff", "before.iprof", "after.iprof")
}

// words runs a program that knows nothing of the profiler.
func words(flags ...string) func(*testing.T, *maker) string {
	return func(t *testing.T, m *maker) string {
		dir := t.TempDir()
		source := blocks(readDocument(t, "docs/tutorial/5-no-edit.md"))["go-1"]
		for name, text := range map[string]string{"main.go": source, "go.mod": "module words\n\ngo 1.25\n"} {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		return said(t, 0, dir, m.built(t, "./cmd/iprof"), append(append([]string{"run"}, flags...), ".")...)
	}
}

// requests asks the example of a server thirteen times at once.
func requests(t *testing.T, m *maker) string {
	free := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := free.Addr().String()
	free.Close()
	server := exec.Command(m.built(t, "./examples/httpserver"), "-addr", address)
	must.Do(t, server.Start())
	defer server.Wait()
	defer server.Process.Kill()
	until(t, "http://"+address+"/debug/iprof/tree", "(root)")
	var all sync.WaitGroup
	for range 13 {
		all.Go(func() {
			if answer, err := http.Get("http://" + address + "/search?q=iprof"); err == nil {
				answer.Body.Close()
			}
		})
	}
	all.Wait()
	return until(t, "http://"+address+"/debug/iprof/tree", "GET /search")
}

// until asks some times until an answer has a word.
func until(t *testing.T, address, word string) string {
	t.Helper()
	for range 600 {
		if answer, err := http.Get(address); err == nil {
			text, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if strings.Contains(string(text), word) {
				return string(text)
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s: never got %q", address, word)
	return ""
}

// TestTheTutorialsCaptureHasATimeline opens what the fourth page records: its frames have the order of their zones.
func TestTheTutorialsCaptureHasATimeline(t *testing.T) {
	longtest.Skip(t)
	dir, m := t.TempDir(), &maker{dir: t.TempDir()}
	said(t, 0, dir, m.written(t, "docs/tutorial/4-captures.md"))
	s, _ := must.Two(capture.Open(filepath.Join(dir, "game.iprof")))(t)
	if got := s.AppendTimelineFrame(nil, 0, 100); len(got) == 0 {
		t.Error("got no scopes in frame 100; want those of physics: iprof view shows a timeline")
	}
}
