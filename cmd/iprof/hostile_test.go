package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
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
		must.Do(t, errors.Join(w.WriteJudged(f, 0, 16*time.Millisecond), s.WriteFrame(f)))
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

// TestNothingHostileReachesATerminal: whatever the strings of files and the answers of servers are, no command prints
// what a terminal acts on, and no file that a tool prints has it.
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
	for _, format := range []string{"pprof", "pprof-frames"} { // go tool pprof prints what is in it as it is
		out, _ := asIprof(t, t.TempDir(), "export", "-format", format, captured)
		z := must.Get(gzip.NewReader(strings.NewReader(out)))(t)
		text, err := io.ReadAll(z)
		if err != nil || bytes.ContainsAny(text, "\x1b\u202e\u009b") && !bytes.Contains(text, []byte(`\x1b]0;owned`)) ||
			bytes.Contains(text, []byte("\x1b]")) || bytes.Contains(text, []byte("\u202e")) {
			t.Errorf("%s: got %v, and hostile texts as they are", format, err)
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

// TestPlansOfHostileNames: names of files and folders are printed by iprof run -n.
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

// TestOnlySafeWritersReachTheTerminal: text goes through package printed. The other uses of the streams are those of
// exports, of programs that are started, and of the live page.
func TestOnlySafeWritersReachTheTerminal(t *testing.T) {
	others := map[string][]string{
		".": {"streams.go", "held.go", "reports.go", // what a program wrote, our own colour
			"launch.go", "watch.go", "view.go", "source.go", "export.go"},
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
