//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/internal/follow"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
	"example.com/iprof/process"
)

// The variables under which the test's own program is another one: glviewer, or iprof.
const (
	asViewer = "IPROF_TEST_VIEWER"
	asMain   = "IPROF_TEST_MAIN"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(asViewer); file != "" && os.Args[1] == "-connect" {
		look(os.Args[2], file)
		return
	}
	if os.Getenv(asMain) != "" {
		main()
		return
	}
	sayAfter = time.Hour // also on a slow machine what commands say is the same
	os.Exit(m.Run())
}

// look writes to a file what a viewer sees of a program, with and without the token. The program then ends.
func look(address, file string) {
	_, err := remote.New(address, "")
	stranger, own := process.NewSession(), process.NewSession()
	seen := map[string]bool{}
	for token, s := range map[string]*process.Session{os.Getenv("IPROF_TOKEN"): own, "not the token": stranger} {
		p, failed := remote.New(address, token)
		if failed != nil {
			err = failed
			break
		}
		ctx, leave := context.WithTimeout(context.Background(), 5*time.Minute)
		p.Follow(ctx, s, func(state follow.State) {
			refused := state.Err != nil && strings.Contains(state.Err.Error(), "oken")
			if state.Connected || refused {
				seen[fmt.Sprint(s == own, state.Connected)] = true
				leave()
			}
		})
	}
	_ = os.WriteFile(file, fmt.Append(nil, seen, err), 0o644)
}

// watchedProgram runs until the file that is its argument exists.
const watchedProgram = `package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	fmt.Println("hello from the program")
	for waiting(os.Args[1]) {
	}
	os.Exit(3)
}

func waiting(file string) bool {
	for range 10 {
		if _, err := os.Stat(file); err == nil {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}
`

// watched enters the folder of a program to watch, and returns the arguments that run it and the file that ends it.
func watched(t *testing.T, flag string) (args []string, end string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program")
	}
	root := must.Get(filepath.Abs("../.."))(t)
	freshCache(t)
	t.Chdir(t.TempDir())
	write(t, "go.mod", "module example.org/watched\n\ngo 1.25\n")
	write(t, "main.go", watchedProgram)
	end = filepath.Join(t.TempDir(), "end")
	return []string{"-module", root, "-min", "1", "-include", "waiting", flag, ".", end}, end
}

// TestRunInAWindow has a viewer that looks once. It sees the program with the token that it was given only.
func TestRunInAWindow(t *testing.T) {
	args, end := watched(t, "-view")
	bin := t.TempDir()
	own := must.Get(os.Executable())(t)
	must.Do(t, os.Symlink(own, filepath.Join(bin, "glviewer")))
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv(asViewer, end)
	t.Setenv("DISPLAY", ":0") // the stand-in needs none
	if status := launch("run", args); status != 3 {
		t.Errorf("status %d; want the program's, 3", status)
	}
	if got, want := string(readFile(t, end)), "map[false false:true true true:true] <nil>"; got != want {
		t.Errorf("the viewer saw %s; want %s", got, want)
	}
}

// TestRunInTheTerminal runs a program that prints in a real terminal.
func TestRunInTheTerminal(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("IPROF_TMUX") == "must" {
			t.Fatal("IPROF_TMUX=must, and there is no tmux")
		}
		t.Skip("no tmux")
	}
	args, end := watched(t, "-live")
	own := must.Get(os.Executable())(t)
	socket := fmt.Sprintf("iprof-run-%d", os.Getpid())
	tmux := func(args ...string) string {
		cmd := exec.Command("tmux", append([]string{"-u", "-L", socket}, args...)...)
		cmd.Env = append(os.Environ(), "TMUX=", "LC_ALL=C.UTF-8", "TERM=xterm-256color")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	shell := fmt.Sprintf("%s=1 '%s' run '%s'; echo status $?; exec sleep 600", asMain, own, strings.Join(args, "' '"))
	tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "30", "sh", "-c", shell)
	t.Cleanup(func() { exec.Command("tmux", "-L", socket, "kill-server").Run() })
	see := func(want, not string) {
		t.Helper()
		screen := ""
		for stop := time.Now().Add(5 * time.Minute); time.Now().Before(stop); time.Sleep(50 * time.Millisecond) {
			screen = tmux("capture-pane", "-p")
			if strings.Contains(screen, want) {
				break
			}
		}
		if !strings.Contains(screen, want) || not != "" && strings.Contains(screen, not) {
			t.Fatalf("got screen\n%s\nwant %q and not %q", screen, want, not)
		}
	}
	see(" waiting ", "hello from")
	tmux("send-keys", "q")
	see("hello from the program", "status")
	write(t, end, "")
	see("status 3", "")
}

func TestWatchingNeedsSomethingToWatch(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for line, want := range map[string]string{
		"run -view .":       "go install ./cmd/glviewer",
		"run -view -live .": "choose one",
		"build -live .":     "build runs none",
		"test -view .":      "test runs none",
	} {
		t.Run(line, func(t *testing.T) {
			words := strings.Fields(line)
			if _, err := parse(words[0], words[1:]); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v; want an error with %q", err, want)
			}
		})
	}
}

