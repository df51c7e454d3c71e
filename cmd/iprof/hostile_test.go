package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"example.com/iprof/debug"
	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/extremes"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/tables"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// hostileText would set a terminal's title, turn text around, and begin new lines.
const hostileText = "\x1b]0;owned\x07\x1b[31m\u202e</script>=cmd|'/C calc'!A0\x00\u009b2J\r\n\"'`;$(id)\xff"

// hostileFrame has the text in each of its strings.
func hostileFrame(i uint64, begin platform.Ticks) *gather.Frame {
	end := begin + 10_000_000
	if i == 50 {
		end += 90_000_000
	}
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: strings.Repeat("L", 60000)},
		{Name: hostileText, Function: hostileText, File: hostileText, Line: 7},
		{Name: "=1+1" + hostileText, Function: "main.f", File: "/etc/passwd", Line: 1}}
	share := (end - begin) / 8
	nodes := []gather.Node{{Parent: -1, Self: end - begin - 3*share}}
	for z := range 3 {
		id := z + 1
		nodes = append(nodes, gather.Node{Self: share, ID: gather.NodeID(id), Zone: gather.ZoneID(id), Count: 3})
	}
	f := &gather.Frame{Index: i, Label: hostileText, Begin: begin, End: end, TicksPerSecond: 1e9, Zones: zones,
		Lanes: []gather.LaneFrame{{ID: 1, Name: hostileText, Updater: true, Goroutine: 1, Begin: begin, End: end,
			Nodes: nodes}},
		Counters: []gather.CounterInfo{{Name: hostileText}, {Name: "level", Level: true}},
		Values:   []gather.CounterValue{{Counter: 0, Value: 5}, {Counter: 1, Value: 1e300}},
		Marks:    []gather.MarkInfo{{Time: begin + 5, Lane: 1, Text: hostileText}},
		States: []gather.LaneState{{Lane: 1, Kind: gather.StateWaiting, Begin: begin + 10, End: begin + 5_000_000,
			Reason: hostileText, Place: hostileText, By: hostileText, At: hostileText, Waker: 1}},
	}
	f.Misuse.ExtraEnd, f.Misuse.Notes = i, []string{hostileText}
	return f
}

// hostileFiles are a capture, a file of Chrome's format and a profile whose every string is hostile, and a damaged
// capture.
func hostileFiles(t *testing.T) (captured, trace, profile string) {
	t.Helper()
	dir := t.TempDir()
	captured, trace = filepath.Join(dir, "evil.iprof"), filepath.Join(dir, "evil.json")
	profile = filepath.Join(dir, "evil.pb.gz")
	out := must.Get(os.Create(captured))(t)
	w := framefile.NewWriter(out, framefile.Info{Program: hostileText, GoVersion: hostileText, Machine: hostileText,
		Start: time.Now(), Reason: hostileText, HasFrame: true, Frame: 50, Zero: 1})
	s, begin := process.NewSession(), platform.Ticks(1)
	for i := range uint64(60) {
		f := hostileFrame(i, begin)
		begin = f.End
		must.Do(t, errors.Join(w.WriteJudged(f, &process.Judged{Budget: 16 * time.Millisecond}), s.WriteFrame(f)))
	}
	var b bytes.Buffer
	must.Do(t, errors.Join(w.Close(), out.Close(), export.Pprof(&b, s.Dump(report.DumpOptions{}))))
	write(t, profile, b.String())
	write(t, trace, fmt.Sprintf(`[{"ph":"M","name":"thread_name","tid":1,"args":{"name":%q}},`+
		`{"ph":"X","name":%[1]q,"ts":0,"dur":10,"tid":1},`+"\x1b]0;owned\x07]", "\u001b]0;owned\u0007\u202e"))
	return captured, trace, profile
}

// unsafeIn returns the first character that a terminal may act on, or that is not UTF-8, with the text around it.
func unsafeIn(text string) string {
	for at, r := range text {
		broken := r == utf8.RuneError && !strings.HasPrefix(text[at:], "\ufffd")
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' || broken {
			return fmt.Sprintf("%q at %d: %.200q", r, at, text[max(at-20, 0):])
		}
	}
	return ""
}

// asIprof runs iprof, and returns what it printed.
func asIprof(t *testing.T, dir string, words ...string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], words...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = append(os.Environ(), asMain+"=1", "PATH="+os.Getenv("PATH"))
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	_ = cmd.Run() // its status is no matter
	if ctx.Err() != nil {
		t.Errorf("iprof %q did not end", words)
	}
	return out.String(), errors.String()
}

