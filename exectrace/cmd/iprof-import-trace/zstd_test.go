package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime/trace"
	"testing"

	"github.com/klauspost/compress/zstd"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/must"
)

// packed is a file as zstd makes it.
func packed(t *testing.T, file []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := must.Get(zstd.NewWriter(&b))(t)
	w.Write(file)
	must.Do(t, w.Close())
	return b.Bytes()
}

// Execution traces and other files, within the budget.
func TestZstd(t *testing.T) {
	importer.Zstd = unpack
	t.Cleanup(func() { importer.Zstd = nil })
	file := record(t, func(c context.Context) { trace.WithRegion(c, "step", func() {}) })
	to, r, err := save(t, packed(t, file))
	if err != nil || !r.Traced {
		t.Fatal(err, r)
	}
	if got, _, _ := calls(t, to); got["step"] != 1 {
		t.Errorf("got calls %v of a trace", got)
	}
	to, r, err = save(t, packed(t, []byte(`[{"ph":"X","name":"slice","ts":1,"dur":5,"pid":1,"tid":1}]`)))
	if err != nil || r.Traced {
		t.Fatal(err, r)
	}
	if got, _, _ := calls(t, to); got["slice"] != 1 {
		t.Errorf("got calls %v of trace events", got)
	}
	dir := t.TempDir()
	bomb := filepath.Join(dir, "bomb")
	must.Do(t, os.WriteFile(bomb, packed(t, make([]byte, 64<<20)), 0o600))
	o := importer.Frames{Limits: budget.Usual}
	o.Limits.Written = 1 << 20
	if _, err := run(bomb, bomb, filepath.Join(dir, "to"), o); err == nil {
		t.Error("no error of a file that becomes a hundred times as long")
	}
}
