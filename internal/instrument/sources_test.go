package instrument_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// TestCarriedSourcesSuffice: a program is measured with what the command carries, without a network and without any
// module in the cache.
func TestCarriedSourcesSuffice(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	var sources bytes.Buffer
	must.Do(t, instrument.Pack(&sources, "../.."))
	offline(t)
	t.Setenv("GOMODCACHE", t.TempDir())
	dir := files(t, map[string]string{
		"helper/go.mod": helperMod, "helper/helper.go": helperText, "user/main.go": userText,
		"user/go.mod": "module example.org/user\n\ngo 1.25\n\nrequire example.org/helper v0.0.0\n\n" +
			"replace example.org/helper => ../helper\n",
	})
	measured(t, filepath.Join(dir, "user"), "main", instrument.Options{Sources: sources.Bytes()})
	if entries, err := os.ReadDir(os.Getenv("GOMODCACHE")); err != nil || len(entries) > 1 {
		t.Errorf("the module cache has %d entries, %v; want none but the go command's own folder", len(entries), err)
	}
}
