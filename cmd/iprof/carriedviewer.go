//go:build iprof_viewer

package main

import (
	_ "embed"

	"example.com/iprof/internal/web"
)

// The viewer for the browser: make release writes the files before it builds this command.
var (
	//go:embed viewer.wasm.gz
	carriedProgram []byte
	//go:embed wasm_exec.js
	carriedScript []byte
)

func init() { carriedViewer = &web.Viewer{Program: carriedProgram, Script: carriedScript} }
