// Package must ends a test where something that it needs is an error.
//
//	file := must.Get(os.Create(name))(t)
//	must.Do(t, file.Close())
//
// Only tests may import it. Call its functions on the goroutine of the test.
package must

import (
	"os/exec"
	"testing"
	"time"
)

// Do ends the test if err is not nil.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns a function that ends the test if err is not nil, and else returns the value.
func Get[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return value
	}
}

// Two is Get for two values.
func Two[A, B any](a A, b B, err error) func(testing.TB) (A, B) {
	return func(t testing.TB) (A, B) {
		t.Helper()
		Do(t, err)
		return a, b
	}
}

// Run runs a command and returns what it prints. If it fails, the test ends with that.
func Run(t testing.TB, cmd *exec.Cmd) []byte {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out
}

// Until waits until something is so. After some minutes in which it is not, the test ends.
func Until(t testing.TB, what string, is func() bool) {
	t.Helper()
	const patience = 5 * time.Minute
	for end := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still not so after %v: %s", patience, what)
		}
	}
}
