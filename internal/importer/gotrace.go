//go:build !js

package importer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"example.com/iprof/internal/beside"
	"example.com/iprof/internal/progress"
)

// reader is the name of the program that reads execution traces of Go, and files compressed with zstd. It belongs to
// module exectrace, because the library that reads traces needs a newer Go than this module.
const reader = "iprof-import-trace"

// byReader makes a capture of a file that the other program reads. That opens the path again, unless it is read only
// once.
func byReader(in *os.File, from string, to *os.File, o Frames) (r Result, err error) {
	stdin := (*os.File)(nil)
	if !Reopens(from) {
		stdin = in
	} else if from, err = filepath.Abs(from); err != nil {
		return r, err
	}
	path, err := findReader()
	if err != nil {
		return r, fmt.Errorf("%s: %w", from, err)
	}
	args := []string{"-json", "-every", o.Every.String(), "-limits", o.Limits.String(), from, "-"}
	if o.Name != "" {
		args = append([]string{"-frame", o.Name}, args...)
	}
	if o.Sample != "" {
		args = append([]string{"-sample", o.Sample}, args...)
	}
	if stdin != nil {
		args = append([]string{"-stdin"}, args...)
	}
	if o.Progress != nil {
		args = append([]string{"-progress"}, args...)
	}
	late := o.Limits.Time + time.Second // the reader reports that itself before
	ctx, cancel := context.WithTimeout(context.Background(), late)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	said := words{progress: o.Progress}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = to, &said, time.Second
	if stdin != nil {
		cmd.Stdin = stdin
	}
	err = cmd.Run()
	said.take()
	if err != nil {
		return r, fmt.Errorf("%s: %s", reader, cause(said.text.String(), err))
	}
	return r, json.Unmarshal(said.text.Bytes(), &r)
}

// ProgressLine is the line that the other program writes for each percentage, with -progress.
const ProgressLine = "%d %%\n"

// words takes the other program's standard error: lines "12 %" with -progress, and other text.
type words struct {
	progress progress.Func
	text     bytes.Buffer
	line     []byte // unfinished line
}

func (w *words) Write(p []byte) (int, error) {
	for _, c := range p {
		if w.line = append(w.line, c); c == '\n' {
			w.take()
		}
	}
	return len(p), nil
}

// take passes on a percentage, and keeps other lines.
func (w *words) take() {
	percent := 0
	if _, err := fmt.Sscanf(string(w.line), ProgressLine, &percent); err == nil && w.progress != nil {
		w.progress(percent)
	} else {
		w.text.Write(w.line)
	}
	w.line = w.line[:0]
}

const readsOthers = "an execution trace of Go, or compressed with zstd"

// findReader returns the absolute path of the program. It starts no compiler.
func findReader() (string, error) {
	path, err := beside.Only(reader)
	if err != nil {
		return "", fmt.Errorf("this is "+readsOthers+". %w, which reads those: in the sources of iprof, make install "+
			"puts it beside iprof and glviewer; or, with Go 1.26, run go build -C exectrace -o %s ./cmd/%[2]s", err,
			reader)
	}
	return path, nil
}

// cause returns the last line that a command has written.
func cause(said string, err error) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return err.Error()
}
