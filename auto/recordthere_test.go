package auto_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

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

//go:noinline
func plain(n int) int {
	s := 0
	for i := range n {
		s += i ^ n
	}
	return s
}

func timed(f func(int) int, n, round int) time.Duration {
	start := time.Now()
	for range round {
		f(n)
	}
	return time.Since(start)
}

// Zones in the standard library call the profiler through go:linkname. These are as the command iprof writes them;
// TestZonesOfTheStandardLibraryHaveTheLayoutOfOthers in internal/instrument notices when they no longer fit.

type iprofZone struct {
	Name string
	Idle bool
	_    bool
	_    uint8
	_    [13]byte
}

//go:linkname iprofOff example.com/iprof/internal/measure.off
var iprofOff uint32

//go:linkname iprofBegin example.com/iprof/internal/measure.(*Zone).Begin
func iprofBegin(*iprofZone) unsafe.Pointer

//go:linkname iprofEnd example.com/iprof/internal/measure.Scope.End
func iprofEnd(unsafe.Pointer)

//go:norace
func iprofLive(*iprofZone) bool { return iprofOff == 0 }

var (
	linked = [1]iprofZone{{Name: "linked"}}
	direct = [1]auto.Zone{{Name: "direct"}}
)

//go:noinline
func measuredLinked(n int) int {
	if iprofLive(&linked[0]) {
		defer iprofEnd(iprofBegin(&linked[0]))
	}
	return plain(n)
}

//go:noinline
func measuredDirect(n int) int {
	if direct[0].Live() {
		defer direct[0].Begin().End()
	}
	return plain(n)
}

// BenchmarkStd measures how much longer a function takes with a zone in the form for the standard library (linked) and
// in the form for other packages (direct): extra-ns/op. They take turns, and the medians count.
//
//	go test -run - -bench Std -count 5 ./auto
func BenchmarkStd(b *testing.B) {
	const n, round = 4, 10_000
	if measuredLinked(n) != plain(n) || measuredDirect(n) != plain(n) {
		b.Fatal("the zone changes the function")
	}
	var linked, direct []float64
	for b.Loop() {
		base := timed(plain, n, round)
		linked = append(linked, float64(timed(measuredLinked, n, round)-base)/round)
		direct = append(direct, float64(timed(measuredDirect, n, round)-base)/round)
	}
	slices.Sort(linked)
	slices.Sort(direct)
	b.ReportMetric(linked[len(linked)/2], "linked-extra-ns/op")
	b.ReportMetric(direct[len(direct)/2], "direct-extra-ns/op")
}
