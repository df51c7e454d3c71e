//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// deepCapture is a small capture with so many zones in one another, each with time.
func deepCapture(t *testing.T, depth, frames int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "deep.iprof")
	out := must.Get(os.Create(path))(t)
	w := framefile.NewWriter(out, framefile.Info{Program: "deep"})
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: strings.Repeat("deep", 16)}}
	nodes := []gather.Node{{Parent: -1, Self: 1000}}
	for i := range depth {
		nodes = append(nodes, gather.Node{Self: 1000, ID: gather.NodeID(i + 1), Zone: 1, Parent: int32(i),
			Depth: int32(i), Count: 1})
	}
	length := platform.Ticks(1000 * len(nodes))
	for i := range frames {
		begin := platform.Ticks(i) * length
		f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + length, TicksPerSecond: 1e9, Zones: zones,
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: begin, End: begin + length,
				Nodes: nodes}}}
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, errors.Join(w.Close(), out.Close()))
	return path
}

// profileBomb is a small profile of so many samples, which compress well.
func profileBomb(t *testing.T, samples int) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	field := func(number uint64, part []byte) []byte {
		return append(binary.AppendUvarint(binary.AppendUvarint(nil, number<<3|2), uint64(len(part))), part...)
	}
	text := append(field(6, nil), append(field(6, []byte("wall")), field(6, []byte("nanoseconds"))...)...)
	_, _ = z.Write(append(text, field(1, []byte{1 << 3, 1, 2 << 3, 2})...))
	sample := bytes.Repeat(field(2, []byte{1<<3 | 2, 1, 1, 2<<3 | 2, 1, 1}), 1000)
	for range samples / 1000 {
		_, _ = z.Write(sample)
	}
	must.Do(t, z.Close())
	path := filepath.Join(t.TempDir(), "bomb.pb.gz")
	write(t, path, b.String())
	return path
}

// longTrace is a small file of Chrome's format that lasts for years, with so many threads.
func longTrace(t *testing.T, threads int) string {
	t.Helper()
	var b strings.Builder
	for i := range threads {
		fmt.Fprintf(&b, `,{"ph":"X","name":"a","ts":0,"dur":83000000000,"tid":%d}`, i)
	}
	path := filepath.Join(t.TempDir(), "long.json")
	write(t, path, "["+b.String()[1:]+"]")
	return path
}

// mostOfBombs bounds what a bomb may take in memory and on disk, which budget.Usual says.
const mostOfBombs = 400 << 20

// costs runs iprof, and returns what it printed, how much memory it took at most, and the largest file that it wrote.
func costs(t *testing.T, words ...string) (text string, memory, written int64) {
	t.Helper()
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], words...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asMain+"=1", "TMPDIR="+dir)
	var out bytes.Buffer
	cmd.Stderr = &out
	_ = cmd.Run() // an error that names the limit is as good
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			written = max(written, info.Size())
		}
	}
	if ctx.Err() != nil {
		t.Errorf("iprof %q did not end", words)
	}
	memory = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	return out.String(), memory, written
}

// Small files take little memory and make no large files. Either they are read, with what is too deep counted, or the
// error names the limit and the flag that raises it.
func TestBombs(t *testing.T) {
	deep, wide, years := deepCapture(t, 20_000, 3), deepCapture(t, 1_500, 30), longTrace(t, 1)
	bombs := []struct{ line, says string }{
		{"export -format pprof -o out " + deep, "deeper than 1000 zones"},
		{"export -format pprof -frames all -o out " + deep, "deeper than 1000 zones"},
		{"export -limits depth=30000,written=20MB -format csv -o out " + wide, "written="},
		{"top " + years, "frames of 1s"},
		{"import " + years + " out", "frames of 1s"},
		{"import -every 16ms " + years + " out", "frames="},
	}
	if !testing.Short() {
		profile, threads := profileBomb(t, 3_000_000), longTrace(t, 12)
		bombs = append(bombs, []struct{ line, says string }{
			{"diff " + profile + " " + profile, ""},
			{"export -format folded -o out " + deep, "deeper than 1000 zones"},
			{"export -format csv -o out " + deep, "deeper than 1000 zones"},
			{"export -limits depth=30000 -format csv -o out " + deep, "written="},
			{"top " + threads, "frames of 1s"},
			{"import -limits frames=9000000 -every 16ms " + threads + " out", "written="},
		}...)
	}
	for _, test := range bombs {
		text, memory, written := costs(t, strings.Fields(test.line)...)
		t.Logf("%s: %d MB of memory, a file of %d MB, %.200s", test.line, memory>>20, written>>20, text)
		if memory > mostOfBombs || written > mostOfBombs || !strings.Contains(text, test.says) {
			t.Errorf("iprof %s: got %d MB of memory, a file of %d MB, and %q; want %q, and at most %d MB", test.line,
				memory>>20, written>>20, text, test.says, mostOfBombs>>20)
		}
	}
}

