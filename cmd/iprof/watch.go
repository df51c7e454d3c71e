package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"example.com/iprof/console"
	"example.com/iprof/internal/beside"
	"example.com/iprof/internal/follow"
	"example.com/iprof/internal/remote"
	server "example.com/iprof/internal/serve"
	"example.com/iprof/process"
)

// watchedEvery is the length of a frame of a watched program without frames of its own.
const watchedEvery = time.Second / 10

// watch prepares -view and -live. The program serves its frames on a free port of this machine. A viewer needs the
// token to see them.
func (a *arguments) watch(verb string) (err error) {
	switch {
	case !a.view && !a.live:
		return nil
	case a.view && a.live:
		return errors.New("-view and -live: choose one")
	case verb != "run":
		return fmt.Errorf("-view and -live show a running program; %s runs none", verb)
	case a.view:
		if err := a.chooseView(); err != nil {
			return err
		}
	}
	if a.listen == "" {
		if a.listen, err = server.FreeAddress(); err != nil {
			return err
		}
	}
	if host, port, err := net.SplitHostPort(a.listen); err == nil && host == "" {
		a.listen = net.JoinHostPort("127.0.0.1", port)
	}
	a.token = cmp.Or(a.token, rand.Text())
	return nil
}

// chooseView finds glviewer. Without glviewer or a display it chooses the browser.
func (a *arguments) chooseView() (err error) {
	if a.viewer, err = findViewer(); err == nil && hasDisplay() {
		return nil
	}
	_, noBrowser := viewerBuilder(func(string) {})
	if noBrowser == nil {
		a.viewer = ""
		return nil
	}
	if err == nil {
		err = errors.New("there is no display")
	}
	return fmt.Errorf("-view: %w; in the browser: %w; or use -live, or -listen ADDR", err, noBrowser)
}

// findViewer returns the file of glviewer.
func findViewer() (string, error) {
	if file, found := beside.Find("glviewer"); found {
		return file, nil
	}
	return "", errors.New("glviewer is not beside iprof and not in PATH: in the sources of iprof, " +
		"run go install ./cmd/glviewer; iprof serve shows the same in a browser, without it")
}

// runInWindow runs the program with glviewer beside it. The window stays when the program has ended, until it is
// closed. Ctrl+C ends the program; the next one closes the window.
func (a *arguments) runInWindow(cmd *exec.Cmd) int {
	if a.viewer == "" {
		return a.runInBrowser(cmd)
	}
	window := exec.Command(a.viewer, append([]string{"-connect", a.listen}, a.sources()...)...)
	window.Env = append(os.Environ(), "IPROF_TOKEN="+a.token)
	window.Stdout, window.Stderr = os.Stderr, os.Stderr
	apart(window)
	if err := window.Start(); err != nil {
		return fail(err)
	}
	code := status(wait(cmd, exceptTyped, a.look(cmd), a.planning.end))
	stderr.Println("iprof: the program has ended; its window is open until you close it")
	_ = wait(window, func(os.Signal) bool { return true }, func() {}, nil)
	return code
}

// runInBrowser runs the program with a page of the viewer beside it. The page stays when the program has ended, until
// it is closed. Ctrl+C ends the program; the next one the page.
func (a *arguments) runInBrowser(cmd *exec.Cmd) int {
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	b := inBrowser{names: []string{a.listen}, roots: a.folders(), address: "127.0.0.1:0", token: a.token, open: true}
	shown := make(chan error, 1)
	go func() { shown <- b.show(ctx, stderr) }()
	code := status(wait(cmd, exceptTyped, a.look(cmd), a.planning.end))
	stderr.Println("iprof: the program has ended; its page stays until you close it or press Ctrl+C")
	interrupted, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	select {
	case err := <-shown:
		if err != nil {
			_ = fail(err)
		}
	case <-interrupted.Done():
	}
	return code
}

// sources returns the viewer's flags for the program's source folders.
func (a *arguments) sources() (flags []string) {
	for _, folder := range a.folders() {
		flags = append(flags, "-source", folder)
	}
	return flags
}

// folders returns the program's source folders.
func (a *arguments) folders() (all []string) {
	env := exec.Command("go", "env", "GOMOD", "GOMODCACHE", "GOROOT")
	env.Dir = a.plan.Dir
	out, _ := env.Output() // on failure the viewer names missing files
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if line = strings.TrimSpace(line); i == 0 { // the file go.mod
			line = filepath.Dir(line)
		}
		if filepath.IsAbs(line) {
			all = append(all, line)
		}
	}
	return all
}

// runInTerminal runs the program under the live page. Its output to the terminal appears when the page is closed by q
// or by the end of the program. Streams that are no terminal go to the program directly.
func (a *arguments) runInTerminal(cmd *exec.Cmd) int {
	keys, tty, err := openTerminal()
	if err != nil {
		return fail(errors.New("-live needs a terminal; use -view, or -listen ADDR"))
	}
	defer keys.Close()
	defer tty.Close()
	program, err := remote.New(a.listen, a.token)
	if err != nil {
		return fail(err)
	}
	out := &held{to: os.Stderr}
	out.take(cmd)
	ctx, leave := context.WithCancel(context.Background())
	session, closed, open := process.NewSession(), make(chan struct{}), new(atomic.Bool)
	open.Store(true)
	go program.Follow(ctx, session, func(follow.State) {})
	go func() {
		defer close(closed)
		_ = console.Terminal(ctx, session, keys, tty)
		open.Store(false)
		out.release()
	}()
	// An interrupt in the page reaches only this process. Later ones reach the program directly.
	code := status(wait(cmd, func(s os.Signal) bool { return s != os.Interrupt || open.Load() },
		a.look(cmd), a.planning.end))
	leave()
	<-closed
	return code
}

// openTerminal opens the process's terminal even if the standard streams are redirected.
func openTerminal() (keys, screen *os.File, err error) {
	in, out := "/dev/tty", "/dev/tty"
	if runtime.GOOS == "windows" {
		in, out = "CONIN$", "CONOUT$"
	}
	if keys, err = os.OpenFile(in, os.O_RDWR, 0); err != nil {
		return nil, nil, err
	}
	if screen, err = os.OpenFile(out, os.O_RDWR, 0); err != nil {
		keys.Close()
		return nil, nil, err
	}
	return keys, screen, nil
}
