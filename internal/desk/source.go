package desk

import (
	"os"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/source"
)

// source returns the function that enters a zone, for the card. Draw calls it. It reads files named by a capture or a
// remote program only below the folders of the flag -source.
func (t *Tab) source(zone gather.ZoneInfo) *report.Code {
	roots, any := t.folders()
	if !any {
		return &report.Code{Function: report.FunctionName(zone.Function),
			Why: t.viewer + " -source DIR shows the sources below a folder"}
	}
	if t.sources == nil {
		t.sources = source.NewReader(t.built(), roots...)
	}
	return t.sources.Code(zone)
}

// folders returns the folders that may hold the source files named by the tab's frames; an empty list allows every
// folder. any is false if no file may be read: the frames are another program's, and there is no flag -source.
func (t *Tab) folders() (roots []string, any bool) {
	if t.link == nil && t.path == "" {
		return nil, true
	}
	return t.roots, len(t.roots) > 0
}

// mayOpen reports whether an editor may open a file that the tab's frames name.
func (t *Tab) mayOpen(file string) bool {
	roots, any := t.folders()
	return any && source.Local(file, roots...)
}

// built returns the time of the sample's build or of the capture: a source file changed later does not match. The time
// is unknown for a remote program.
func (t *Tab) built() time.Time {
	switch {
	case t.link != nil:
		return time.Time{}
	case t.path == "":
		return source.Built()
	}
	info, err := os.Stat(t.path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
