package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// runName is the name of the only tool that does more than read.
const runName = "run"

// mostOutput is the greatest part of a command's output in an answer, in bytes. It is the end.
const mostOutput = 2500

// endsWithin is how long a command may take to end after it was interrupted. Then it is killed.
const endsWithin = 5 * time.Second

// runArguments are the arguments of the tool run. An agent chooses no command.
type runArguments struct{}

// runHead is the head of an answer of run.
type runHead struct {
	Command named  `json:"command_name"`
	Status  int    `json:"exit_status"`
	Ended   string `json:"ended,omitempty"`
	Seconds number `json:"seconds"`
	Output  output `json:"output_name,omitempty"`
	Left    int    `json:"output_bytes_left_out,omitempty"`
}

// output is text of a command: data, like a name, but longer.
type output string

// MarshalJSON writes the text as one line of printable characters.
func (o output) MarshalJSON() ([]byte, error) { return encode(cut(string(o), mostOutput)) }

// ending keeps the end of what is written.
type ending struct {
	text []byte
	left int // bytes that were not kept
}

func (e *ending) Write(p []byte) (int, error) {
	e.text = append(e.text, p...)
	if more := len(e.text) - mostOutput; more > 0 {
		e.text, e.left = append(e.text[:0], e.text[more:]...), e.left+more
	}
	return len(p), nil
}

// runTool starts the command of the server's command line, and waits until it ends, or is interrupted at the limit of
// time.
func (s *Server) runTool(ctx context.Context, _ *runArguments) (*answer, error) {
	var out ending
	cmd := exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = endsWithin
	begun := time.Now()
	err := cmd.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, fmt.Errorf("run: %w", err)
	}
	head := &runHead{Command: named(cmd.String()), Status: cmd.ProcessState.ExitCode(), Output: output(out.text),
		Seconds: number(time.Since(begun).Seconds()), Left: out.left}
	if head.Status != 0 {
		head.Ended = cmd.ProcessState.String()
	}
	return &answer{head: head, next: []string{"open without a capture: what it has written into the folders"}}, nil
}
