package sites

import (
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Line is a line of a source file. The zero value means unknown.
type Line struct {
	File string
	Line int
}

// String returns the file, without its folders, and the line: "file.go:12". It is "" for an unknown line.
func (l Line) String() string {
	if l.File == "" {
		return ""
	}
	return Base(l.File) + ":" + strconv.Itoa(l.Line)
}

// Base returns a path without its folders. A capture may come from any system, so both / and \ end a folder.
func Base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// Of returns the function and line of a return address.
func Of(pc uintptr) (function string, at Line) {
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return frame.Function, Line{frame.File, frame.Line}
}

// wrappers are the packages of this module whose functions enter zones for their callers.
var wrappers = []string{"draw/gl.", "wait."}

// Caller returns the innermost function on the calling goroutine's stack that is outside the calling package and the
// wrappers, or in one of their tests.
func Caller() (function string, at Line) {
	var pcs [24]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	own, more := frames.Next()
	for frame := own; more; {
		frame, more = frames.Next()
		inside := inPackage(frame.Function, own.Function) || wraps(frame.Function, own.Function)
		if !inside || strings.HasSuffix(frame.File, "_test.go") {
			return frame.Function, Line{frame.File, frame.Line}
		}
	}
	return "", Line{}
}

// wraps reports whether a function belongs to one of the wrappers, which are in the module of own.
func wraps(function, own string) bool {
	module := strings.TrimSuffix(own[:strings.LastIndexByte(own, '/')+1], "internal/")
	for _, w := range wrappers {
		if strings.HasPrefix(function, module+w) {
			return true
		}
	}
	return false
}

// inPackage reports whether two functions are in one package: their names agree up to the first dot after the last
// slash.
func inPackage(function, own string) bool {
	slash := strings.LastIndexByte(own, '/')
	dot := slash + strings.IndexByte(own[slash+1:], '.') + 2
	return strings.HasPrefix(function, own[:dot])
}

// Short returns a function's name without its import path.
func Short(function string) string {
	return function[strings.LastIndexByte(function, '/')+1:]
}

// Longest is the greatest length of a kept name, in bytes.
const Longest = 1024

// cutMark ends a name that was cut.
const cutMark = "…"

// Cut returns a name of at most Longest bytes. It cuts a longer one between two characters, and appends "…".
func Cut(name string) string {
	if len(name) <= Longest {
		return name
	}
	end := Longest - len(cutMark)
	for first := end - utf8.UTFMax; end > first+1 && !utf8.RuneStart(name[end]); {
		end--
	}
	return name[:end] + cutMark
}