// Whatever the strings of files and the answers of servers are, no command prints what a terminal acts on, and no file
// that a tool prints has it.
func TestNothingHostileReachesATerminal(t *testing.T) {
	captured, trace, profile := hostileFiles(t)
	evil := filepath.Join(t.TempDir(), "\x1b]0;owned\x07\u202e.iprof") // a file may have such a name, too
	write(t, evil, "\x89IPROF\r\n\x01\x05\x1b]0;owned\x07")
	// no program that is profiled, which says so in a status line for terminals
	server := answering(t, "HTTP/1.1 500 \x1b]0;owned\x07\u202e\u009b2J\r\nContent-Length: 0\r\n\r\n",
		func(net.Conn) {})
	var lines [][]string
	for _, c := range commands {
		switch c.name {
		case "run", "build", "test", "view", "clean":
		case "serve":
			lines = append(lines, []string{"serve", evil + "x"}, []string{"serve", "-addr", "256.0.0.1:1", captured})
		case "live", "record":
			lines = append(lines, []string{c.name, server})
		case "diff":
			lines = append(lines, []string{"diff", captured, captured}, []string{"diff", "-json", captured, captured},
				[]string{"diff", profile, profile}, []string{"diff", trace, evil}, []string{"diff", captured, server})
		case "graph":
			lines = append(lines, []string{"graph", "(root)", captured}, []string{"graph", "\x1b]0;x\x07", captured},
				[]string{"graph", "-json", "(root)", captured})
		case "import":
			lines = append(lines, []string{"import", trace, evil}, []string{"import", "-frame", "\x1b[31m", trace, "x"})
		case "export":
			formats := []string{"folded", "csv", "chrome", "openmetrics", "\x1b[31m", "trace"}
			for _, format := range formats {
				lines = append(lines, []string{"export", "-format", format, captured},
					[]string{"export", "-format", format, "-o", evil + ".out", "-json", captured})
			}
		default:
			for _, file := range []string{captured, trace, evil, evil + "x", server} {
				lines = append(lines, []string{c.name, file}, []string{c.name, "-all", file})
			}
			lines = append(lines, []string{c.name, "-json", captured})
		}
	}
	lines = append(lines, []string{"\x1b]0;owned\x07"}, []string{"top", "-\x1b[31m"})
	for _, words := range lines {
		stdout, stderr := asIprof(t, t.TempDir(), words...)
		for name, text := range map[string]string{"standard output": stdout, "standard error": stderr} {
			if bad := unsafeIn(text); bad != "" {
				t.Errorf("iprof %q: %s has %s", words, name, bad)
			}
		}
	}
	for _, by := range [][]string{nil, {"-frames", "all"}} { // go tool pprof prints what is in it as it is
		out, _ := asIprof(t, t.TempDir(), append(append([]string{"export"}, by...), captured)...)
		z := must.Get(gzip.NewReader(strings.NewReader(out)))(t)
		text, err := io.ReadAll(z)
		if err != nil || bytes.ContainsAny(text, "\x1b\u202e\u009b") && !bytes.Contains(text, []byte(`\x1b]0;owned`)) ||
			bytes.Contains(text, []byte("\x1b]")) || bytes.Contains(text, []byte("\u202e")) {
			t.Errorf("export %q: got %v, and hostile texts as they are", by, err)
		}
	}
}

// answering is a server whose answers begin with a head, and go on as the function writes them.
func answering(t *testing.T, head string, more func(net.Conn)) (address string) {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = c.Read(make([]byte, 4096))
				_, _ = io.WriteString(c, head)
				more(c)
			}()
		}
	}()
	return l.Addr().String()
}

// Names of files and folders are printed by iprof run -n.
func TestPlansOfHostileNames(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module user\n\ngo 1.25\n")
	name := filepath.Join(dir, "a\x1b]0;owned\x07\u202e.go")
	write(t, name, "package main\n\nfunc main() {}\n")
	stdout, stderr := asIprof(t, dir, "run", "-n", ".")
	if bad := unsafeIn(stdout) + unsafeIn(stderr); bad != "" || stdout+stderr == "" {
		t.Errorf("got %s in %q, %q", bad, stdout, stderr)
	}
}

