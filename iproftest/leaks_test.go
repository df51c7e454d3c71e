package iproftest_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/internal/leaks"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/iproftest"
)

// leaving is a test that takes notes.
type leaving struct {
	testing.TB
	cleanups []func()
	errors   []string
}

func (l *leaving) Helper()          {}
func (l *leaving) Cleanup(f func()) { l.cleanups = append(l.cleanups, f) }
func (l *leaving) Errorf(format string, args ...any) {
	l.errors = append(l.errors, fmt.Sprintf(format, args...))
}

// end runs the functions of Cleanup, the last one first.
func (l *leaving) end() []string {
	for i := len(l.cleanups) - 1; i >= 0; i-- {
		l.cleanups[i]()
	}
	return l.errors
}

// A goroutine that a test leaves fails it, with its go statement and its wait. One that began before, or that ends
// after the test, does not.
func TestNoLeaksNamesTheGoStatement(t *testing.T) {
	longtest.Skip(t) // NoLeaks waits two seconds for goroutines to end
	stop, gone := make(chan int), make(chan int)
	go func() { <-stop }()
	left := &leaving{TB: t}
	iproftest.NoLeaks(left)
	for range 3 {
		go func() { stop <- 1 }()
	}
	go func() { <-gone }()
	left.Cleanup(func() { close(gone) })
	got := left.end()
	for range 2 { // one of them met the goroutine that began before
		<-stop
	}
	if len(got) != 1 || !strings.HasPrefix(got[0], "iproftest: goroutines were left by iproftest_test."+
		"TestNoLeaksNamesTheGoStatement leaks_test.go:") || !strings.Contains(got[0], ": 2 alive, ") ||
		!strings.Contains(got[0], "all wait in chan send at leaks_test.go:") {
		t.Errorf("got %q; want the go statement of two goroutines, and their wait", got)
	}
}

// A test whose goroutines have ended passes at once.
func TestNoLeaksPasses(t *testing.T) {
	clean, stop := &leaving{TB: t}, make(chan int)
	iproftest.NoLeaks(clean)
	go func() { <-stop }()
	stop <- 1
	if got := clean.end(); len(got) > 0 {
		t.Errorf("got %q; want nothing left", got)
	}
}

// Go's own search tells goroutines that nothing can wake.
func TestNoLeaksKnowsWhatNothingWakes(t *testing.T) {
	longtest.Skip(t) // NoLeaks waits two seconds
	if !leaks.Search() {
		t.Skip("Go has a search for leaks with GOEXPERIMENT=goroutineleakprofile only")
	}
	left := &leaving{TB: t}
	iproftest.NoLeaks(left)
	go func() { <-make(chan int) }()
	if got := left.end(); len(got) != 1 || !strings.Contains(got[0], ": 1 alive, 1 leaked, it waits in chan receive") {
		t.Errorf("got %q; want one goroutine that is leaked", got)
	}
}

func ExampleNoLeaks() {
	t := &leaving{} // a test gives its t
	iproftest.NoLeaks(t)
	done := make(chan bool)
	go func() { done <- true }()
	<-done
	fmt.Println(t.end())
	// Output: []
}
