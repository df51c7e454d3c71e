package desk

import (
	"os"

	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/progress"
)

// openFile opens a capture. A file of another tool, or a pipe, becomes a capture in a file without a name, which the
// tab keeps open. It calls say while it reads a large one.
func (t *Tab) openFile(path string, say progress.Func) (*os.File, error) {
	file, imported, err := importer.Open(path, importer.Frames{Limits: t.budget, Progress: say})
	if err == nil && (imported != nil || !importer.Reopens(path)) {
		t.imported = file
	}
	if imported != nil {
		note := "imported"
		if line := imported.Line(); line != "" {
			note = "imported; " + line
			printed.To(os.Stderr).Printf("%s: %s: %s\n", t.viewer, path, line)
		}
		t.panel.Note(note)
	}
	if err == nil && t.set != "" {
		return t.setIn(file)
	}
	return file, err
}

// closeRead closes a file that has been read, unless the tab keeps it.
func (t *Tab) closeRead(file *os.File) {
	if file != t.imported {
		file.Close()
	}
}

func closeImported(file *os.File) {
	if file != nil {
		file.Close()
	}
}
