package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/web"
)

// TestTheFullPageHasTheCapture: also without Go, where the viewer is carried.
func TestTheFullPageHasTheCapture(t *testing.T) {
	t.Setenv("PATH", "")
	path, out := recorded(t), filepath.Join(t.TempDir(), "full.html")
	if got := named("html")([]string{"-full", "-o", out, path}); got != 1 {
		t.Errorf("without a viewer: got status %d; want 1", got)
	}
	carriedViewer = &web.Viewer{Program: []byte("program"), Script: []byte("'script'")}
	defer func() { carriedViewer = nil }()
	if got := named("html")([]string{"-full", "-o", out, path}); got != 0 {
		t.Fatalf("got status %d; want 0", got)
	}
	page := must.Get(os.ReadFile(out))(t)
	block := func(id string) []byte {
		found := regexp.MustCompile(`(?s) id="` + id + `">(.*?)</script>`).FindSubmatch(page)
		if found == nil {
			t.Fatalf("no %s in\n%.500s", id, page)
		}
		data := must.Get(base64.StdEncoding.DecodeString(string(found[1])))(t)
		return data
	}
	z := must.Get(gzip.NewReader(bytes.NewReader(block("capture"))))(t)
	got, err := io.ReadAll(z)
	if want, _ := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, %v; want the %d of the capture", len(got), err, len(want))
	}
	if string(block("program")) != "program" || !strings.Contains(string(page), "<script>'script'</script>") ||
		strings.Contains(string(page), " src=") {
		t.Errorf("want program and script in the page, and nothing elsewhere:\n%.2000s", page)
	}
	if shown, _ := asIprof(t, filepath.Dir(path), "html", path); strings.Contains(shown, `id="capture"`) {
		t.Error("without -full: want the page without the viewer")
	}
}
