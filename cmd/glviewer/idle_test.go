package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"example.com/iprof/internal/must"
)

// BenchmarkIdle reports what share of a core the viewer takes while it is paused and nobody touches it, over ten
// seconds:
//
//	go test ./cmd/glviewer -run '^$' -bench Idle -benchtime 1x
func BenchmarkIdle(b *testing.B) {
	const span = 10 * time.Second
	u := newUser(b, "game", 1280, 720)
	u.pause(60)
	time.Sleep(time.Second) // until what moves has come to rest
	from, began := u.ticks(), time.Now()
	time.Sleep(span)
	share := float64(u.ticks()-from) / ticksPerSecond / time.Since(began).Seconds()
	b.ReportMetric(100*share, "cpu-%")
	b.ReportMetric(0, "ns/op")
	u.quit()
}

// ticksPerSecond is the unit of /proc: Linux has told programs 100 for as long as it has had one.
const ticksPerSecond = 100

// ticks is the time that the program has had on processors, all of its threads together.
func (p *program) ticks() (n int) {
	p.t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		p.t.Skip("no /proc here")
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	for _, f := range fields[11:13] { // user and system time
		t := must.Get(strconv.Atoi(string(f)))(p.t)
		n += t
	}
	return n
}
