package main

import (
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/longtest"
)

const crowdedProgram = `package main

import (
	"runtime"
	"syscall"
	"time"
)

func spin(until time.Time) {
	for time.Now().Before(until) {
	}
}

func main() {
	threads := 4 * runtime.NumCPU()
	runtime.GOMAXPROCS(threads)
	until := time.Now().Add(2 * time.Second)
	for range threads {
		go spin(until)
	}
	spin(until)
	syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
}
`

// TestAKilledProgramWaitedForAProcessor: its threads are more than the processors, so they wait for each other, and the
// report says so although the program could not.
func TestAKilledProgramWaitedForAProcessor(t *testing.T) {
	longtest.Skip(t)
	defer func(every time.Duration) { lookEvery = every }(lookEvery)
	lookEvery = 10 * time.Millisecond
	module := inModule(t, map[string]string{"main.go": crowdedProgram})
	status, stderr := launched(t, module, "run", ".")
	words := strings.Join(strings.Fields(stderr), " ")
	if status != 128+9 || !strings.Contains(words, "waited for a processor at least ") {
		t.Errorf("status %d; want 137, and how long the program waited for a processor:\n%s", status, stderr)
	}
}
