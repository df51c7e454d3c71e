// Package source reads the functions of a Go program from its files, for the card of a zone in the viewer:
//
//	files := source.NewReader(source.Built())
//	panel := viewer.PanelFor(iprof.Default())
//	panel.Change(func(o *viewer.Options) { o.Source = files.Code })
//
// The viewer itself reads no files. A [Reader] reads in goroutines of its own, so a screen never waits for a disk. Its
// memory is bounded. It does not show a file that was changed after the program was built, or whose function has
// another name now, because its lines would not be the measured lines.
package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// The limits of a Reader.
const (
	MaxFile   = 4 << 20 // bytes of a file
	MaxLines  = 600     // lines of a function
	MaxLine   = 400     // bytes of a line
	mostKept  = 64      // functions in the cache
	mostAsked = 4       // files that are being read at once
)

// Reader reads functions and keeps them. Any goroutine may call its methods.
type Reader struct {
	built   time.Time
	roots   []string
	mu      sync.Mutex
	kept    map[place]*report.Code // nil while it is being read
	reading int
}

type place struct {
	file, function string
	line           int
}

// NewReader returns a Reader for a program that was built, or recorded, at a time. Files that were changed later are
// not shown. With the zero time, any file whose function has the right name is shown. For a program other than the
// running one, pass the folders with its files as roots, because its frames may name any file. See Local.
func NewReader(built time.Time, roots ...string) *Reader {
	return &Reader{built: built, roots: roots, kept: map[place]*report.Code{}}
}

// Local reports whether a file may be read, whose name may come from a stranger's capture. The name must be a clean
// absolute path on this machine, and lie below one of the roots, if there are any. Local does not access the file
// system, because the name of a share on Windows would reach another machine.
func Local(name string, roots ...string) bool {
	if !filepath.IsAbs(name) || filepath.Clean(name) != name || strings.HasPrefix(filepath.VolumeName(name), `\\`) {
		return false
	}
	return len(roots) == 0 || slices.ContainsFunc(roots, func(root string) bool {
		below, err := filepath.Rel(root, name)
		return err == nil && filepath.IsLocal(below)
	})
}

// Built returns the time at which the running program was built, which is the time of its file. It is the zero time if
// not known.
func Built() time.Time {
	name, err := os.Executable()
	if err != nil {
		return time.Time{}
	}
	info, err := os.Stat(name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Code returns the function that enters a zone. It returns nil while the file is being read; call it again later. A
// Code without lines has the reason. The method fits viewer.Options.Source.
func (r *Reader) Code(zone gather.ZoneInfo) *report.Code {
	at := place{zone.File, zone.Function, zone.Line}
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, known := r.kept[at]; known || r.reading == mostAsked {
		return c
	}
	if len(r.kept) >= mostKept {
		clear(r.kept)
	}
	r.kept[at] = nil
	r.reading++
	go r.read(at)
	return nil
}

// read reads a function, and keeps it.
func (r *Reader) read(at place) {
	c := &report.Code{Function: report.FunctionName(at.function)}
	text, why := r.file(at.file)
	if why == "" {
		why = cut(c, text, at.line)
	}
	c.Why = why
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept[at] = c
	r.reading--
}

// file returns the text of a file, or the reason why it has none. The name comes from frames, perhaps of a stranger's
// capture, so it reads only Go files that are Local.
func (r *Reader) file(name string) (text []byte, why string) {
	if name == "" {
		return nil, "the zone's place is not known"
	}
	base := filepath.Base(name)
	if filepath.Ext(name) != ".go" || !Local(name, r.roots...) {
		return nil, fmt.Sprintf("%s is not on this machine", shown(base))
	}
	info, err := os.Stat(name)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return nil, fmt.Sprintf("%s is not on this machine", shown(base))
	case info.Size() > MaxFile:
		return nil, fmt.Sprintf("%s is too large to show", shown(base))
	case !r.built.IsZero() && info.ModTime().After(r.built):
		return nil, fmt.Sprintf("%s has changed since: its lines may differ", shown(base))
	}
	if text, err = os.ReadFile(name); err != nil {
		return nil, fmt.Sprintf("%s cannot be read", shown(base))
	}
	return text, ""
}

// shown returns text without control characters other than tabs, without marks that change the direction of writing,
// and without bytes that are not UTF-8.
func shown(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || unicode.IsGraphic(r) && r != unicode.ReplacementChar {
			return r
		}
		return -1
	}, s)
}
