package console

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/must"
)

func TestTerminalAnswersLines(t *testing.T) {
	s := replayed(t, 20)
	var out strings.Builder
	must.Do(t, Terminal(context.Background(), s, strings.NewReader("mode 5\nnonsense\n\nquit\npause\n"),
		&out))
	got := out.String()
	for _, want := range []string{"sort self", "iprof> mode calltree\n", "no command \"nonsense\"", "  tree  "} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %q in\n%s", want, got)
		}
	}
	if s.Paused() {
		t.Error("it went on after quit")
	}
	if strings.Contains(got, "\x1b") {
		t.Errorf("got escape sequences for what is no terminal: %q", got)
	}
}

func TestTerminalEndsWithItsInput(t *testing.T) {
	if err := Terminal(context.Background(), replayed(t, 3), strings.NewReader("pause"), io.Discard); err != nil {
		t.Errorf("got %v; want no error at the end of input", err)
	}
	torn := errors.New("torn")
	if err := Terminal(context.Background(), replayed(t, 3),
		io.MultiReader(strings.NewReader("pause\n"), failingReader{torn}), io.Discard); !errors.Is(err, torn) {
		t.Errorf("got %v; want %v", err, torn)
	}
}

type failingReader struct{ err error }

func (f failingReader) Read([]byte) (int, error) { return 0, f.err }

func TestTerminalEndsWithItsOutput(t *testing.T) {
	for k := 1; k < 4; k++ {
		err := Terminal(context.Background(), replayed(t, 3), strings.NewReader("pause\nresume\n"), &failing{k: k})
		if !errors.Is(err, errGone) {
			t.Errorf("write %d fails: got %v; want %v", k, err, errGone)
		}
	}
}

// Nothing is typed, and the program ends the page: at once, and the connection can still be read from.
func TestTerminalEndsWithItsContext(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	go io.Copy(io.Discard, theirs)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := Terminal(ctx, replayed(t, 3), ours, ours); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v; want %v", err, context.Canceled)
	}
	go theirs.Write([]byte("x"))
	if n, err := ours.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("reading afterwards: got %d, %v; want the byte", n, err)
	}
}
