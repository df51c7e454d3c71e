//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/outfiletest"
)

// fed runs iprof with an input, and returns what it printed and its status.
func fed(t *testing.T, in io.Reader, words ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], words...)
	cmd.Env = append(os.Environ(), asMain+"=1")
	var out, errors bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &errors
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errors.String(), cmd.ProcessState.ExitCode()
}

// fifo is a pipe with a name into which a file is written once.
func fifo(t *testing.T, text []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "fifo")
	must.Do(t, syscall.Mkfifo(path, 0o600))
	done := make(chan error, 1)
	go func() { done <- os.WriteFile(path, text, 0) }()
	t.Cleanup(func() {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(5 * time.Minute):
			t.Error("nobody has read the pipe")
		}
	})
	return path
}

// inGzip is a compressed file.
func inGzip(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text)
	z.Close()
	return b.Bytes()
}

// anyName are the parts of an output that depend on the name and the time of a file.
var anyName = regexp.MustCompile(`standard input|fifo|file\.[a-z]+|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^ ",]*`)

const chromeTrace = `{"traceEvents":[{"ph":"X","name":"load","pid":1,"tid":1,"ts":0,"dur":3000},
{"ph":"X","name":"paint","pid":1,"tid":1,"ts":500,"dur":2500}]}`

func TestPipesAreReadAsFiles(t *testing.T) {
	longtest.Skip(t)
	files := map[string][]byte{
		"file.iprof": readFile(t, recorded(t)), "file.json": []byte(chromeTrace),
		"file.folded": []byte("main;load 3\nmain;paint 2\n"), "file.gz": inGzip([]byte(chromeTrace)),
		"file.pb": readFile(t, profiled(t, "p", time.Second, 100, 50)),
	}
	commands := [][]string{{"top"}, {"tree"}, {"frames"}, {"verdicts"}, {"top", "-json"}, {"graph", "(root)"},
		{"export", "-format", "folded"}, {"export", "-format", "csv"}, {"tree", "-json"}}
	for name, text := range files {
		path := filepath.Join(t.TempDir(), name)
		write(t, path, string(text))
		for _, words := range commands {
			want, said, status := fed(t, nil, append(words, path)...)
			if status != 0 {
				t.Fatalf("%v %s: status %d\n%s", words, name, status, said)
			}
			for _, in := range []string{"-", "/dev/stdin", fifo(t, text)} {
				input := io.Reader(struct{ io.Reader }{bytes.NewReader(text)}) // through a pipe
				if strings.HasSuffix(in, "fifo") {
					input = nil
				}
				got, said, status := fed(t, input, append(words, in)...)
				if plain(got) != plain(want) || status != 0 {
					t.Errorf("%v of %s from %s: status %d, %s\n%.1000s\nwant\n%.1000s", words, name, in, status, said,
						got, want)
				}
			}
		}
	}
}

func plain(text string) string { return anyName.ReplaceAllString(text, "NAME") }

// import, diff and the pages of serve take one, too.
func TestAPipeInEachKindOfCommand(t *testing.T) {
	trace, made := []byte(chromeTrace), filepath.Join(t.TempDir(), "made.iprof")
	if _, said, status := fed(t, nil, "import", fifo(t, trace), made); status != 0 {
		t.Errorf("import: status %d\n%s", status, said)
	}
	captured := recorded(t)
	got, said, status := fed(t, nil, "diff", fifo(t, readFile(t, captured)), captured)
	if want, _, _ := fed(t, nil, "diff", captured, captured); status != 0 || got != want {
		t.Errorf("diff: status %d, %s\n%s\nwant\n%s", status, said, got, want)
	}
	before, after := profiled(t, "a", time.Second, 100, 50), profiled(t, "b", time.Second, 120, 50)
	want, _, _ := fed(t, nil, "diff", before, after)
	got, said, status = fed(t, bytes.NewReader(readFile(t, after)), "diff", fifo(t, readFile(t, before)), "-")
	if got != want || status != diffSlower {
		t.Errorf("diff of profiles: status %d, %s\n%s\nwant\n%s", status, said, got, want)
	}
	if _, said, status = fed(t, bytes.NewReader(trace), "diff", "-", "-"); status != diffTrouble ||
		!strings.Contains(said, "only once") {
		t.Errorf("diff of standard input with itself: status %d\n%s", status, said)
	}
	items, err := (&inBrowser{names: []string{fifo(t, trace), fifo(t, readFile(t, captured))}}).items()
	if err != nil || len(items) != 2 {
		t.Fatalf("the viewer in the browser: got %d items, %v", len(items), err)
	}
	for _, item := range items {
		item.File.Close()
	}
}

