package platform

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/iprof/internal/must"
)

// TestLossesOfAMachine reads the files of machines of its own: control groups of both versions, and none.
func TestLossesOfAMachine(t *testing.T) {
	stat := func(one, two string) string {
		return "cpu  9 0 9 9 0 0 0 99 0 0\ncpu0 1 0 2 3 0 0 0 " + one + " 0 0\ncpu1 1 0 2 3 0 0 0 " + two +
			" 0 0\nintr 1 2 3\n"
	}
	for name, c := range map[string]struct {
		group, file   string
		before, after string // of the file
		want          Losses
	}{
		"without a quota": {"0::/user\n", "/sys/fs/cgroup/user/cpu.stat", "usage_usec 1\n", "usage_usec 2\n",
			Losses{Stolen: 30 * time.Millisecond}},
		"version 2": {"0::/user/app\n", "/sys/fs/cgroup/user/cpu.stat",
			"usage_usec 1\nthrottled_usec 1000\n", "usage_usec 2\nthrottled_usec 43000\n",
			Losses{30 * time.Millisecond, 42 * time.Millisecond}},
		"version 1 in a container": {"4:memory:/x\n3:cpu,cpuacct:/docker/0f\n", "/sys/fs/cgroup/cpu/cpu.stat",
			"throttled_time 5\n", "throttled_time 7000005\n", Losses{30 * time.Millisecond, 7 * time.Millisecond}},
		"nothing to be had": {"", "/elsewhere", "", "", Losses{Stolen: 30 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			m := LossMeter{root: t.TempDir()}
			put := func(file, text string) {
				file = filepath.Join(m.root, file)
				must.Do(t, os.MkdirAll(filepath.Dir(file), 0o700))
				must.Do(t, os.WriteFile(file, []byte(text), 0o600))
			}
			put("/proc/self/cgroup", c.group)
			put("/proc/stat", stat("5", "7"))
			put(c.file, c.before)
			if got := m.Read(); got != (Losses{}) {
				t.Errorf("first: got %+v; want none", got)
			}
			put("/proc/stat", stat("6", "10"))
			put(c.file, c.after)
			if got := m.Read(); got != c.want {
				t.Errorf("got %+v; want %+v", got, c.want)
			}
			if got := m.Read(); got != (Losses{}) {
				t.Errorf("afterwards: got %+v; want none", got)
			}
		})
	}
	lost := LossMeter{root: filepath.Join(t.TempDir(), "none")}
	if lost.Read(); lost.Read() != (Losses{}) {
		t.Error("without files: got losses; want none")
	}
}
