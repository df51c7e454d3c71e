package instrument_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
)

// TestTheHeapIsTheProgramsOwn: what the profiler takes is in no heap column of a run. The oracle is what the program
// counts itself: large objects, which the runtime counts at once. The profiler takes 1.2 MB for each part of the CPU
// profile, and more for what it writes. Package gather has the same test of zones.
func TestTheHeapIsTheProgramsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": heapProgram})
	program := filepath.Join(built(t, dir, planned(t, dir, instrument.Options{})), "user")
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), `IPROF_RUN={"Lines":true,"Record":`+strconv.Quote(record)+`}`)
	out := must.Get(cmd.Output())(t)
	want := must.Get(strconv.Atoi(strings.TrimSpace(string(out))))(t)
	run := must.Get(runreport.Read(record))(t)
	const small = 700 << 10 // what small objects may take: they show when their span is full
	if got := allocated(t, run); got < want || got > want+small {
		t.Errorf("all frames have %d bytes; the program took %d", got, want)
	}
}

// allocated returns the sum of what the JSON of a run has of the heap in its frames.
func allocated(t *testing.T, run *runreport.Run) (bytes int) {
	t.Helper()
	var b strings.Builder
	must.Do(t, run.WriteJSON(&b))
	var got struct {
		History []struct {
			Bytes int `json:"alloc_bytes"`
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil || len(got.History) == 0 {
		t.Fatal(fmt.Errorf("%d frames: %w", len(got.History), err))
	}
	for _, f := range got.History {
		bytes += f.Bytes
	}
	return bytes
}

const heapProgram = `package main

import (
	"fmt"
	"os"
)

var kept [][]byte

const size = 1 << 20

func take(n int) {
	for range n {
		kept = append(kept, make([]byte, size))
	}
	if len(kept) > 1000 {
		fmt.Println("too many")
		os.Exit(1)
	}
}

func spin(n, x int) int {
	for i := range n {
		x = x*31 + i
		if x == 7 {
			x++
		}
	}
	if n < 0 {
		x = spin(n+1, x)
	}
	return x
}

func main() {
	x := 0
	for range 30 { // about 0.9 s of processor time, however many others want it
		take(1)
		x += spin(30_000_000, x)
	}
	if x == 1 {
		os.Exit(1)
	}
	fmt.Println(len(kept) * size)
}
`
