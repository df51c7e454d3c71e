//go:build unix

package web_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/web"
)

// slowGo is a go command whose build waits for a file.
const slowGo = `#!/bin/sh
case "$1 $2" in
"env GOVERSION") echo go1.25 ;;
"env GOROOT") echo "$ROOT" ;;
build*)
	until [ -e "$READY" ]; do sleep 0.01; done
	while [ "$1" != -o ]; do shift; done
	echo program >"$2" ;;
esac
`

// slowly makes slowGo the go command. It returns its folder, and the file for which its build waits.
func slowly(t *testing.T) (bin, ready string) {
	t.Helper()
	bin, root := t.TempDir(), t.TempDir()
	ready = filepath.Join(bin, "ready")
	must.Do(t, os.WriteFile(filepath.Join(bin, "go"), []byte(slowGo), 0o755))
	must.Do(t, os.MkdirAll(filepath.Join(root, "lib", "wasm"), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"), nil, 0o644))
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("ROOT", root)
	t.Setenv("READY", ready)
	return bin, ready
}

// The first line says how long it takes at most, and the next ones how long it has taken. A build from the cache says
// nothing.
func TestABuildSaysHowFarItIs(t *testing.T) {
	bin, ready := slowly(t)
	var lines []string
	b := web.Builder{Module: bin, Digest: "1", Cache: t.TempDir(), Every: time.Millisecond, Say: func(line string) {
		if lines = append(lines, line); len(lines) == 4 {
			_ = os.WriteFile(ready, nil, 0o644)
		}
	}}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := b.Viewer(ctx); err != nil {
		t.Fatal(err)
	}
	said := len(lines)
	const format = "building the viewer for the browser, once for each version: up to %d s on %d processors"
	var most, processors int
	_, err := fmt.Sscanf(lines[0], format, &most, &processors)
	if err != nil || most <= 0 || most%30 != 0 || processors != runtime.GOMAXPROCS(0) {
		t.Errorf("the first line is %q: %v; want half minutes on %d processors", lines[0], err, runtime.GOMAXPROCS(0))
	}
	if rest := strings.Join(lines[1:], "\n"); !regexp.MustCompile(`^(… \d+ s\n){2}… \d+ s(\n|$)`).MatchString(rest) {
		t.Errorf("then got %q; want times", rest)
	}
	if _, err := b.Viewer(ctx); err != nil || len(lines) != said {
		t.Errorf("from the cache: got %v, %q", err, lines[said:])
	}
}

// While the viewer is built, the line that it asks for grows. Before and after that there is none.
func TestAWaitingPageShowsHowFarTheBuildIs(t *testing.T) {
	bin, ready := slowly(t)
	b := web.Builder{Module: bin, Digest: "1", Every: time.Millisecond}
	s := web.New(nil, b.Viewer)
	b.Say = s.Say
	page, _ := servedBy(t, s)
	get := func(name string) string {
		answer, err := http.Get(page + name)
		if err != nil {
			return err.Error()
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		return fmt.Sprint(string(text), err)
	}
	if got := get("building"); got != "<nil>" {
		t.Errorf("before the build: got %q; want nothing", got)
	}
	script := make(chan string, 1)
	go func() { script <- get("wasm_exec.js") }()
	whole := regexp.MustCompile(`^building the viewer .*: up to \d+ s on \d+ processors … \d+ s<nil>$`)
	begin, got := time.Now(), ""
	for !whole.MatchString(got) && time.Since(begin) < patience {
		got = get("building")
	}
	if !whole.MatchString(got) {
		t.Errorf("while it builds: got %q; want how long it takes and has taken", got)
	}
	must.Do(t, os.WriteFile(ready, nil, 0o644))
	if got := <-script; got != "<nil>" {
		t.Errorf("the built script is %q; want an empty one", got)
	}
	if got := get("building"); got != "<nil>" {
		t.Errorf("after the build: got %q; want nothing", got)
	}
}