// Text goes through package printed. The other uses of the streams are those of exports, of programs that are started,
// and of the live page.
func TestOnlySafeWritersReachTheTerminal(t *testing.T) {
	others := map[string][]string{
		".": {"streams.go", "held.go", "reports.go", // what a program wrote, our own colour
			"launch.go", "beyond.go", "watch.go", "view.go", "source.go", "export.go"},
		filepath.Join("..", "glviewer"):                 {"started.go"},
		filepath.Join("..", "..", "internal", "desk"):   nil,
		filepath.Join("..", "..", "internal", "editor"): {"editor.go"}, // of an editor that runs in the terminal
	}
	for folder, others := range others {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				checkStreams(t, file, slices.Contains(others, filepath.Base(file)))
			}
		}
	}
}

// checkStreams checks that a file prints through package printed. other says that it may use the streams otherwise.
func checkStreams(t *testing.T, file string, other bool) {
	t.Helper()
	set := token.NewFileSet()
	parsed := must.Get(parser.ParseFile(set, file, nil, 0))(t)
	ast.Inspect(parsed, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if is && printsRaw(call) {
			t.Errorf("%v prints without package printed", set.Position(n.Pos()))
		}
		if is {
			if to, is := call.Fun.(*ast.SelectorExpr); is && isOf(to, "printed") && to.Sel.Name == "To" {
				return false
			}
		}
		if at, is := n.(*ast.SelectorExpr); is && isStream(at) && !other {
			t.Errorf("%v uses a stream without package printed", set.Position(n.Pos()))
		}
		return true
	})
}

// printsRaw reports whether a call prints to a stream by itself.
func printsRaw(call *ast.CallExpr) bool {
	at, is := call.Fun.(*ast.SelectorExpr)
	if id, plain := call.Fun.(*ast.Ident); plain {
		return id.Name == "println" || id.Name == "print"
	}
	if !is || !isOf(at, "fmt") {
		return false
	}
	if strings.HasPrefix(at.Sel.Name, "Print") {
		return true
	}
	if !strings.HasPrefix(at.Sel.Name, "Fprint") || len(call.Args) < 2 {
		return false
	}
	stream, is := call.Args[0].(*ast.SelectorExpr)
	text, literal := call.Args[1].(*ast.BasicLit) // such as our own cursor's movements
	return is && isStream(stream) && !(literal && strings.Contains(text.Value, `\r`))
}

func isStream(at *ast.SelectorExpr) bool {
	return isOf(at, "os") && (at.Sel.Name == "Stdout" || at.Sel.Name == "Stderr")
}

func isOf(at *ast.SelectorExpr, name string) bool {
	id, is := at.X.(*ast.Ident)
	return is && id.Name == name
}

// planted makes a folder of downloads by a stranger. It has sources in place of those of a released program, and
// programs with names that a reader might look for. Each leaves a mark when it runs.
func planted(t *testing.T) (dir, path string, ran func() bool) {
	t.Helper()
	dir, path = t.TempDir(), t.TempDir()
	mark := filepath.Join(t.TempDir(), "ran")
	for _, module := range []string{"example.com/iprof/exectrace", "exectrace", "../exectrace"} {
		module = filepath.Join(dir, module)
		must.Do(t, os.MkdirAll(filepath.Join(module, "cmd", "iprof-import-trace"), 0o755))
		write(t, filepath.Join(module, "go.mod"), "module planted\n")
		write(t, filepath.Join(module, "cmd", "iprof-import-trace", "main.go"), "package main\n\nimport \"os\"\n\n"+
			"func main() { os.WriteFile(`"+mark+"`, nil, 0o600) }\n")
	}
	for _, name := range []string{"iprof-import-trace", "go", "glviewer", "libexec/iprof/iprof-import-trace"} {
		script(t, filepath.Join(dir, name), mark)
	}
	script(t, filepath.Join(path, "iprof-import-trace"), mark)
	return dir, path, func() bool {
		_, err := os.Stat(mark)
		return err == nil
	}
}

func script(t *testing.T, path, mark string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, []byte("#!/bin/sh\n: >'"+mark+"'\n"), 0o755))
}

