package instrument

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// goCommand returns a run of the go command in the program's folder. When Options.Context ends, so do the go command
// and the compilers that it has started.
func (o *Options) goCommand(args ...string) *exec.Cmd {
	ctx := o.Context
	if ctx == nil {
		ctx = context.Background()
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = o.Dir
	End(cmd)
	return cmd
}

// End makes the end of a command's context end all processes that the command has started, too.
func End(cmd *exec.Cmd) {
	endGroup(cmd)
	cmd.WaitDelay = 5 * time.Second // a surviving process may keep the output open
}

// command runs the go command in the program's folder and returns its output.
func (o *Options) command(args ...string) ([]byte, error) { return output(o.goCommand(args...)) }

var errNoGo = errors.New("this needs the go command, which is not in PATH: https://go.dev/dl has it")

// output runs a command and returns its output. The error contains its standard error.
func output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errNoGo
	}
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", cmd.Args[1], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
