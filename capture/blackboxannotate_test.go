package capture_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
)

// annotatedBy returns the only file of a black box whose files a function copies, and what the box logged.
func annotatedBy(t *testing.T, do func(in io.ReadSeeker, out io.Writer) error) (file, log string) {
	t.Helper()
	x := newFlight(t, capture.BlackBoxOptions{After: -1, Annotate: do})
	x.step(time.Millisecond)
	x.box.Trigger("now")
	x.step(time.Millisecond)
	must.Do(t, x.box.Close())
	names, _ := os.ReadDir(x.options.Dir)
	if len(names) != 1 {
		t.Fatalf("got files %v; want one, and no temporary one", names)
	}
	b := must.Get(os.ReadFile(filepath.Join(x.options.Dir, names[0].Name())))(t)
	return string(b), x.log.text()
}

func TestABlackBoxsFileIsTheAnnotatedOne(t *testing.T) {
	plain := ""
	file, log := annotatedBy(t, func(in io.ReadSeeker, out io.Writer) error {
		in.Seek(0, io.SeekStart)
		b, err := io.ReadAll(in)
		plain = string(b)
		io.WriteString(out, "more "+plain)
		return err
	})
	if plain == "" || file != "more "+plain || strings.Contains(log, "without") {
		t.Errorf("got %q, log %q; want what the function wrote of %q", file, log, plain)
	}
	for name, do := range map[string]func(io.ReadSeeker, io.Writer) error{
		"no ink": func(_ io.ReadSeeker, out io.Writer) error {
			io.WriteString(out, "half")
			return errors.New("no ink")
		},
		"it panicked: oh": func(io.ReadSeeker, io.Writer) error { panic("oh") },
	} {
		t.Run(name, func(t *testing.T) {
			file, log := annotatedBy(t, do)
			if _, err := framefile.NewReader(strings.NewReader(file)); err != nil {
				t.Errorf("got %v; want the file as it was", err)
			}
			if !strings.Contains(log, " without annotations: "+name) {
				t.Errorf("got %q; want %q in it", log, name)
			}
		})
	}
}