// A program as it is released, in a folder that a stranger filled, starts nothing that lies there or in PATH, whatever
// command opens an execution trace there.
func TestReadingStartsNothing(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it builds the program as it is released, and plants shell scripts")
	}
	program := filepath.Join(t.TempDir(), "iprof")
	must.Run(t, exec.Command("go", "build", "-trimpath", "-o", program, "."))
	dir, path, ran := planted(t)
	write(t, filepath.Join(dir, "trace.out"), "go 1.26 trace\x00\x00\x00")
	write(t, filepath.Join(dir, "other.out"), "go 1.22 trace\x00\x00\x00")
	write(t, filepath.Join(dir, "go.mod"), "module user\n\ngo 1.25\n")
	write(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")
	write(t, filepath.Join(dir, "example.com", "iprof", "go.mod"), "module example.com/iprof\n\ngo 1.25\n")
	lines := map[string][]string{
		"graph": {"graph", "zone", "trace.out"}, "diff": {"diff", "trace.out", "other.out"},
		"import": {"import", "trace.out", "new"}, "run": nil, "build": nil, "test": nil,
		"live": {"live", "trace.out"}, "record": {"record", "trace.out"},
		"version": nil, "completion": nil, "clean": nil, "help": nil, // they read no file
	}
	for _, c := range commands {
		words, known := lines[c.name]
		if !known {
			words = []string{c.name, "trace.out"}
		} else if words == nil {
			continue
		}
		for _, first := range []string{path + ":", "", ".::"} {
			cmd := exec.CommandContext(t.Context(), program, words...)
			cmd.Dir, cmd.WaitDelay = dir, time.Second
			cmd.Env = append(os.Environ(), "PATH="+first+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if err == nil || ran() {
				t.Errorf("iprof %s: got a planted program started: %t, error %v; want only an error\n%s",
					strings.Join(words, " "), ran(), err, out)
			}
			reads := !slices.Contains([]string{"view", "live", "record"}, c.name)
			if reads && !strings.Contains(string(out), "go build -C exectrace -o "+filepath.Dir(program)) {
				t.Errorf("iprof %s: got %s; want the command that makes the reader", strings.Join(words, " "), out)
			}
		}
	}
	run := exec.CommandContext(t.Context(), program, "run", ".")
	run.Dir, run.Env = dir, append(os.Environ(), "GOPROXY=off", "XDG_CACHE_HOME="+t.TempDir())
	if out, err := run.CombinedOutput(); err == nil || !strings.Contains(string(out), "with -module DIR") {
		t.Errorf("iprof run: got %v, %s; want the folder's sources not to be taken for the profiler's", err, out)
	}
}

// Of two programs that diff compares, neither gets a token that may be the other's. With an address the token goes
// there.
func TestATokenOfOneProgramGoesToNoOther(t *testing.T) {
	var got [2]string
	var at [2]string
	for i := range at {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got[i] += r.Header.Get("Authorization") + ";"
			http.NotFound(w, r)
		}))
		defer s.Close()
		at[i] = s.URL
	}
	for _, test := range []struct {
		token string
		line  []string
		want  [2]string
	}{
		{"A", []string{"top", at[0]}, [2]string{"Bearer A;", ""}},
		{"A", []string{"diff", at[0], at[1]}, [2]string{";", ""}},
		{"A@" + at[0], []string{"diff", at[0], at[1]}, [2]string{"Bearer A;", ""}},
		{"A@" + at[0], []string{"top", at[1]}, [2]string{"", ";"}},
		{"A", []string{"view", "-browser", at[0], at[1]}, [2]string{";", ";"}},
	} {
		got = [2]string{}
		t.Setenv("IPROF_TOKEN", test.token)
		if test.line[0] == "view" {
			onLine = test.line[2:]
			sayUnreachable(t.Context(), onLine)
		} else {
			dispatch(test.line)
		}
		if got != test.want {
			t.Errorf("%q %q: the servers got %q; want %q", test.token, test.line, got, test.want)
		}
	}
}

// On a machine that has a capture and no Go, commands that need it say so in one line.
func TestWithoutGo(t *testing.T) {
	path := recorded(t)
	for _, test := range []struct{ line, says string }{
		{"run .", "this needs the go command, which is not in PATH"},
		{"html -full -o page.html " + path, "this build of iprof has no viewer, and Go,"},
		{"top " + path, ""},
	} {
		cmd := exec.Command(os.Args[0], strings.Fields(test.line)...)
		cmd.Dir, cmd.Env = t.TempDir(), []string{asMain + "=1", "PATH=" + t.TempDir()}
		var out strings.Builder
		cmd.Stderr = &out
		err := cmd.Run()
		if text := out.String(); !strings.Contains(text, test.says) || strings.Count(text, "\n") > 1 ||
			(err == nil) != (test.says == "") {
			t.Errorf("iprof %s: got %v, %q; want %q in one line", test.line, err, text, test.says)
		}
	}
}

// extremeCaptures is how many captures TestExtremeNumbers reads: 40, or 1,500 with IPROF_SOAK ("make soak").
func extremeCaptures() uint64 {
	switch {
	case os.Getenv("IPROF_SOAK") != "":
		return 1500
	case testing.Short():
		return 9
	}
	return 40
}

