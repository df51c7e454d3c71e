// Package pprof has another name for export.Pprof.
//
// Deprecated: use package export.
package pprof

import (
	"io"

	"example.com/iprof/export"
	"example.com/iprof/process"
)

// Write writes a profile: see export.Pprof.
//
// Deprecated: use export.Pprof.
func Write(w io.Writer, d *process.Dump) error { return export.Pprof(w, d) }
