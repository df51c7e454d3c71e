//go:build iprof_sources

package main

import (
	_ "embed"
)

// carried are the profiler's sources: make build and make release write the file before they build this command.
//
//go:embed sources.zip
var carried []byte

func init() { sources = carried }
