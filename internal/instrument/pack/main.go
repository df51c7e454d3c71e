// Command pack writes the sources that the command iprof carries:
//
//	go run ./internal/instrument/pack    # before go build -tags iprof_sources ./cmd/iprof
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"example.com/iprof/internal/instrument"
)

func main() {
	var b bytes.Buffer
	err := instrument.Pack(&b, ".")
	if err == nil {
		err = os.WriteFile(filepath.Join("cmd", "iprof", "sources.zip"), b.Bytes(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}
