//go:build unix

package console

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
)

// tmux is a real terminal with our page in it. The shell that started it goes on when the page has ended.
type tmux struct {
	t      *testing.T
	socket string
	stop   string // the file that ends the page of "cancel"
}

// inTmux starts the test's own program in a terminal of that size. Without tmux the test is skipped; with
// IPROF_TMUX=must it fails.
func inTmux(t *testing.T, how string, width, height int) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("IPROF_TMUX") == "must" {
			t.Fatal("IPROF_TMUX=must, and there is no tmux")
		}
		t.Skip("no tmux")
	}
	program := must.Get(os.Executable())(t)
	x := &tmux{t, fmt.Sprintf("iprof-%d-%s", os.Getpid(), how), filepath.Join(t.TempDir(), "stop")}
	shell := fmt.Sprintf(`echo before; %s=%s %s='%s' '%s'; echo "status $?"; `, child, how, childStop, x.stop,
		program) +
		`stty -a | tr ';' '\n' | grep -o -- '-*icanon\|-*echo \|-*isig'; exec sleep 600`
	x.run("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "sh", "-c", shell)
	t.Cleanup(func() { x.command("kill-server").Run() })
	return x
}

func (x *tmux) command(args ...string) *exec.Cmd {
	cmd := exec.Command("tmux", append([]string{"-u", "-L", x.socket}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=", "LC_ALL=C.UTF-8", "TERM=xterm-256color", "NO_COLOR=")
	return cmd
}

func (x *tmux) run(args ...string) string {
	x.t.Helper()
	out, err := x.command(args...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// sees waits until the screen has all of these.
func (x *tmux) sees(want ...string) string {
	x.t.Helper()
	return x.comes(fmt.Sprintf("%q on it", want), func(screen string) bool { return all(screen, want) })
}

// comes waits until wanted accepts the screen. The words describe that screen in an error.
func (x *tmux) comes(words string, wanted func(screen string) bool) string {
	x.t.Helper()
	screen := ""
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if screen = x.run("capture-pane", "-p"); wanted(screen) {
			return screen
		}
	}
	x.t.Fatalf("got screen\n%s\nwant %s", screen, words)
	return ""
}

func all(screen string, want []string) bool {
	for _, w := range want {
		if !strings.Contains(screen, w) {
			return false
		}
	}
	return true
}

func (x *tmux) types(keys ...string) {
	x.t.Helper()
	x.run(append([]string{"send-keys"}, keys...)...)
}

// isBack checks that the terminal is restored: the first screen, a visible cursor, keys that are echoed and interrupt.
func (x *tmux) isBack(want ...string) {
	x.t.Helper()
	screen := x.sees(append(want, "before", "icanon", "echo", "isig")...)
	for _, off := range []string{"-icanon", "-echo", "-isig"} {
		if strings.Contains(screen, off) {
			x.t.Errorf("the terminal is left with %s:\n%s", off, screen)
		}
	}
	if got := strings.TrimSpace(x.run("display-message", "-p",
		"#{alternate_on} #{cursor_flag} #{wrap_flag}")); got != "0 1 1" {
		x.t.Errorf("alternate screen, cursor, wrapping: got %q; want \"0 1 1\"", got)
	}
}

func TestPageInATerminal(t *testing.T) {
	if !gather.Enabled {
		x := inTmux(t, "off", 80, 24)
		x.sees("built with the tag iprof_off")
		x.types("q")
		x.isBack("left: <nil>")
		return
	}
	x := inTmux(t, "quit", 100, 30)
	first := x.sees("fps", "> ", "step", "paint", "wait  [idle]", "q leave")
	x.t.Logf("the page:\n%s", first)
	if got := strings.TrimSpace(x.run("display-message", "-p", "#{alternate_on} #{cursor_flag}")); got != "1 0" {
		t.Errorf("alternate screen, cursor: got %q; want \"1 0\"", got)
	}
	title, _, _ := strings.Cut(first, "\n")
	x.comes("another first line: the page stands still",
		func(screen string) bool { return !strings.HasPrefix(screen, title) })
	x.types("2")
	x.sees("sort with callees")
	x.types("Down", "Down")
	x.sees("\n> ")
	x.types("Enter")
	x.sees("call graph")
	x.types("Space")
	x.sees("PAUSED")
	x.types("Left", "Left", "Left")
	x.sees("3 frames ago")
	x.types("End")
	x.sees("live ")
	x.types("?")
	x.sees("forget all measurements", "this help, or back")
	x.types("?", ":mode calltree", "Enter")
	x.sees("mode calltree", "tree")
	x.run("resize-window", "-x", "60", "-y", "12")
	x.comes("a page of 60 x 12", func(screen string) bool { // the terminal cuts the old page first
		lines := strings.Split(strings.TrimRight(screen, "\n"), "\n")
		return all(screen, []string{"q leave", "step"}) && len(lines) == 12 && len([]rune(lines[0])) <= 60
	})
	x.types("q")
	x.isBack("left: <nil>", "status 0")
}

func TestTerminalIsGivenBackWhenTheContextEnds(t *testing.T) {
	x := inTmux(t, "cancel", 80, 24)
	x.sees("fps")
	must.Do(t, os.WriteFile(x.stop, nil, 0o600))
	x.isBack("left: context canceled", "status 0")
}

func TestTerminalIsGivenBackByAPanic(t *testing.T) {
	inTmux(t, "panic", 80, 24).isBack("left by a panic: true", "status 0")
}

// Ctrl+C ends the page, and then the program, as it would have ended it without.
func TestTerminalIsGivenBackByAnInterrupt(t *testing.T) {
	x := inTmux(t, "interrupt", 80, 24)
	x.sees("fps")
	x.types("C-c")
	x.isBack("status 130")
}
