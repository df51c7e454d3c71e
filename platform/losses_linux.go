package platform

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// tick is the step of /proc/stat (USER_HZ), which is 100 a second on all processors that Go supports.
const tick = 10 * time.Millisecond

// Read returns the losses since the previous call. The first call returns zero. It reads some files of the system,
// which takes tens of microseconds.
func (m *LossMeter) Read() (l Losses) {
	if !m.known {
		m.files = m.quotaFiles()
	}
	stolen, quota := m.readStolen(), m.readThrottled()
	if m.known {
		l = Losses{mostGrown(m.stolen, stolen), mostGrown(m.quota, quota)}
	}
	m.known, m.stolen, m.quota = true, stolen, quota
	return l
}

// readStolen returns the stolen time of each processor, in the order of /proc/stat.
func (m *LossMeter) readStolen() (all []time.Duration) {
	const stealField = 8 // number of the field after the name, from 1: see proc(5)
	data, err := readFile(m.root + "/proc/stat")
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(data) {
		if !bytes.HasPrefix(line, []byte("cpu")) {
			break
		}
		if line[3] == ' ' { // the sum of all processors
			continue
		}
		field, rest := firstField(line)
		for range stealField {
			field, rest = firstField(rest)
		}
		if len(field) > 0 {
			n, _ := strconv.ParseUint(string(field), 10, 40)
			all = append(all, time.Duration(n)*tick)
		}
	}
	return all
}

// firstField cuts the first word from a line. bytes.Fields would be 2 kB of every program.
func firstField(line []byte) (field, rest []byte) {
	line = bytes.TrimLeft(line, " \t\n")
	for at, c := range line {
		if c == ' ' || c == '\t' || c == '\n' {
			return line[:at], line[at:]
		}
	}
	return line, nil
}

// readThrottled returns the throttled time of each control group around the program.
func (m *LossMeter) readThrottled() (all []time.Duration) {
	for _, file := range m.files {
		data, _ := readFile(file)
		var took time.Duration
		for line := range bytes.Lines(data) {
			name, rest := firstField(line)
			number, rest := firstField(rest)
			if more, _ := firstField(rest); len(number) == 0 || len(more) > 0 {
				continue
			}
			n, _ := strconv.ParseInt(string(number), 10, 52)
			switch string(name) {
			case "throttled_usec": // version 2
				took = time.Duration(n) * time.Microsecond
			case "throttled_time": // version 1
				took = time.Duration(n)
			}
		}
		all = append(all, took)
	}
	return all
}

// quotaFiles returns the files with the throttled time: see cgroups(7). In a container the paths may be the host's
// paths, of which only the innermost folder is visible.
func (m *LossMeter) quotaFiles() (files []string) {
	groups, _ := readFile(m.root + "/proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		kinds, path, found := strings.Cut(rest, ":")
		folder := "/sys/fs/cgroup"
		if kinds != "" {
			folder = "/sys/fs/cgroup/cpu"
			found = found && strings.Contains(","+kinds+",", ",cpu,")
		}
		if found {
			files = m.appendAbove(files, folder, strings.TrimRight(path, "/"))
		}
	}
	return files
}

// appendAbove appends the files of a group and of the groups around it. The path of a group outside the namespace
// begins with ".."; only its outermost folder is visible.
func (m *LossMeter) appendAbove(files []string, folder, group string) []string {
	if strings.Contains(group, "/..") {
		group = ""
	}
	for {
		file := m.root + folder + group + "/cpu.stat"
		if _, err := readFile(file); err == nil {
			files = append(files, file)
		}
		above := strings.LastIndexByte(group, '/')
		if above < 0 {
			return files
		}
		group = group[:above]
	}
}
