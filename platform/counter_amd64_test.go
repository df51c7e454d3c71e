//go:build gc && !purego

package platform

import (
	"os"
	"path/filepath"
	"testing"
)

func TestKernelTrusts(t *testing.T) {
	for content, want := range map[string]bool{"tsc\n": true, "hpet\n": false, "": false} {
		t.Run(content, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "current")
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := kernelTrusts(file); got != want {
				t.Errorf("%q: got %v; want %v", content, got, want)
			}
		})
	}
	if kernelTrusts(filepath.Join(t.TempDir(), "missing")) {
		t.Error("no such file: got trust; want none")
	}
}
