//go:build !windows && !iprof_off

package integration_test

import (
	"bytes"
	"encoding/json"
	"errors"
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
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// The first hour of users of each kind is a script in testdata/hours. It begins in an empty folder with an empty module
// cache, and has the command iprof as releases have it. Beside the folder lies the repository, as ../iprof. The
// commands and programs of the documents are taken from these as they stand: $DOCS/FILE/commands-1 is the first block
// of commands in FILE, go-1 the first program.

// fenced is a block of code in a document.
var fenced = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```")

// typed finds blocks of commands. In one with prompts the other lines are output.
var (
	typed  = regexp.MustCompile(`(?m)^(\$ )?(go|iprof|glviewer|git|make|cd|curl) `)
	prompt = regexp.MustCompile(`(?m)^\$ (.*\n)`)
)

// blocks returns the programs and the commands of a document, by their names in the scripts.
func blocks(text string) map[string]string {
	found, programs, commands := map[string]string{}, 0, 0
	for _, m := range fenced.FindAllStringSubmatch(text, -1) {
		language, body := m[1], m[2]
		switch {
		case language == "go":
			programs++
			found[fmt.Sprint("go-", programs)] = body
		case typed.MatchString(body):
			commands++
			if lines := prompt.FindAllStringSubmatch(body, -1); lines != nil {
				body = ""
				for _, l := range lines {
					body += l[1]
				}
			}
			found[fmt.Sprint("commands-", commands)] = body
		}
	}
	return found
}

// guides are the documents that tell a newcomer what to type.
func guides(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/tutorial/*.md"} {
		files := must.Get(filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern))))(t)
		for _, file := range files {
			name, _ := filepath.Rel(root, file)
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names
}

// notTyped are blocks of commands that no script runs, and why.
var notTyped = map[string]string{
	"README.md/commands-3": "make test is what runs the scripts",
}

func scripts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/hours/*.sh")
	if err != nil || len(files) < 10 {
		t.Fatalf("got %d scripts, %v", len(files), err)
	}
	return files
}

// TestEachCommandOfADocumentIsInAScript wants each block of commands to be run by a script.
func TestEachCommandOfADocumentIsInAScript(t *testing.T) {
	var all []byte
	for _, file := range scripts(t) {
		text := must.Get(os.ReadFile(file))(t)
		all = append(all, text...)
	}
	count := 0
	for _, name := range guides(t) {
		for block := range blocks(readDocument(t, name)) {
			place := name + "/" + block
			if strings.HasPrefix(block, "go-") || notTyped[place] != "" {
				continue
			}
			count++
			if !bytes.Contains(all, []byte(`"$DOCS/`+place+`"`)) {
				t.Errorf("no script of testdata/hours has $DOCS/%s: what it says may not work", place)
			}
		}
	}
	if count < 5 {
		t.Errorf("got %d blocks of commands; want those of README and of the tutorial", count)
	}
}

// released builds the command as a release has it, into a folder.
func released(t *testing.T, dir string) {
	t.Helper()
	packed, overlay := filepath.Join(t.TempDir(), "sources.zip"), filepath.Join(t.TempDir(), "overlay.json")
	var sources bytes.Buffer
	must.Do(t, instrument.Pack(&sources, root))
	inTree := must.Get(filepath.Abs(filepath.Join(root, "cmd/iprof/sources.zip")))(t)
	text := must.Get(json.Marshal(map[string]any{"Replace": map[string]string{inTree: packed}}))(t)
	for name, data := range map[string][]byte{packed: sources.Bytes(), overlay: text} {
		must.Do(t, os.WriteFile(name, data, 0o600))
	}
	const link = "-ldflags=-X example.com/iprof/internal/version.release=v0.3.0"
	cmd := inRoot("go", "build", "-trimpath", "-buildvcs=false", "-tags=iprof_sources", "-overlay="+overlay, link,
		"-o", filepath.Join(dir, "iprof"), "./cmd/iprof")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	must.Run(t, cmd)
}

// TestFirstHours runs the scripts. With IPROF_HOURS=offline the go command has what this machine's module cache has,
// and scripts that need more are left out; with IPROF_HOURS=all none is. Without it the test is skipped.
func TestFirstHours(t *testing.T) {
	mode := os.Getenv("IPROF_HOURS")
	if mode == "" {
		t.Skip("IPROF_HOURS=offline, or all, runs them: make check and make soak do")
	}
	release, docs, place := t.TempDir(), t.TempDir(), place(t)
	released(t, release)
	for _, name := range guides(t) {
		dir := filepath.Join(docs, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(dir, 0o755))
		for block, text := range blocks(readDocument(t, name)) {
			must.Do(t, os.WriteFile(filepath.Join(dir, block), []byte(text), 0o600))
		}
	}
	for _, file := range scripts(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".sh"), func(t *testing.T) {
			script := must.Get(os.ReadFile(file))(t)
			if mode == "offline" && bytes.HasPrefix(script, []byte("# online\n")) {
				t.Skip("make soak runs it")
			}
			hour(t, script, place, release, docs, mode)
		})
	}
}

// place returns the folder that is every script's home. The build cache knows packages by their folders, so it has the
// same name in each run: what one script has built none builds again. Runs at the same time have one each.
func place(t *testing.T) string {
	t.Helper()
	for n := range 10 {
		dir := filepath.Join(os.TempDir(), fmt.Sprint("iprof-hours-", n))
		if os.Mkdir(dir, 0o700) == nil {
			t.Cleanup(func() { os.RemoveAll(dir) })
			return dir
		}
	}
	return t.TempDir()
}

// stand copies what is in place of commands that wait for their user: it ends by itself.
func stand(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"glviewer", "iprof"} {
		text, err := os.ReadFile(filepath.Join("testdata/hours/bin", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// hour runs one script.
func hour(t *testing.T, script []byte, place, release, docs, mode string) {
	home := filepath.Join(place, "home")
	must.Do(t, errors.Join(os.RemoveAll(home), os.Mkdir(home, 0o755)))
	for _, dir := range []string{"yours", "bin", "tmp"} {
		must.Do(t, os.Mkdir(filepath.Join(home, dir), 0o755))
	}
	tree, err := filepath.Abs(root)
	if err == nil {
		err = os.Symlink(tree, filepath.Join(home, "iprof"))
	}
	if err != nil {
		t.Fatal(err)
	}
	stand(t, filepath.Join(home, "bin"))
	wait := must.Get(filepath.Abs("testdata/hours/lib/wait.sh"))(t)
	out := must.Get(exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPROXY").Output())(t)
	known := strings.Fields(string(out))
	proxy := "file://" + filepath.ToSlash(known[1]) + "/cache/download"
	if mode != "offline" {
		proxy += "," + known[2]
	}
	cmd := exec.Command("sh", "-eu", "-c", ". \"$WAIT\"\n"+string(script))
	cmd.Dir = filepath.Join(home, "yours")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GO") })
	cmd.Env = append(cmd.Env, "HOME="+home, "GOPATH="+filepath.Join(home, "go"), "GOCACHE="+known[0],
		"GOMODCACHE="+filepath.Join(home, "go/pkg/mod"), "GOPROXY="+proxy, "GONOSUMDB=*", "GOFLAGS=-modcacherw",
		"XDG_CACHE_HOME="+filepath.Join(home, "cache"), "TMPDIR="+filepath.Join(home, "tmp"), "DOCS="+docs,
		"WAIT="+wait, "RELEASED="+release,
		"PATH="+filepath.Join(home, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	said := must.Run(t, cmd)
	spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	t.Logf("%s\n%.1f s of processor time", said, spent.Seconds())
}

// Commands also stand in running text, in tables, and on lines of their own that are indented. A command in which a
// word stands for another, such as FILE, or that ends in a flag or names only a subcommand, tells a form and no
// sequence.
var (
	inline   = regexp.MustCompile("`((?:iprof|go|glviewer|make|cd|curl|tools/\\w+|IPROF_\\w+=\\S+) [^`\n]+)`")
	indented = regexp.MustCompile(`(?m)^    ((?:iprof|go|make|cd|IPROF_\w+=\S+) .*)$`)
	form     = regexp.MustCompile(`\b[A-Z]{3,}\b|\bF\b|…| -[\w-]+$|^go tool \w+$|^go debug`)
	noWord   = regexp.MustCompile(`\w+\.md\b|\b\w+=`) // in capitals, but whole names
)

// typedInText returns the commands of a document that are in no block.
func typedInText(text string) (commands []string) {
	text = fenced.ReplaceAllString(text, "")
	found := append(inline.FindAllStringSubmatch(text, -1), indented.FindAllStringSubmatch(text, -1)...)
	for _, m := range found {
		command, _, _ := strings.Cut(m[1], "  #")
		whole := strings.HasPrefix(command, "make ") || strings.HasPrefix(command, "tools/")
		if (whole || len(strings.Fields(command)) > 2) && !form.MatchString(noWord.ReplaceAllString(command, "")) {
			commands = append(commands, command)
		}
	}
	return commands
}

// heldBy are commands that no script runs, and the tests, or the steps of check.sh and tools/soak, that do.
var heldBy = map[string]string{
	"make install":                        "TestInstallAndUninstall",
	"make uninstall":                      "TestInstallAndUninstall",
	"tools/cross all":                     "run tools/cross all",
	"go tool trace trace.out":             "TestTraceViewerOpensChrome",
	"go run ./examples/c":                 "TestZonesOfCAndGoAreOneTree",
	"go run ./examples/tickserver":        "TestTicksAreFrames",
	"iprof diff -base main -- ./cmd/game": "TestDiffOfTwoCommits",
	"iprof mcp captures":                  "TestTheProgramAnswersAgents",
	"iprof sql game.iprof \"select zone, p99(self_ms) from calls group by zone\"": "TestTheQueryOfEachTableFindsRows",
	"iprof parquet -out lake -version 1.4 hitches/*.iprof":                        "TestParquetWritesAndJoins",
	"iprof parquet -join -out lake":                                               "TestParquetWritesAndJoins",
	"go run ./tools/real":                                                         "run go run ./tools/real",

	"make module-path MODULE=github.com/you/iprof": "TestModulePathCanBeChanged",
}

// scriptsAndBlocks are all that scripts run, with the blocks of the documents.
func scriptsAndBlocks(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, file := range scripts(t) {
		text := must.Get(os.ReadFile(file))(t)
		all.Write(text)
	}
	for _, name := range guides(t) {
		for _, text := range blocks(readDocument(t, name)) {
			all.WriteString(text)
		}
	}
	return all.String()
}

// testsAndSteps are all places where heldBy may point to.
func testsAndSteps(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	must.Do(t, filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		steps := slices.Contains([]string{"check.sh", "soak"}, e.Name()) && !e.IsDir()
		if e.IsDir() && strings.HasPrefix(e.Name(), ".") && path != root {
			return filepath.SkipDir
		}
		if !steps && !strings.HasSuffix(path, "_test.go") || e.Name() == "hours_test.go" {
			return nil
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	}))
	return all.String()
}

// TestEachCommandInTheTextIsRun wants each command that a document names to be run by a script or by a test.
func TestEachCommandInTheTextIsRun(t *testing.T) {
	run, tests := scriptsAndBlocks(t), testsAndSteps(t)
	seen := map[string]bool{}
	for _, name := range guides(t) {
		for _, command := range typedInText(readDocument(t, name)) {
			seen[command] = true
			if !strings.Contains(run, command) && heldBy[command] == "" {
				t.Errorf("%s: no script of testdata/hours has %q: what it says may not work", name, command)
			}
		}
	}
	for command, test := range heldBy {
		if strings.HasPrefix(test, "Test") {
			test = "func " + test + "("
		}
		if !seen[command] || !strings.Contains(tests, test) {
			t.Errorf("got %q for %q; want a document that has the command, and a test that runs it", test, command)
		}
	}
	if len(seen) < 30 {
		t.Errorf("got %d commands; want those of all documents", len(seen))
	}
}

// The documents show what commands print. Here these commands run, and print it: the same columns, headings, zones and
// sentences, with other numbers.

// output is an output that a document shows, and a function that makes it.
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
	row      = regexp.MustCompile(`^[+~!-]? ?[^N\s]\S*(?: N(?: U)?){2,}$`)
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
		if row.MatchString(line) { // a time below 0.01 ms has its own unit
			line = strings.ReplaceAll(line, " U", "")
		}
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
	must.Run(t, inRoot("go", "build", "-o", path, source))
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
