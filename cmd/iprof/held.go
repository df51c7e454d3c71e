package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/term"

	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/scratch"
)

// mostHeld is the most output of a program, in bytes, that waits for the end of the live page.
const mostHeld = 64 << 20

// held keeps a program's output to the terminal while the live page is on it. release writes it.
type held struct {
	to io.Writer

	mu      sync.Mutex
	scratch *os.File // nil until something is held
	size    int64
	lost    int64 // bytes above mostHeld
	done    bool
}

// take gives the program streams that do not disturb the page. It passes on streams that are no terminal.
func (h *held) take(cmd *exec.Cmd) {
	cmd.WaitDelay = time.Second // a child of the program may keep the streams open
	if isTerminal(os.Stdin) {
		cmd.Stdin = nil
	}
	if isTerminal(os.Stdout) {
		cmd.Stdout = h
	}
	if isTerminal(os.Stderr) {
		cmd.Stderr = h
	}
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// terminalWidth returns the width of a terminal in cells, 0 if unknown.
func terminalWidth(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// Write holds p, or writes it after release. It never fails: the program must not notice the page.
func (h *held) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.done {
		_, _ = h.to.Write(p)
		return len(p), nil
	}
	if h.scratch == nil {
		h.scratch, _ = scratch.New()
	}
	if h.scratch == nil || h.size+int64(len(p)) > mostHeld {
		h.lost += int64(len(p))
		return len(p), nil
	}
	n, _ := h.scratch.Write(p)
	h.size += int64(n)
	h.lost += int64(len(p) - n)
	return len(p), nil
}

// release writes the held output. Later writes go through.
func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done = true
	if h.scratch != nil {
		if _, err := h.scratch.Seek(0, io.SeekStart); err == nil {
			_, _ = io.Copy(h.to, h.scratch)
		}
		h.scratch.Close()
	}
	if h.lost > 0 {
		fmt.Fprintf(h.to, "iprof: %s of the program's output did not fit\n", printed.Count(int(h.lost), "byte"))
	}
}