// A shell may have read the beginning of a file.
func TestStandardInputIsReadFromWhereItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.json")
	write(t, path, "a line for the shell\n"+chromeTrace)
	in := must.Get(os.Open(path))(t)
	defer in.Close()
	if _, err := in.Seek(int64(len("a line for the shell\n")), io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if got, said, status := fed(t, in, "top", "-"); status != 0 || !strings.Contains(got, "paint") {
		t.Errorf("status %d, %s\n%s", status, said, got)
	}
}

// What is no capture is not read to its end, which there may not be, and a long pipe has a limit.
func TestAPipeOfSomethingElseEnds(t *testing.T) {
	endless := func(text string) io.Reader {
		r, w := io.Pipe()
		go func() {
			for {
				if _, err := io.WriteString(w, text); err != nil {
					return
				}
			}
		}()
		return r
	}
	for _, test := range []struct{ text, want string }{
		{strings.Repeat("\x00", 4096), "not a capture"}, {strings.Repeat("main;work 1\n", 400), "written=2MB"}} {
		r, w := must.Two(os.Pipe())(t)
		go func() {
			_, _ = io.Copy(w, endless(test.text))
			w.Close()
		}()
		cmd := exec.CommandContext(t.Context(), os.Args[0], "top", "-limits", "written=1MB", "-")
		cmd.Env = append(os.Environ(), asMain+"=1")
		cmd.Stdin = r
		out, err := cmd.CombinedOutput()
		r.Close()
		if err == nil || !strings.Contains(string(out), test.want) {
			t.Errorf("%.10q…: got %v\n%s\nwant %q", test.text, err, out, test.want)
		}
	}
}

// The error says which folder it is, and which variable names another.
func TestAnUnusableTMPDIRIsNamed(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	t.Setenv("TMPDIR", gone)
	_, said, status := fed(t, bytes.NewReader([]byte(chromeTrace)), "top", "-")
	if status != 1 || !strings.Contains(said, gone) || !strings.Contains(said, "the variable TMPDIR") {
		t.Errorf("status %d\n%s", status, said)
	}
}

// The program that reads it gets the copy.
func TestATraceOfGoFromAPipe(t *testing.T) {
	longtest.Skip(t)
	withReader(t)
	path := traceFile(t, tenSteps(t))
	text := readFile(t, path)
	for _, in := range []string{fifo(t, text), path} {
		kept, imported := must.Two(importer.Open(in, importer.Frames{Name: "step"}))(t)
		if imported.Frames != 10 || !imported.Traced {
			t.Errorf("%s: got %+v; want 10 frames", in, imported)
		}
		kept.Close()
	}
}

// command returns a command of iprof as it is called: its status is an error.
func command(line string, more ...string) error {
	words := strings.Fields(line)
	if named(words[0])(append(words[1:], more...)) != 0 {
		return errors.New("the status is not 0")
	}
	return nil
}

