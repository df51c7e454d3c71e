package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/scratch"
)

// Viewer is the viewer's program for a browser.
type Viewer struct {
	Program []byte // WebAssembly, gzipped
	Script  []byte // Go's, which starts it
}

// Builder builds the viewer's program with the user's Go, once for each version of its sources and of Go.
type Builder struct {
	Module string       // folder of the sources
	Digest string       // of the sources; "": compute it
	Cache  string       // folder of built programs, "" for none
	Say    func(string) // called when a build begins and while it goes on, by one goroutine at a time

	Every time.Duration // between two calls of Say while it builds; 0 means 10 s
}

const program = "./internal/web/wasm"

// The files of the cache.
const (
	programName = "viewer.wasm.gz"
	scriptName  = "wasm_exec.js"
)

// Viewer returns the program, from the cache or new.
func (b *Builder) Viewer(ctx context.Context) (*Viewer, error) {
	dir, err := b.dir(ctx)
	if err != nil {
		return nil, err
	}
	if v := read(dir); b.Cache != "" && v != nil {
		return v, nil
	}
	b.Say(beginning(runtime.GOMAXPROCS(0)))
	stop := b.sayPast()
	v, err := b.build(ctx)
	stop()
	if err != nil {
		return nil, err
	}
	if b.Cache != "" { // a convenience: on errors the next run builds again
		_ = outfile.KeepFolder(dir, map[string][]byte{programName: v.Program, scriptName: v.Script})
	}
	return v, nil
}

// coldBuild is the processor time in seconds of a build with nothing compiled before: of
//
//	GOCACHE=$(mktemp -d) GOOS=js GOARCH=wasm go build -o /dev/null ./internal/web/wasm
const coldBuild = 208

// beginning says how long a build takes at most. Like tools/compile it rounds up to half minutes.
func beginning(processors int) string {
	most := (coldBuild/processors + 29) / 30 * 30
	return fmt.Sprintf("building the viewer for the browser, once for each version: up to %d s on %d processors", most,
		processors)
}

// sayPast says how long the build has taken, time and again until stop.
func (b *Builder) sayPast() (stop func()) {
	ended, all := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(all)
		begin, every := time.Now(), time.NewTicker(cmp.Or(b.Every, 10*time.Second))
		defer every.Stop()
		for {
			select {
			case <-ended:
				return
			case now := <-every.C:
				b.Say(fmt.Sprintf("… %.0f s", now.Sub(begin).Seconds()))
			}
		}
	}()
	return func() {
		close(ended)
		<-all
	}
}

// read returns the viewer in a folder of the cache, nil if it is incomplete.
func read(dir string) *Viewer {
	program, err := os.ReadFile(filepath.Join(dir, programName))
	script, err2 := os.ReadFile(filepath.Join(dir, scriptName))
	if err != nil || err2 != nil {
		return nil
	}
	return &Viewer{program, script}
}

// command returns the go command for a program in a browser.
func (b *Builder) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = b.Module
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	return cmd
}

// dir returns the folder of the cache for these sources and this Go.
func (b *Builder) dir(ctx context.Context) (string, error) {
	out, err := b.command(ctx, "env", "GOVERSION").Output()
	if err != nil {
		return "", fmt.Errorf("the go command, which builds the viewer for the browser, failed: %w", err)
	}
	digest := b.Digest
	if digest == "" {
		if digest, err = b.look(ctx); err != nil {
			return "", err
		}
	}
	key := sha256.Sum256([]byte(digest + " " + strings.TrimSpace(string(out))))
	return filepath.Join(b.Cache, "viewer", hex.EncodeToString(key[:8])), nil
}

// look computes a digest of the program's files.
func (b *Builder) look(ctx context.Context) (string, error) {
	out, err := b.command(ctx, "list", "-deps", "-json=Dir,GoFiles,SFiles,EmbedFiles,Standard", program).Output()
	if err != nil {
		return "", fmt.Errorf("the viewer's sources: %w", cause(err))
	}
	all := sha256.New()
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p struct {
			Dir                         string
			GoFiles, SFiles, EmbedFiles []string
			Standard                    bool
		}
		if err := d.Decode(&p); err != nil {
			return "", err
		}
		if p.Standard {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.SFiles, p.EmbedFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return "", err
			}
			fmt.Fprintf(all, "%s %x\n", name, sha256.Sum256(text))
		}
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// cause adds a command's standard error to its error.
func cause(err error) error {
	if exit := new(exec.ExitError); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return err
}

func (b *Builder) build(ctx context.Context) (*Viewer, error) {
	dir, err := scratch.Folder("iprof")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "viewer.wasm")
	cmd := b.command(ctx, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file, program)
	if _, err := cmd.Output(); err != nil {
		return nil, fmt.Errorf("the viewer for the browser is not built: %w", cause(err))
	}
	root, err := b.command(ctx, "env", "GOROOT").Output()
	if err != nil {
		return nil, cause(err)
	}
	v := &Viewer{}
	for _, folder := range []string{"lib/wasm", "misc/wasm"} {
		from := filepath.Join(strings.TrimSpace(string(root)), folder, "wasm_exec.js")
		if v.Script, err = os.ReadFile(from); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	v.Program, err = zipped(in)
	return v, err
}

func zipped(in io.Reader) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(w, in)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}
