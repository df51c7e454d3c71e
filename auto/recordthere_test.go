package auto_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/auto"
	"example.com/iprof/internal/must"
)

// A program whose recording is there already runs, keeps the file, and says why it records nothing and what to do.
func TestARecordingThatIsThereStays(t *testing.T) {
	there := filepath.ToSlash(filepath.Join(t.TempDir(), "there.iprof"))
	must.Do(t, os.WriteFile(there, []byte("kept"), 0o600))
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), auto.Variable+`={"Record":"`+there+`"}`)
	var said strings.Builder
	cmd.Stderr = &said
	must.Do(t, cmd.Run())
	if text, err := os.ReadFile(there); err != nil || string(text) != "kept" {
		t.Errorf("got the file %q, %v; want the old one", text, err)
	}
	for _, want := range []string{"iprof: no frame is recorded: ", there, "exists",
		"name another file as Record in IPROF_RUN\n"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("said %q; want %q in it", said.String(), want)
		}
	}
}

var zones = [1]auto.Zone{{Name: "measured"}}

//go:noinline
func plain(n int) int {
	s := 0
	for i := range n {
		s += i ^ n
	}
	return s
}

// measured is plain as the command iprof changes it.
//
//go:noinline
func measured(n int) int {
	if scope := zones[0].Begin(); auto.Opened(scope) {
		defer scope.End()
	}
	s := 0
	for i := range n {
		s += i ^ n
	}
	return s
}

// BenchmarkMuted measures how much longer a function takes with a zone that is muted or switched off: extra-ns/op, at
// most 6 and 2. The calls with and without the zone take turns, and the median of the differences counts.
//
//	go test -run - -bench Muted -count 5 ./auto
func BenchmarkMuted(b *testing.B) {
	const n = 4
	if plain(n) != measured(n) {
		b.Fatal("the zone changes the function")
	}
	for _, state := range []struct {
		name string
		set  func(bool)
	}{
		{"state=muted", func(on bool) { zones[0].SetMuted(on) }},
		{"state=off", func(on bool) { iprof.SetRecording(!on) }},
	} {
		b.Run(state.name, func(b *testing.B) {
			state.set(true)
			defer state.set(false)
			iprof.Update()
			const round = 10_000
			var extra []float64
			for b.Loop() {
				extra = append(extra, float64(timed(measured, n, round)-timed(plain, n, round))/round)
			}
			slices.Sort(extra)
			b.ReportMetric(extra[len(extra)/2], "extra-ns/op")
		})
	}
}

func timed(f func(int) int, n, round int) time.Duration {
	start := time.Now()
	for range round {
		f(n)
	}
	return time.Since(start)
}
