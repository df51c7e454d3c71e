//go:build !iprof_off

package process_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Waits of all goroutines stand beside the length of a frame from 5 % of it on.
func TestWaitsOfAllGoroutinesStandBesideTheLength(t *testing.T) {
	for name, c := range map[string]struct {
		queue, locks time.Duration
		want         string
	}{
		"both": {time.Millisecond, 12300 * time.Microsecond, "runnable ~1.0 · locks ~12.3 ms"},
		"one":  {0, 2 * time.Millisecond, "locks ~2.0 ms"},
		"at once": {1550 * 16 * time.Millisecond, 12 * 16 * time.Millisecond,
			"runnable ~1550 · locks ~12 goroutines"},
		"a few":      {2 * time.Millisecond, 40 * time.Millisecond, "runnable ~2.0 ms · locks ~2.5 goroutines"},
		"the most":   {40 * time.Hour, 8 * time.Millisecond, "runnable ~9000000 goroutines · locks ~8.0 ms"},
		"below 5 %":  {780 * time.Microsecond, 790 * time.Microsecond, ""},
		"none":       {0, 0, ""},
		"only these": {820 * time.Microsecond, 790 * time.Microsecond, "runnable ~0.8 ms"},
	} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			for i := range uint64(20) {
				f := gpuFrame(i, 16, 8)
				f.Memory.RunQueue, f.Memory.LockWait = c.queue, c.locks
				write(t, s, f)
			}
			for _, v := range []report.View{{Average: report.AverageInstant}, {Average: report.AverageLong},
				{Lens: report.Lens{Kind: report.LensAll}}} {
				var r report.Report
				s.View().AppendReportOf(&r, v)
				if got := string(r.Frame.AppendWaits(nil)); got != c.want {
					t.Errorf("got %q; want %q", got, c.want)
				}
				want := "  all goroutines"
				if c.want != "" {
					want += "  " + strings.ReplaceAll(c.want, " · ", ", ")
				}
				if !strings.HasSuffix(r.Title, want) {
					t.Errorf("got the title %q; want it to end with %q", r.Title, want)
				}
			}
			if got := s.AppendFrames(nil, 1)[0].Waited(); got != (c.want != "") {
				t.Errorf("got %t from the frame", got)
			}
		})
	}
}

// The time that goroutines had no processor, and that they waited for locks, stands beside the length of the frame.
func ExampleFrameInfo_AppendWaits() {
	i := report.FrameInfo{Length: 20, RunQueue: 6.5, LockWait: 1.25}
	fmt.Println(string(i.AppendWaits(nil)))
	i.RunQueue = 20 * 2054 // of a crowd
	fmt.Println(string(i.AppendWaits(nil)))
	i.RunQueue = 0.3 // less than 5 % of the frame
	fmt.Println(string(i.AppendWaits(nil)))
	// Output:
	// runnable ~6.5 · locks ~1.2 ms
	// runnable ~2054 goroutines · locks ~1.2 ms
	// locks ~1.2 ms
}

// A frame with waits that are worth telling.
func ExampleFrameSummary_Waited() {
	fmt.Println((&report.FrameSummary{Length: 20, LockWait: 1}).Waited())
	fmt.Println((&report.FrameSummary{Length: 20, LockWait: 0.5}).Waited())
	// Output:
	// true
	// false
}

// A sum of waits that is longer than the frame says how many goroutines waited at once.
func ExampleWaitingAtOnce() {
	fmt.Println(report.WaitingAtOnce(1_590_000, 774) > 2000) // 26.5 minutes in a frame of 774 ms
	fmt.Println(report.WaitingAtOnce(12, 774))               // short enough to be a time
	// Output:
	// true
	// 0
}

func ExampleAppendGoroutines() {
	fmt.Printf("%s, %s\n", report.AppendGoroutines(nil, 1.44), report.AppendGoroutines(nil, 2054.26))
	// Output: 1.4, 2054
}