func TestTheVersionIsPrinted(t *testing.T) {
	for _, arg := range []string{"version", "-version", "--version", "-v"} {
		cmd := exec.Command(os.Args[0], arg)
		cmd.Env = append(os.Environ(), asMain+"=1")
		if out, err := cmd.Output(); err != nil || !strings.HasPrefix(string(out), "iprof ") ||
			!strings.Contains(string(out), runtime.Version()) {
			t.Errorf("%s: got %q, %v", arg, out, err)
		}
	}
}

// The scripts give the shells what may come, in those that are here.
func TestShellsComplete(t *testing.T) {
	dir := t.TempDir()
	itself := "#!/bin/sh\nexport " + asMain + "=1\nexec '" + os.Args[0] + "' \"$@\"\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "iprof"), []byte(itself), 0o755))
	for shell, script := range map[string]string{
		"bash": `source <(iprof completion bash); COMP_WORDS=(iprof export -fo); COMP_CWORD=2
			_iprof; echo "${COMPREPLY[@]}"`,
		"zsh": `compdef() { :; }; compadd() { shift; print -l -- "$@"; }
			source <(iprof completion zsh); words=(iprof export -fo) CURRENT=3; _iprof`,
		"fish": `iprof completion fish | source; complete -C 'iprof export -fo'`,
		"pwsh": `iprof completion powershell | Out-String | Invoke-Expression
			(TabExpansion2 'iprof export -fo game.iprof' 16).CompletionMatches.CompletionText`,
	} {
		file, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("there is no %s", shell)
			continue
		}
		cmd := exec.Command(file, "-c", script)
		cmd.Env = append(os.Environ(), "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+dir)
		if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "-format" {
			t.Errorf("%s: got %q, %v; want -format", shell, out, err)
		}
	}
}

// nohup iprof run behaves like nohup with the program itself.
func TestIgnoredSignalsStayIgnored(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	module := inModule(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n",
		"main.go": `package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	if signal.Ignored(syscall.SIGHUP) && !signal.Ignored(syscall.SIGTERM) {
		os.Exit(5)
	}
}
`})
	signal.Ignore(syscall.SIGHUP)
	t.Cleanup(func() { signal.Reset(syscall.SIGHUP) })
	if status, stderr := launched(t, module, "run", "-report", "none", "."); status != 5 {
		t.Errorf("status %d: the program does not ignore what iprof ignores: %s", status, stderr)
	}
}

// A script starts its jobs so that they ignore SIGINT. A program that asks for this signal gets it all the same, also
// by iprof.
func TestAJobOfAScriptGetsItsSignal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	module := inModule(t, map[string]string{"main.go": `package main

import (
	"os"
	"os/signal"
)

func main() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	os.Stdout.WriteString("ready\n")
	<-c
	os.Exit(6)
}
`})
	cmd := exec.Command("sh", "-c", `trap "" INT; exec "$0" "$@"`, os.Args[0], "run", "-module", module, ".")
	cmd.Env = append(os.Environ(), asMain+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	must.Get(io.ReadFull(out, make([]byte, len("ready\n"))))(t)
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	for n := 0; ; n++ { // the first signal may come before iprof knows that the program runs
		select {
		case <-ended:
		case <-time.After(100 * time.Millisecond):
			signalled := syscall.SIGINT
			if n > 600 {
				signalled = syscall.SIGKILL
			}
			_ = cmd.Process.Signal(signalled)
			continue
		}
		break
	}
	if got := cmd.ProcessState.ExitCode(); got != 6 {
		t.Errorf("status %d; want 6, the program's for SIGINT", got)
	}
}

// lateGo is a go command that sends its caller a signal when a build has ended, after $LATE seconds.
const lateGo = `#!/bin/sh
"$REALGO" "$@"
status=$?
case "$1$*" in build*' -o '*)
	if [ "$LATE" = 0 ]; then kill -s "$SIGNAL" $PPID; else (sleep "$LATE"; kill -s "$SIGNAL" $PPID) >&- 2>&- & fi
esac
exit $status
`

// iprof ends as a program that the signal ends, whether this has begun or not.
func TestASignalBetweenBuildAndStartIsNotLost(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	const main = "package main\n\nimport \"time\"\n\n" +
		"func main() { println(\"begins\"); time.Sleep(20 * time.Second); println(\"ends\") }\n"
	module, bin := inModule(t, map[string]string{"main.go": main}), t.TempDir()
	goCommand := must.Get(exec.LookPath("go"))(t)
	must.Do(t, os.WriteFile(filepath.Join(bin, "go"), []byte(lateGo), 0o755))
	for i, late := range []string{"0", "0", "0.001", "0.002", "0.004", "0.008", "0.016", "0.1"} {
		s := []struct {
			name   string
			status int
		}{{"TERM", 143}, {"INT", 130}}[i%2]
		write(t, "main.go", strings.Replace(main, "begins", "begins "+strconv.Itoa(i), 1))
		cmd := exec.Command(os.Args[0], "run", "-module", module, ".")
		cmd.Env = append(os.Environ(), asMain+"=1", "PATH="+bin+":"+os.Getenv("PATH"), "REALGO="+goCommand,
			"LATE="+late, "SIGNAL="+s.name)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // else a terminal's own signals are not passed on
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != s.status || bytes.Contains(out, []byte("ends")) {
			t.Errorf("%s after %s s: status %d, want %d:\n%s", s.name, late, got, s.status, out)
		}
		if bytes.Contains(out, []byte("cancel")) {
			t.Errorf("%s after %s s: it speaks of itself:\n%s", s.name, late, out)
		}
	}
}
