package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/debug"
	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/extremes"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// extremeCaptures is how many captures TestExtremeNumbers reads: 40, or 1,500 with IPROF_SOAK ("make soak").
func extremeCaptures() uint64 {
	switch {
	case os.Getenv("IPROF_SOAK") != "":
		return 1500
	case testing.Short():
		return 9
	}
	return 40
}

// TestExtremeNumbers shows and exports captures whose numbers lie at the ends of their types by every command: none
// panics, and what is JSON can be parsed.
func TestExtremeNumbers(t *testing.T) {
	captures := 0
	for seed := range extremeCaptures() {
		path := filepath.Join(t.TempDir(), "extreme.iprof")
		file := extremes.Capture(seed)
		must.Do(t, os.WriteFile(path, file, 0o600))
		for name, run := range everyCommand(path, file) {
			runExtreme(t, seed, name, run)
		}
		captures++
	}
	t.Logf("%d captures", captures)
}

// runExtreme runs a command on the capture of a seed.
func runExtreme(t *testing.T, seed uint64, name string, run func(io.Writer) error) {
	t.Helper()
	var out bytes.Buffer
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("capture %d, %s: panic: %v\n%s", seed, name, p, stack())
		}
	}()
	err := run(&out)
	if err != nil && strings.Contains(err.Error(), "json:") {
		t.Errorf("capture %d, %s: %v", seed, name, err)
	}
	if err == nil && strings.Contains(name, "json") && !json.Valid(out.Bytes()) {
		t.Errorf("capture %d, %s: the output is no JSON: %.300s", seed, name, out.Bytes())
	}
}

// everyCommand returns all that shows or exports a capture, by name.
func everyCommand(path string, file []byte) map[string]func(io.Writer) error {
	all := map[string]func(io.Writer) error{}
	shows := map[string]func(io.Writer, *process.Session, *opened) error{"top": top, "tree": tree,
		"frames": slowest, "verdicts": verdicts, "html": page}
	for name, show := range inJSON {
		shows[name+" json"] = show
	}
	for name, show := range shows {
		for _, whole := range []bool{false, true} {
			all[fmt.Sprint(name, whole)] = func(w io.Writer) error {
				s, c, err := open(path)
				if err != nil {
					return err
				}
				c.HasFrame = c.HasFrame && !whole
				return show(w, s, c)
			}
		}
	}
	all["graph"] = func(w io.Writer) error {
		s, c, err := open(path)
		if err != nil {
			return err
		}
		r, err := graphOf(s, "zone a")
		if err != nil {
			return err
		}
		return writeReport(w, s, c, r)
	}
	for name, asJSON := range map[string]bool{"diff": false, "diff json": true} {
		all[name] = func(w io.Writer) error {
			_, err := writeDiff(w, path, path, 5, asJSON)
			return err
		}
	}
	for _, f := range exporter.Formats {
		for i, pick := range []exporter.Selection{{}, {Over: true}, {Slowest: 2}, {Lane: "lane"}, {ByFrame: true}} {
			name := f.Name + " " + strconv.Itoa(i)
			if f.Extension == ".json" {
				name += " json"
			}
			all[name] = func(w io.Writer) error { return f.Write(w, bytes.NewReader(file), &pick) }
		}
	}
	for _, page := range []string{"", "report", "tree", "json", "metrics"} {
		all["serve "+page] = func(w io.Writer) error {
			s, err := served(context.Background(), path)
			if err != nil {
				return err
			}
			r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/debug/iprof/"+page, nil)
			out := httptest.NewRecorder()
			(&debug.Server{Session: s}).Handler().ServeHTTP(out, r)
			_, err = w.Write(out.Body.Bytes())
			return err
		}
	}
	return all
}

// stack is the stack of the calling goroutine.
func stack() []byte {
	b := make([]byte, 8<<10)
	return b[:runtime.Stack(b, false)]
}
