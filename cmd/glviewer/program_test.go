package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/xvfbtest"
)

// TestMain makes the test binary be glviewer itself when asked to: the tests run it as a program of its own.
func TestMain(m *testing.M) {
	if os.Getenv("GLVIEWER_TEST_MAIN") != "" {
		main()
	}
	dir, err := os.MkdirTemp("", "glviewer")
	if err != nil {
		panic(err)
	}
	// The build cache lies below XDG_CACHE_HOME otherwise, and tests that build a command would have an empty one.
	if own, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
		os.Setenv("GOCACHE", strings.TrimSpace(string(own)))
	}
	os.Setenv("XDG_CACHE_HOME", dir)                // the user's list of recent files stays as it is
	os.Setenv("XDG_CONFIG_HOME", "")                // and the settings: see command
	looked := filepath.Join(dir, "iprof", "looked") // the tests are no newcomers
	if os.MkdirAll(filepath.Dir(looked), 0o700) != nil || os.WriteFile(looked, nil, 0o600) != nil {
		panic("no place for the state of the viewer")
	}
	status := xvfbtest.Main(m)
	os.RemoveAll(dir)
	os.Exit(status)
}

// command is glviewer on a display. It has no settings of a window before, unless the test has a folder for them.
func command(display string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "GLVIEWER_TEST_MAIN=1", "DISPLAY="+display, "LIBGL_ALWAYS_SOFTWARE=1")
	if os.Getenv("XDG_CONFIG_HOME") == "" {
		dir, err := os.MkdirTemp(os.Getenv("XDG_CACHE_HOME"), "settings")
		if err != nil {
			panic(err)
		}
		c.Env = append(c.Env, "XDG_CONFIG_HOME="+dir)
	}
	return c
}

// program is a running glviewer whose lines can be waited for.
type program struct {
	t      testing.TB
	cmd    *exec.Cmd
	lines  chan string
	seen   []string
	errors bytes.Buffer
}

func start(t testing.TB, display string, args ...string) *program {
	t.Helper()
	p := &program{t: t, cmd: command(display, args...), lines: make(chan string, 1<<16)}
	p.cmd.Stderr = &p.errors
	out := must.Get(p.cmd.StdoutPipe())(t)
	must.Do(t, p.cmd.Start())
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.cmd.Wait()
	})
	go p.read(out)
	return p
}

func (p *program) read(out io.Reader) {
	for s := bufio.NewScanner(out); s.Scan(); {
		p.lines <- s.Text()
	}
	close(p.lines)
}

// wait reads lines until one matches, and returns its groups.
func (p *program) wait(pattern string) []string {
	p.t.Helper()
	re := regexp.MustCompile("^" + pattern + "$")
	timeout := time.After(patience)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("the program ended before a line %q; got\n%s\n%s", pattern, strings.Join(p.seen, "\n"),
					&p.errors)
			}
			p.seen = append(p.seen, line)
			if groups := re.FindStringSubmatch(line); groups != nil {
				return groups
			}
		case <-timeout:
			p.t.Fatalf("no line %q in %v; got\n%s", pattern, patience, strings.Join(p.seen, "\n"))
		}
	}
}

// ends waits for the end of the program, which must be a good one.
func (p *program) ends() {
	p.t.Helper()
	p.wait("closed")
	p.ended()
}

// ended is ends after the program's last line.
func (p *program) ended() {
	p.t.Helper()
	if err := p.cmd.Wait(); err != nil {
		p.t.Fatalf("exit: got %v\n%s; want a good end", err, &p.errors)
	}
}
