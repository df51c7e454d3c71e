package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadSource(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(file, []byte(strings.Repeat("x\n", 9)+"ten\neleven"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(readSource(file, 10), " "); got != "ten eleven" {
		t.Errorf("from line 10: got %q; want \"ten eleven\"", got)
	}
	if got := readSource(file, 1); len(got) != 11 {
		t.Errorf("from line 1: got %d lines; want 11", len(got))
	}
	for _, none := range [][]string{readSource(file, 12), readSource(file+"x", 1)} {
		if len(none) != 0 {
			t.Errorf("beyond the end, or no file: got %q; want nothing", none)
		}
	}
}