// TestExtremeNumbers shows and exports captures whose numbers lie at the ends of their types by every command: none
// panics, and what is JSON can be parsed.
func TestExtremeNumbers(t *testing.T) {
	captures := 0
	for seed := range extremeCaptures() {
		path := filepath.Join(t.TempDir(), "extreme.iprof")
		file := extremes.Capture(seed)
		must.Do(t, os.WriteFile(path, file, 0o600))
		for name, run := range everyCommand(path, file) {
			runExtreme(t, seed, name, run)
		}
		captures++
	}
	t.Logf("%d captures", captures)
}

// runExtreme runs a command on the capture of a seed.
func runExtreme(t *testing.T, seed uint64, name string, run func(io.Writer) error) {
	t.Helper()
	var out bytes.Buffer
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("capture %d, %s: panic: %v\n%s", seed, name, p, stack())
		}
	}()
	err := run(&out)
	if err != nil && strings.Contains(err.Error(), "json:") {
		t.Errorf("capture %d, %s: %v", seed, name, err)
	}
	if err == nil && strings.Contains(name, "json") && !json.Valid(out.Bytes()) {
		t.Errorf("capture %d, %s: the output is no JSON: %.300s", seed, name, out.Bytes())
	}
}

// someForms are the ways to write a difference.
var someForms = map[string]form{"diff": {}, "diff json": {json: true}, "diff markdown": {markdown: true},
	"diff github": {github: true}}

// somePicks are choices for exports.
var somePicks = []exporter.Selection{{}, {Lens: report.Lens{Kind: report.LensOver}},
	{Lens: report.Lens{Kind: report.LensSlowest, Slowest: 2}}, {Lane: "lane"}, {ByFrame: true}}

// everyCommand returns all that shows or exports a capture, by name.
func everyCommand(path string, file []byte) map[string]func(io.Writer) error {
	all := map[string]func(io.Writer) error{}
	for _, name := range []string{"top", "tree", "frames", "verdicts", "graph", "html", "top json", "tree json",
		"frames json", "verdicts json", "graph json"} {
		for _, whole := range []bool{false, true} {
			all[fmt.Sprint(name, whole)] = func(w io.Writer) error {
				c, err := open(path)
				if err != nil {
					return err
				}
				verb, _, asJSON := strings.Cut(name, " ")
				c.HasFrame, c.pick = c.HasFrame && !whole, selection{focus: "zone a", json: asJSON}
				if verb == "html" {
					return c.writePage(w)
				}
				return readingOf(verb).write(w, c)
			}
		}
	}
	addTables(all, path)
	for name, as := range someForms {
		all[name] = func(w io.Writer) error {
			_, err := writeDiff(w, path, path, 5, &as)
			return err
		}
	}
	addExports(all, file)
	for _, page := range []string{"", "report", "tree", "json", "metrics"} {
		all["serve "+page] = func(w io.Writer) error {
			s, err := served(context.Background(), path)
			if err != nil {
				return err
			}
			r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/debug/iprof/"+page, nil)
			out := httptest.NewRecorder()
			(&debug.Server{Session: s}).Handler().ServeHTTP(out, r)
			_, err = w.Write(out.Body.Bytes())
			return err
		}
	}
	return all
}

// addTables adds all tables of a capture, as text and as JSON.
func addTables(all map[string]func(io.Writer) error, path string) {
	for _, kind := range append(slices.Clone(tables.Kinds), tables.Top, tables.Graph) {
		for i, by := range kind.By {
			name := "table " + kind.Name + " by " + by
			if i%2 == 1 {
				name += " json"
			}
			all[name] = func(w io.Writer) error {
				c, err := openTwice(i%2 == 0)(path)
				if err != nil {
					return err
				}
				defer c.close()
				c.pick = selection{by: by, limit: 3, focus: "zone a", json: i%2 == 1}
				return (&reading{kind: kind, ofZone: kind == tables.Graph}).write(w, c)
			}
		}
	}
}

// addExports adds all formats of exports.
func addExports(all map[string]func(io.Writer) error, file []byte) {
	for _, f := range exporter.Formats {
		for i, pick := range somePicks {
			name := f.Name + " " + strconv.Itoa(i)
			if f.Extension == ".json" {
				name += " json"
			}
			all[name] = func(w io.Writer) error { return f.Write(w, bytes.NewReader(file), &pick) }
		}
	}
}

// stack is the stack of the calling goroutine.
func stack() []byte {
	b := make([]byte, 8<<10)
	return b[:runtime.Stack(b, false)]
}
