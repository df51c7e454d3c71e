package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/importer"
)

// openFile opens a capture. A file in Chrome's trace event format becomes a capture in a file without a name, which the
// tab keeps open.
func (t *tab) openFile(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	var begin [1]byte
	if _, err = file.ReadAt(begin[:], 0); err != nil || begin[0] != '{' && begin[0] != '[' {
		return file, nil // whoever reads it finds the error, too
	}
	defer file.Close()
	if t.imported, err = imported(file, path); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t.panel.Note("imported: the format has no frame budget and no heap; frames not named there are 16.7 ms")
	return t.imported, nil
}

// imported returns a capture of a file in Chrome's format.
func imported(in io.Reader, program string) (*os.File, error) {
	trace, err := importer.Chrome(in)
	if err != nil {
		return nil, err
	}
	out, err := os.CreateTemp("", "glviewer-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(out.Name()) // Windows refuses that until it is closed
	w := capture.NewWriter(out, capture.Info{Program: program, GoVersion: "not known", Machine: "not known"})
	_, err = trace.Write(importer.Frames{Every: time.Second / 60}, func(t *importer.Trace) { w.TakeEvents(t) },
		w.WriteFrame)
	if err = errors.Join(err, w.Close()); err == nil {
		_, err = out.Seek(0, io.SeekStart)
	}
	if err != nil {
		closeImported(out)
		return nil, err
	}
	return out, nil
}

// closeRead closes a file that has been read, unless the tab keeps it.
func (t *tab) closeRead(file *os.File) {
	if file != t.imported {
		file.Close()
	}
}

func closeImported(file *os.File) {
	if file != nil {
		_ = file.Close()
		_ = os.Remove(file.Name())
	}
}
