package budget_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/must"
)

func TestTheFlagSetsEachLimit(t *testing.T) {
	b := budget.Usual
	must.Do(t, b.Set("memory=2049MB,written=3kB,rate=7MB,frames=5,depth=6,time=1m30s"))
	want := budget.Budget{Memory: 2049 << 20, Written: 3 << 10, Rate: 7 << 20, Frames: 5, Depth: 6,
		Time: 90 * time.Second}
	if b != want {
		t.Errorf("got %+v; want %+v", b, want)
	}
	again := budget.Usual
	if err := again.Set(b.String()); err != nil || again != b {
		t.Errorf("of its own text: got %+v, %v; want %+v", again, err, b)
	}
	for _, bad := range []string{"", "memory", "memory=", "memory=-1", "memory=0", "memory=99999999999999999999GB",
		"memory=9999999999GB", "frames=1.5", "depth=9999999999", "time=5", "time=-1s", "colour=1", "memory=1GB,",
		"frames=1MB"} {
		if before := b; b.Set("depth=7,"+bad) == nil || b != before {
			t.Errorf("%q: got %+v; want an error, and it as it was", bad, b)
		}
	}
}

// raised returns the budget that an error asks for.
func raised(t *testing.T, b budget.Budget, err error) budget.Budget {
	t.Helper()
	var over *budget.Error
	if !errors.As(err, &over) || !strings.Contains(err.Error(), "-limits "+over.Limit) {
		t.Fatalf("got error %v; want one that names the flag", err)
	}
	must.Do(t, b.Set(over.Limit))
	return b
}

// With the limit that an error names, the same goes through.
func TestErrorsNameTheWayOn(t *testing.T) {
	small := budget.Budget{Memory: 1 << 20, Written: 1 << 20, Rate: 1, Frames: 3, Depth: 1, Time: time.Hour}
	for name, use := range map[string]func(a *budget.Account) error{
		"memory":  func(a *budget.Account) error { return a.Hold(1<<20 + 1) },
		"written": func(a *budget.Account) error { return a.Write(1<<20 + 1) },
		"frames":  func(a *budget.Account) error { return errors.Join(a.Frame(), a.Frame(), a.Frame(), a.Frame()) },
		"count":   func(a *budget.Account) error { return a.Frames(4) },
		"writer": func(a *budget.Account) error {
			_, err := a.Writer(io.Discard).Write(make([]byte, 1<<20+1))
			return err
		},
	} {
		err := use(small.File())
		if err = use(raised(t, small, err).File()); err != nil {
			t.Errorf("%s: got %v with the limit raised", name, err)
		}
		if err := use(nil); err != nil {
			t.Errorf("%s: got %v without an account", name, err)
		}
	}
}

// A file's bytes do, those of a program elsewhere do not, and may only come so fast.
func TestWhatIsReadAllowsMore(t *testing.T) {
	b := budget.Budget{Memory: 1000, Written: 1000, Rate: 1, Frames: 1, Depth: 1, Time: time.Hour}
	file := b.File()
	if _, err := io.Copy(io.Discard, file.Reader(bytes.NewReader(make([]byte, 100)))); err != nil {
		t.Fatal(err)
	}
	if file.Hold(1000+100*budget.PerByte) != nil || file.Hold(1) == nil || file.Hold(-1) != nil {
		t.Error("memory: got another limit than 1000 bytes and PerByte for each that was read")
	}
	if file.Write(1000+100*budget.PerByte) != nil || file.Write(1) == nil {
		t.Error("files: got another limit than 1000 bytes and PerByte for each that was read")
	}
	peer := b.Peer()
	if _, err := io.Copy(io.Discard, peer.Reader(bytes.NewReader(make([]byte, 1000)))); err != nil {
		t.Fatal(err)
	}
	if peer.Hold(1001) == nil {
		t.Error("memory: what a program elsewhere sends allows it more")
	}
	n, err := io.Copy(io.Discard, peer.Reader(neverEnding{}))
	if raised(t, b, err).Rate <= b.Rate || n > 1<<20 {
		t.Errorf("of a flood: got %d bytes and %v", n, err)
	}
}

func TestReadingTakesNoLongerThanAllowed(t *testing.T) {
	b := budget.Budget{Memory: 1, Written: 1 << 40, Rate: 1 << 40, Frames: 1, Depth: 1, Time: time.Nanosecond}
	for name, a := range map[string]*budget.Account{"file": b.File(), "peer": b.Peer()} {
		time.Sleep(time.Millisecond)
		_, err := io.Copy(a.Writer(io.Discard), neverEnding{})
		if raised(t, b, err).Time <= b.Time {
			t.Errorf("%s: got %v of a writer", name, err)
		}
		_, err = io.Copy(io.Discard, a.Reader(neverEnding{}))
		if raised(t, b, err).Time <= b.Time {
			t.Errorf("%s: got %v of a reader", name, err)
		}
	}
}

// neverEnding is a stream of zeros.
type neverEnding struct{}

func (neverEnding) Read(p []byte) (int, error) { return len(p), nil }
