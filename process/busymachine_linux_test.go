//go:build !iprof_off

package process_test

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// kernelsDelay returns the time that a thread waited for a processor since its start, as the kernel tells.
func kernelsDelay(b *testing.B, thread string) time.Duration {
	text, err := os.ReadFile("/proc/" + thread + "/schedstat")
	if err != nil {
		b.Skip("the kernel does not report run delays")
	}
	n := must.Get(strconv.ParseInt(strings.Fields(string(text))[1], 10, 64))(b)
	return time.Duration(n)
}

// others starts three programs a processor that do nothing but work. They end with the benchmark.
func others(b *testing.B) {
	for range 3 * runtime.NumCPU() {
		c := exec.Command("sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			b.Skip(err)
		}
		b.Cleanup(func() {
			_ = c.Process.Kill()
			_ = c.Wait()
		})
	}
}

var busyMachineZones = [...]gather.Zone{{Name: "physics"}, {Name: "ai"}, {Name: "render"}, {Name: "vsync", Idle: true}}

// besideOthers runs three zones of about 2 ms of work and a wait up to 16 ms.
func besideOthers(sink *uint64) {
	begin := time.Now()
	for i := range busyMachineZones[:3] {
		z := busyMachineZones[i].Begin()
		for range 1_000_000 {
			*sink = *sink*6364136223846793005 + 1442695040888963407
		}
		z.End()
	}
	z := busyMachineZones[3].Begin()
	time.Sleep(max(0, 16*time.Millisecond-time.Since(begin)))
	z.End()
}

// BenchmarkABusyMachine runs frames of 16 ms beside other programs, on a locked thread. It reports the share of the
// late frames of most of which the kernel says that the thread had no processor, in which the verdict names the machine
// first; and the share of late frames with less than a twentieth of that, in which the verdict names it all the same.
//
//	go test -run - -bench ABusyMachine -benchtime 600x ./process
func BenchmarkABusyMachine(b *testing.B) {
	others(b)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	platform.SetClock(nil, 0)
	s, sink := process.NewSession(), uint64(1)
	s.Update()
	most := 0
	named := 0
	little := 0
	wrong := 0
	for b.Loop() {
		begin, before := time.Now(), kernelsDelay(b, "thread-self")
		besideOthers(&sink)
		s.Update()
		away, took := kernelsDelay(b, "thread-self")-before, time.Since(begin)
		if took < 20*time.Millisecond {
			continue
		}
		var v report.Verdict
		machine := s.VerdictOf(&v, 0) && v.Causes[0].Kind == report.CauseAway
		switch {
		case away > took/2:
			if most++; machine {
				named++
			} else {
				b.Logf("away %v of %v: %v", away, took, &v)
			}
		case away < took/20:
			if little++; machine {
				wrong++
			}
		}
	}
	b.ReportMetric(float64(most), "late-by-the-machine")
	b.ReportMetric(report.Share(float64(named), float64(most)), "%named")
	b.ReportMetric(report.Share(float64(wrong), float64(little)), "%wrongly-named")
}
