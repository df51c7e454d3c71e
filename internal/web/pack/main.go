// Command pack writes the viewer for the browser that the command iprof of a release carries:
//
//	go run ./internal/web/pack    # before go build -tags iprof_viewer ./cmd/iprof
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"example.com/iprof/internal/web"
)

func main() {
	if err := pack(filepath.Join("cmd", "iprof")); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(to string) error {
	cache, err := os.MkdirTemp("", "pack")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	b := web.Builder{Module: ".", Cache: cache, Say: func(string) {}}
	v, err := b.Viewer(context.Background())
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(to, "viewer.wasm.gz"), v.Program, 0o644),
		os.WriteFile(filepath.Join(to, "wasm_exec.js"), v.Script, 0o644))
}
