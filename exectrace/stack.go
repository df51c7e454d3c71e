package exectrace

import (
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/exp/trace"
)

// top returns the innermost function of a stack outside the runtime, and its line.
func top(s trace.Stack) (function, line string) {
	for f := range s.Frames() {
		function, line = f.Func, filepath.Base(f.File)+":"+strconv.FormatUint(f.Line, 10)
		if !isRuntime(f.Func) {
			return function, line
		}
	}
	return function, line
}

// isRuntime reports whether a function waits or wakes on behalf of its callers, as in the runtime.
func isRuntime(function string) bool {
	for _, p := range [...]string{"runtime.", "sync.", "internal/", "syscall.", "golang.org/x/sys/", "os.", "time.",
		"example.com/iprof/wait."} {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}

// endedByTimer reports whether a wait for that reason, which no goroutine ended, was for a timer or ticker. The network
// has a reason of its own.
func endedByTimer(reason string) bool { return reason == "chan receive" || reason == "select" }

// waitsForDisplay reports whether a call of C shows a picture, and waits for the display before.
func waitsForDisplay(s trace.Stack) bool {
	for f := range s.Frames() {
		for _, name := range [...]string{"SwapBuffers", "SwapWindow", "EndDrawing", "RenderPresent"} {
			if strings.Contains(f.Func, name) {
				return true
			}
		}
	}
	return false
}

// lockOf returns the type of package sync that a goroutine waits for, by its stack.
func lockOf(s trace.Stack) string {
	for f := range s.Frames() {
		switch {
		case strings.Contains(f.Func, "sync.(*Mutex)."), strings.HasPrefix(f.Func, "sync.(*RWMutex)."):
			return "mutex"
		case strings.HasPrefix(f.Func, "sync.(*WaitGroup)."):
			return "wait group"
		case !isRuntime(f.Func):
			return "mutex or other lock"
		}
	}
	return "mutex or other lock"
}
