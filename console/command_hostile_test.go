package console

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/sampledump"
)

// failing fails at the k-th write.
type failing struct{ k int }

var errGone = errors.New("peer gone")

func (f *failing) Write(p []byte) (int, error) {
	if f.k--; f.k <= 0 {
		return 0, errGone
	}
	return len(p), nil
}

func TestFailingWriter(t *testing.T) {
	for _, line := range append(names(), "nonsense", "lane 77", "help mode") {
		if line == "dump-html" {
			continue // in TestDumpHTML
		}
		for k := 1; ; k++ {
			w := &failing{k: k}
			err := Command(replayed(t, 10), w, line)
			if w.k > 0 {
				break // it needs fewer writes
			}
			if !errors.Is(err, errGone) {
				t.Errorf("%s, write %d fails: got %v; want %v", line, k, err, errGone)
			}
		}
	}
}

func FuzzCommand(f *testing.F) {
	for _, name := range names() {
		f.Add(name)
		f.Add(name + " 1")
	}
	for _, name := range sampledump.HostileNames {
		f.Add("select " + name[:min(len(name), 2000)])
	}
	s := replayed(f, 10)
	f.Fuzz(func(t *testing.T, line string) {
		if typed, _, _ := strings.Cut(strings.TrimSpace(line), " "); len(typed) > 0 &&
			strings.HasPrefix("dump-html", strings.ToLower(typed)) {
			return // writes files
		}
		var b bytes.Buffer
		_ = Command(s, &b, line)
		for _, r := range b.String() {
			if r != '\n' && text.Name(string(r)) != string(r) && r != '\\' && r != ' ' {
				t.Fatalf("%q: the answer has %U: %q", line, r, b.String())
			}
		}
	})
}
