package progress_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.com/iprof/internal/progress"
)

func sized(t *testing.T, bytes int64) *os.File {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err == nil {
		err = file.Truncate(bytes)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func TestEachPercentIsSaidOnce(t *testing.T) {
	file := sized(t, 8<<20)
	var got []int
	in := progress.Reader(file, func(percent int) { got = append(got, percent) })
	for range 2 {
		got = got[:0]
		if _, err := io.Copy(io.Discard, in); err != nil {
			t.Fatal(err)
		}
		if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != progress.Done || got[0] != 1 {
			t.Errorf("got %d", got)
		}
		if _, err := in.(io.Seeker).Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
	}
}

// Nothing is said of them.
func TestSmallFilesAndStreamsAreReadAsTheyAre(t *testing.T) {
	say := func(percent int) { t.Errorf("said %d", percent) }
	small, stream := sized(t, 1<<20), bytes.NewReader(make([]byte, 8<<20))
	for _, in := range []io.Reader{small, stream} {
		if got := progress.Reader(in, say); got != in {
			t.Errorf("%T: got %T", in, got)
		}
	}
	large := sized(t, 8<<20)
	if got := progress.Reader(large, nil); got != io.Reader(large) {
		t.Errorf("without a Func: got %T", got)
	}
}

func ExampleReader() {
	file, err := os.CreateTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	file.Truncate(100 << 20)
	in := progress.Reader(file, func(percent int) {
		if percent%50 == 0 {
			fmt.Printf("%d %%\n", percent)
		}
	})
	io.Copy(io.Discard, in)
	// Output:
	// 50 %
	// 100 %
}
