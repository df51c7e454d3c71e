package desk

import (
	"os"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/source"
)

// source returns the function that enters a zone, for the card. Draw calls it. The files of a capture, or of a program
// elsewhere, are read below the folders that -source names only.
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

// folders returns the folders below which the files that the tab's frames name are read, none for all. any is false if
// none is read: the frames are not this program's own, and there is no flag -source.
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

// built returns the time after which no source may have been changed: when the sample was built, or the capture was
// written. It is not known of a program elsewhere.
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