// Links, pipes and devices stay, and a file that was there is replaced at once or not at all. A capture never replaces
// one.
func TestCommandsWriteToFilesOfAllKinds(t *testing.T) {
	path, trace, address := recorded(t), filepath.Join(t.TempDir(), "trace.json"), serving(t)
	must.Do(t, command("export -format chrome", path, trace))
	for line, w := range map[string]outfiletest.Writer{
		"top":                {Text: "decompress", Replaces: true},
		"html":               {Text: "<!doctype html>", Replaces: true},
		"tree -json":         {Text: `"frames"`, Replaces: true},
		"html -json":         {Text: "<!doctype html>", Replaces: true},
		"export":             {Replaces: true},
		"export -format csv": {Text: "frame", Replaces: true},
	} {
		w.Write = func(name string) error { return command(line, "-o", name, path) }
		t.Run(line, w.Check)
	}
	t.Run("import", outfiletest.Writer{Text: "IPROF", Write: func(name string) error {
		return command("import", trace, name)
	}}.Check)
	t.Run("record", outfiletest.Writer{Text: "IPROF", Write: func(name string) error {
		return command("record -for 1s", "-o", name, address)
	}}.Check)
}

// What cannot be printed is an error.
func TestErrorsOfStandardOutput(t *testing.T) {
	path, stdout := recorded(t), os.Stdout
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, line := range []string{"top", "top -json", "tree", "tree -json", "frames", "frames -json", "verdicts",
		"verdicts -json", "html", "tree -json", "graph decompress", "graph -json decompress", "diff " + path,
		"diff -json " + path, "export", "export -format csv"} {
		t.Run(strings.TrimSuffix(line, path), func(t *testing.T) {
			os.Stdout = full
			err := command(line, path)
			os.Stdout = stdout
			if err == nil {
				t.Error("got status 0 with a full disk; want an error")
			}
		})
	}
}

// The cause is named once.
func TestNothingPrintedIsAnError(t *testing.T) {
	module := inModule(t, map[string]string{"main.go": emptyMain})
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, line := range []string{"", "version", "-v", "help", "-h", "help top", "top -h", "completion bash",
		"run -n -module " + module + " .", "build -n -module " + module + " ."} {
		t.Run(strings.ReplaceAll(line, module, "M"), func(t *testing.T) {
			stdout := os.Stdout
			os.Stdout = full
			var code int
			said := complained(t, func() { code = unprinted(dispatch(strings.Fields(line))) })
			os.Stdout = stdout
			if code != 1 || strings.Count(said, "no space left on device") != 1 {
				t.Errorf("got status %d, %q; want 1 and the cause", code, said)
			}
			if code := unprinted(0); code != 0 {
				t.Errorf("afterwards: got status %d; want 0", code)
			}
		})
	}
}

func TestAnEmptyCaptureIsSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.iprof")
	file := must.Get(os.Create(path))(t)
	must.Do(t, framefile.NewWriter(file, framefile.Info{Program: "game"}).Close())
	file.Close()
	for _, words := range []string{"top", "tree", "frames"} {
		out := filepath.Join(t.TempDir(), "out")
		_ = command(words+" -o "+out, path)
		text := string(readFile(t, out))
		if !strings.Contains(text, "no frame: the program ended none") || strings.Contains(text, "0001-01-01") {
			t.Errorf("%s: got\n%s", words, text)
		}
	}
}

// -include of no function.
func TestAnExpressionWithoutAMatchIsSaid(t *testing.T) {
	module := inModule(t, map[string]string{"main.go": "package main\n\nfunc main() {}\n"})
	for include, want := range map[string]bool{"nomatch": true, "main": false} {
		a := must.Get(parse("run", []string{"-module", module, "-n", "-include", include, "."}))(t)
		var out bytes.Buffer
		a.printPlan(&out)
		if got := regexp.MustCompile(`no function name matches -include nomatch`).Match(out.Bytes()); got != want {
			t.Errorf("-include %s: got\n%s", include, &out)
		}
	}
}

func TestAMistakenAddressIsOneLine(t *testing.T) {
	said := complained(t, func() { _ = command("top localhost:99999") })
	if want := "iprof: \"localhost:99999\": there is no port \"99999\"; ports are 1 to 65535\n"; said != want {
		t.Errorf("got %q; want %q", said, want)
	}
}
