package console

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"example.com/iprof/process"
)

// promptWords is the prompt without a page.
const promptWords = "iprof> "

// answer reads lines from in and writes the answers to out, for input and output that are not a terminal. An empty line
// is the command report.
func answer(ctx context.Context, s *process.Session, in io.Reader, out io.Writer) error {
	lines := readLines(in)
	defer lines.stop()
	w := &firstErrorWriter{w: out}
	_ = Command(s, w, "report")
	for {
		io.WriteString(w, promptWords)
		if w.err != nil {
			return fmt.Errorf("console: %w", w.err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, ok := <-lines.text:
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if !ok {
				return lines.err
			}
			if line = strings.TrimSpace(line); isQuit(line) {
				return nil
			}
			if line == "" {
				line = "report"
			}
			_ = Command(s, w, line) // the user reads the error in w, and w keeps its own error
		}
	}
}

func isQuit(line string) bool { return line == "q" || line == "quit" || line == "exit" }

// lineReader reads lines on a goroutine of its own, because a read cannot be cancelled.
type lineReader struct {
	in   io.Reader
	text chan string
	done chan struct{}
	err  error // set before text is closed; nil at the end of input
}

func readLines(in io.Reader) *lineReader {
	l := &lineReader{in: in, text: make(chan string), done: make(chan struct{})}
	go l.run()
	return l
}

func (l *lineReader) run() {
	defer close(l.text)
	scanner := bufio.NewScanner(l.in)
	for scanner.Scan() {
		select {
		case l.text <- scanner.Text():
		case <-l.done:
			return
		}
	}
	if err := scanner.Err(); err != nil {
		l.err = fmt.Errorf("console: %w", err)
	}
}

// stop ends the reading. A reader with deadlines, such as a connection, stops at once; any other stops after its next
// line.
func (l *lineReader) stop() {
	close(l.done)
	deadline, ok := l.in.(interface{ SetReadDeadline(time.Time) error })
	if !ok || deadline.SetReadDeadline(time.Now()) != nil {
		return
	}
	for range l.text {
	}
	_ = deadline.SetReadDeadline(time.Time{})
}

// firstErrorWriter keeps the first error of its writer and writes nothing after it.
type firstErrorWriter struct {
	w   io.Writer
	err error
}

// Write writes p, unless an earlier Write failed.
func (f *firstErrorWriter) Write(p []byte) (n int, err error) {
	if f.err == nil {
		n, f.err = f.w.Write(p)
	}
	return n, f.err
}