// Files that are being made have no names where they are temporary, so that no end leaves any.
func TestNothingIsLeftBehind(t *testing.T) {
	dir, trace := t.TempDir(), longTrace(t, 300)
	cmd := exec.Command(os.Args[0], "top", "-limits", "frames=100000000,written=100GB", trace)
	cmd.Env = append(os.Environ(), asMain+"=1", "TMPDIR="+dir)
	must.Do(t, cmd.Start())
	defer cmd.Wait()
	for end := time.Now().Add(5 * time.Minute); !holdsAFile(cmd.Process.Pid) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal("it ended before it was killed")
	}
	_ = cmd.Wait()
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("got %v, %v in the folder of temporary files; want nothing", left, err)
	}
}

// holdsAFile reports whether a process has a file without a name open, which has something. Where the system does not
// say it is true.
func holdsAFile(pid int) bool {
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, link := range links {
		name, _ := os.Readlink(link)
		info, err := os.Stat(link)
		if strings.Contains(name, "(deleted)") && err == nil && info.Size() > 0 {
			return true
		}
	}
	return len(links) == 0
}

// Commands end when they say, and write no more than the rate allows.
func TestPeersThatDripOrFlood(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n" +
		"\x89IPROF\r\n\x01\x05F\xff\xff\xff\x1f"
	drip := answering(t, head, func(c net.Conn) {
		for _, err := c.Write([]byte{0}); err == nil; _, err = c.Write([]byte{0}) {
			time.Sleep(10 * time.Millisecond)
		}
	})
	flood := answering(t, head, func(c net.Conn) {
		for zeros, err := make([]byte, 1<<20), error(nil); err == nil; {
			_, err = c.Write(zeros)
		}
	})
	slow := answering(t, "HTTP/1.1 500 Bad\r\n\r\n", func(c net.Conn) {
		for _, err := c.Write([]byte{'a'}); err == nil; _, err = c.Write([]byte{'a'}) {
			time.Sleep(10 * time.Millisecond)
		}
	})
	lines := []struct{ line, says string }{ // says is a regular expression: either clock may be the first
		{"top -limits time=1s " + drip, "took too long|takes longer than 1s"},
		{"live -limits time=1s " + drip, "sent no frame"},
		{"top -limits time=1s " + slow, "aaaa"}, {"top -limits rate=1MB " + flood, "rate="},
		{"record -limits rate=1MB,written=1MB -for 5m -o out " + flood, "rate="}, // before 5 minutes are over
	}
	done := make(chan string)
	for _, test := range lines {
		go func() {
			text, memory, written := costs(t, strings.Fields(test.line)...)
			if memory > mostOfBombs || written > 100<<20 || !regexp.MustCompile(test.says).MatchString(text) {
				text = fmt.Sprintf("iprof %s: got %d MB of memory, a file of %d MB, and %q; want %q", test.line,
					memory>>20, written>>20, text, test.says)
			} else {
				text = ""
			}
			done <- text
		}()
	}
	for range lines {
		if text := <-done; text != "" {
			t.Error(text)
		}
	}
}
