package must_test

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/iprof/internal/must"
)

// ended is a test that keeps what ended it.
type ended struct {
	testing.TB
	by []any
}

func (e *ended) Helper()           {}
func (e *ended) Fatal(args ...any) { e.by = append(e.by, args...) }

func (e *ended) Fatalf(format string, args ...any) { e.Fatal(fmt.Sprintf(format, args...)) }

// An error ends the test, and no error does not.
func TestErrorsEndTheTest(t *testing.T) {
	one := func(err error) (int, error) { return 1, err }
	two := func(err error) (int, string, error) { return 2, "b", err }
	for _, err := range []error{nil, errors.New("an error")} {
		var e ended
		must.Do(&e, err)
		value := must.Get(one(err))(&e)
		a, b := must.Two(two(err))(&e)
		if value != 1 || a != 2 || b != "b" {
			t.Errorf("%v: got %d, %d and %q; want 1, 2 and b", err, value, a, b)
		}
		if want := map[bool]int{true: 0, false: 3}[err == nil]; len(e.by) != want || want > 0 && e.by[2] != any(err) {
			t.Errorf("%v: got the test ended by %v; want %d times", err, e.by, want)
		}
	}
}

// A command that fails ends the test with what it prints.
func TestFailedCommandsEndTheTest(t *testing.T) {
	var e ended
	if out := must.Run(&e, exec.Command("go", "env", "GOOS")); len(out) == 0 || len(e.by) > 0 {
		t.Errorf("got %q, and the test ended by %v; want the name of a system", out, e.by)
	}
	must.Run(&e, exec.Command("go", "nothing"))
	if len(e.by) != 1 || !strings.Contains(fmt.Sprint(e.by...), "unknown command") {
		t.Errorf("got the test ended by %v; want what the command says", e.by)
	}
}

// Until asks again and again, in a bubble where minutes pass at once.
func TestUntilWaits(t *testing.T) {
	for _, c := range []struct{ asked, ended int }{{3, 0}, {1 << 30, 1}} {
		synctest.Test(t, func(t *testing.T) {
			var e ended
			asked := 0
			within := func() bool { asked++; return asked == c.asked || len(e.by) > 0 }
			must.Until(&e, "the question is answered", within)
			if len(e.by) != c.ended || asked < 3 {
				t.Errorf("got the test ended by %v after %d questions; want %d times", e.by, asked, c.ended)
			}
		})
	}
}
