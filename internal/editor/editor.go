package editor

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Open opens a file at a line in $VISUAL, else $EDITOR, else code. It does not wait for the editor. The name of the
// file comes from frames, perhaps of a stranger's capture: Open accepts only an absolute path of a file.
func Open(file string, line int) error {
	if info, err := os.Stat(file); !filepath.IsAbs(file) || err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("not a file here: %q", file)
	}
	args := arguments(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "code"), file, line)
	run := exec.Command(args[0], args[1:]...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr // of an editor that runs in the terminal
	if err := run.Start(); err != nil {
		return fmt.Errorf("no editor: set VISUAL: %w", err)
	}
	go func() { _ = run.Wait() }() // the editor shows its own errors
	return nil
}

// arguments returns the command line of an editor. The editor may have arguments of its own, as in "code -n".
func arguments(editor, file string, line int) []string {
	args := strings.Fields(editor)
	if len(args) == 0 {
		args = []string{"code"}
	}
	at := strconv.Itoa(max(line, 1))
	switch strings.TrimSuffix(strings.ToLower(filepath.Base(args[0])), ".exe") {
	case "code", "codium", "cursor", "code-insiders":
		return append(args, "-g", file+":"+at)
	case "subl", "zed", "hx", "helix":
		return append(args, file+":"+at)
	case "idea", "goland":
		return append(args, "--line", at, file)
	case "kate":
		return append(args, "-l", at, file)
	}
	return append(args, "+"+at, file) // as vi, emacs, nano, gedit and most others
}
