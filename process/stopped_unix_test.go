//go:build unix && !iprof_off

package process_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

var stoppedWork = gather.Zone{Name: "work"}

// stoppedFrames ends frames of 2 ms in the child process, and then one that do makes long. It returns the verdict on
// that one, a few frames later.
func stoppedFrames(do func()) string {
	s := process.Default()
	frame := func(do func()) {
		scope := stoppedWork.Begin()
		do()
		scope.End()
		s.Update()
	}
	s.Update()
	for range 80 {
		frame(func() { time.Sleep(2 * time.Millisecond) })
	}
	frame(do)
	for range 40 { // what stopped the process is known a moment later
		frame(func() { time.Sleep(2 * time.Millisecond) })
	}
	s.Pause()
	var v report.Verdict
	s.VerdictOf(&v, 40)
	return v.String()
}

// child runs this test in a process of its own, and calls do with it when it is in its long frame. It returns the
// verdicts on that.
func child(t *testing.T, what string, do func(*os.Process)) (verdicts []string) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), "IPROF_STOPPED="+what)
	out := must.Get(c.StdoutPipe())(t)
	if err := c.Start(); errors.Is(err, syscall.ENOEXEC) {
		t.Skip("the system cannot start this program: an emulator runs it")
	} else if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "long" {
			do(c.Process)
		}
		if v, ok := strings.CutPrefix(lines.Text(), "verdict "); ok {
			verdicts = append(verdicts, v)
		}
	}
	must.Do(t, c.Wait())
	t.Log(verdicts)
	return verdicts
}

// workUntilStopped works until it was stopped.
func workUntilStopped() {
	fmt.Println("long")
	for last := time.Now(); ; {
		now := time.Now()
		if now.Sub(last) > 300*time.Millisecond {
			return
		}
		last = now
	}
}

// A stop of the process is named without an execution trace. A machine that is busy with other programs may hide a
// stop, so there are ten tries.
func TestAStopOfTheProcess(t *testing.T) {
	if os.Getenv("IPROF_STOPPED") != "" {
		fmt.Println("verdict", stoppedFrames(workUntilStopped))
		return
	}
	for name, c := range map[string]struct{ after, stop time.Duration }{
		"soon":                 {30 * time.Millisecond, 600 * time.Millisecond},
		"late in a long frame": {1500 * time.Millisecond, 1700 * time.Millisecond},
	} {
		var verdicts []string
		for range 10 {
			verdicts = child(t, "worked", func(p *os.Process) {
				time.Sleep(c.after)
				p.Signal(syscall.SIGSTOP)
				time.Sleep(c.stop)
				p.Signal(syscall.SIGCONT)
			})
			if len(verdicts) == 1 && strings.Contains(verdicts[0], "; the process was stopped for ") {
				break
			}
		}
		if len(verdicts) != 1 || !strings.Contains(verdicts[0], "; the process was stopped for ") {
			t.Errorf("%s: got %q; want the stop", name, verdicts)
		}
	}
}

// Ordinary waits are no stops: of three frames that sleep, wait for a child of their own or work for long, one at most
// is taken for one, because the machine may be too busy to let the process run at all. It may be so for long, so there
// are some tries.
func TestOrdinaryWaitsAreNoStops(t *testing.T) {
	if os.Getenv("IPROF_STOPPED") != "" {
		for _, do := range []func(){
			func() { time.Sleep(400 * time.Millisecond) },
			func() { exec.Command("sleep", "0.4").Run() },
			func() {
				for begin := time.Now(); time.Since(begin) < 400*time.Millisecond; {
				}
			},
		} {
			process.Default().Reset()
			fmt.Println("verdict", stoppedFrames(do))
			process.Default().Resume()
		}
		return
	}
	var verdicts []string
	for range 5 {
		if verdicts = child(t, "waited", func(*os.Process) {}); len(verdicts) == 3 && onlyWaited(verdicts) {
			return
		}
	}
	t.Errorf("got %q; want the long work three times, and no stops", verdicts)
}

// onlyWaited reports whether all verdicts name the long work, and one at most a stop.
func onlyWaited(verdicts []string) bool {
	stops := 0
	for _, v := range verdicts {
		if !strings.Contains(v, " work ") {
			return false
		}
		if strings.Contains(v, "stopped") {
			stops++
		}
	}
	return stops <= 1
}

// quotaGroup makes a control group with a tenth of a processor, as a container may have. It returns the file that takes
// the processes of the group.
func quotaGroup(t *testing.T) string {
	for _, c := range []struct{ within, quota, value string }{
		{"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "10000"}, // of a period of 100000
		{"/sys/fs/cgroup", "cpu.max", "10000 100000"},
	} {
		folder := fmt.Sprint(c.within, "/iprof-test-", os.Getpid())
		if os.Mkdir(folder, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { os.Remove(folder) })
		if f, err := os.OpenFile(folder+"/"+c.quota, os.O_WRONLY, 0); err == nil {
			_, err := f.WriteString(c.value)
			if f.Close(); err == nil {
				return folder + "/cgroup.procs"
			}
		}
	}
	t.Skip("no control group can be made here: only root can, outside a container")
	return ""
}

// A frame that needs more than a container's quota is told so, by the kernel's own numbers.
func TestAQuotaIsNamed(t *testing.T) {
	if group := os.Getenv("IPROF_STOPPED"); group != "" {
		must.Do(t, os.WriteFile(group, []byte("0"), 0))
		fmt.Println("verdict", stoppedFrames(func() {
			for begin := time.Now(); time.Since(begin) < 500*time.Millisecond; {
			}
		}))
		return
	}
	const want = "The CPU quota of its container held it for about "
	group, verdicts := quotaGroup(t), []string(nil)
	for range 10 { // the machine may be too busy to let it use its quota
		verdicts = child(t, group, func(*os.Process) {})
		if len(verdicts) == 1 && strings.Contains(verdicts[0], want) {
			return
		}
	}
	t.Errorf("got %q; want %q", verdicts, want)
}
