package instrument_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/auto"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// TestRacesAreFoundAsBefore: the race detector reports the same races with zones as without, between goroutines that
// run once, too. It reports none of what the profiler does.
func TestRacesAreFoundAsBefore(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program with the race detector")
	}
	offline(t)
	dir, plain, zoned := copied(t, "races"), t.TempDir(), t.TempDir()
	race := []string{"-race"}
	detector := exec.Command("go", "build", "-race", "-o", os.DevNull, "internal/race")
	if out, err := detector.CombinedOutput(); err != nil {
		t.Skipf("there is no race detector: %s", out)
	}
	build(t, dir, plain, race, nil)
	options := instrument.Options{Flags: race, Frames: instrument.Frames{Routes: true}}
	written := must.Get(planned(t, dir, options).Write())(t)
	build(t, dir, zoned, append(race, written.Flags...), written.Environment)
	for _, mode := range []string{"zones", "starts", "routes", "same", "rests", "asleep", "none"} {
		t.Run(mode, func(t *testing.T) {
			want := races(t, exec.Command(filepath.Join(plain, "races"), mode))
			if got := len(want) > 0; got != (mode != "none") {
				t.Fatalf("without zones: %q", want)
			}
			cmd := exec.Command(filepath.Join(zoned, "races"), mode)
			cmd.Env = append(os.Environ(), auto.Variable+`={"Mute":true,"Lines":true,"Record":"`+
				filepath.ToSlash(filepath.Join(t.TempDir(), "out.iprof"))+`"}`)
			if got := races(t, cmd); !slices.Equal(got, want) {
				t.Errorf("got the races %q; without zones %q", got, want)
			}
		})
	}
}

// races runs a program and returns the lines of its file where the race reports say that races are.
func races(t *testing.T, cmd *exec.Cmd) (lines []string) {
	t.Helper()
	cmd.Env = append(cmd.Environ(), "GORACE=halt_on_error=1 atexit_sleep_ms=0")
	out, _ := cmd.CombinedOutput()
	text := string(out)
	for report := range strings.SplitSeq(text, "==================") {
		if !strings.Contains(report, "DATA RACE") {
			continue
		}
		if strings.Contains(report, "iprof") {
			t.Errorf("the profiler races:\n%s", report)
		}
		for _, part := range strings.Split(report, "\n\n") {
			if line := regexp.MustCompile(`main\.go:\d+`).FindString(part); line != "" {
				lines = append(lines, line)
			}
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}
