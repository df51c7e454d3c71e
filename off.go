//go:build iprof_off

package iprof

import (
	"io"
	"time"

	"example.com/iprof/internal/hostwriter"
	"example.com/iprof/process/report"
)

// Begin does nothing: this program was built with the tag iprof_off.
func Begin(name string) Scope { return Scope{} }

// Func does nothing: this program was built with the tag iprof_off.
func Func() Scope { return Scope{} }

// Each writer below writes in its own format that the profiler is compiled out. So programs with iprof_off link neither
// reports nor fonts.

func write(w io.Writer, s string) error {
	_, err := io.WriteString(w, s)
	return err
}

// WriteText writes that the profiler is compiled out.
func WriteText(w io.Writer) error { return write(w, report.CompiledOut+"\n") }

// WriteVerdict writes that the profiler is compiled out.
func WriteVerdict(w io.Writer) error { return write(w, report.CompiledOut+"\n") }

// WriteTree writes that the profiler is compiled out.
func WriteTree(w io.Writer) error { return write(w, report.CompiledOut+"\n") }

// WriteJSON writes a dump that has only a warning.
func WriteJSON(w io.Writer) error {
	return write(w, `{"format":"iprof","version":2,"warnings":["`+report.CompiledOut+
		`"],"zones":[],"merged":[],"lanes":[],"history":[]}`+"\n")
}

// WriteHTML writes a page that says that the profiler is compiled out.
func WriteHTML(w io.Writer) error {
	return write(w, "<!DOCTYPE html><meta charset=utf-8><title>iprof</title><p>"+report.CompiledOut+"\n")
}

// LogEvery writes once that the profiler is compiled out.
func LogEvery(w io.Writer, interval time.Duration, zones ...*Zone) (stop func()) {
	writeZones(w)
	return func() {}
}

// writeZones writes that the profiler is compiled out, in place of the table of WriteOnExit. A panic of the writer must
// not replace a panic that ends the program, and a slow writer must not delay the end for long.
func writeZones(w io.Writer) {
	if w != nil {
		hostwriter.Do(w, func(w io.Writer) { _ = write(w, report.CompiledOut+"\n") })
	}
}
