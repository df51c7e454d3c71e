package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/workload"
)

// part is a process that runs one of the second round's programs.
type part struct {
	command *exec.Cmd
	orders  io.WriteCloser
	send    *gob.Encoder
	answers *gob.Decoder
}

// span is an order: to trace scan lines without zones and with them.
type span struct{ From, To int }

// traced is the result: the time of each line, in nanoseconds, and the account of the lines with zones.
type traced struct {
	Plain, Zones []float64
	Account      account
}

// start starts this program once more, for one of the programs, and waits until it has warmed up. While several warm
// up, the system takes the processor away from them, and some of that would be in timed entries.
func start(program int) (*part, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &part{command: exec.Command(self, append(os.Args[1:len(os.Args):len(os.Args)], "-part",
		strconv.Itoa(program))...)}
	p.command.Stderr = os.Stderr
	answers, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.orders, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	p.send, p.answers = gob.NewEncoder(p.orders), gob.NewDecoder(answers)
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	if _, err := p.trace(span{}); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// trace orders scan lines from the process.
func (p *part) trace(s span) (t traced, err error) {
	if err := p.send.Encode(s); err != nil {
		return t, fmt.Errorf("a part of the benchmark has ended: %w", err)
	}
	err = p.answers.Decode(&t)
	return t, err
}

func (p *part) stop() {
	p.orders.Close()
	p.command.Wait()
}

// The number of frames before the first counted one, in which the governor acts.
const warmUp = 40

// serve is the main function of a part.
func serve(flake *workload.Flake, limit float64) error {
	runtime.LockOSThread()
	iprof.SetOverheadLimit(limit)
	for i := range warmUp {
		y := i * flake.Lines() / warmUp
		frame(flake, span{y, y + 8})
	}
	orders, answers := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	for {
		var s span
		err := orders.Decode(&s)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = answers.Encode(s.trace(flake))
		}
		if err != nil {
			return err
		}
	}
}

// trace carries out an order. Half of the lines without zones come before those with zones, and half after, so that
// disturbances hit both alike. An extra line at the beginning, which is not counted, fills the caches.
func (s span) trace(flake *workload.Flake) (t traced) {
	middle := (s.From + s.To) / 2
	lines(flake, span{max(s.From-1, 0), s.From}, workload.NoHooks)
	t.Plain = lines(flake, span{s.From, middle}, workload.NoHooks)
	t.Zones, t.Account = frame(flake, s)
	t.Plain = append(t.Plain, lines(flake, span{middle, s.To}, workload.NoHooks)...)
	return t
}

// frame makes a frame of some lines with zones.
func frame(flake *workload.Flake, s span) (took []float64, a account) {
	var f gather.Frame
	gather.Collect(&f)
	took = lines(flake, s, workload.Zones)
	gather.Collect(&f)
	a.add(&f)
	return took, a
}

// lines traces lines, and returns the time of each in nanoseconds.
func lines(flake *workload.Flake, s span, hooks workload.Hooks) (took []float64) {
	for y := s.From; y < min(s.To, flake.Lines()); y++ {
		begin := time.Now()
		flake.Line(y, hooks)
		took = append(took, float64(time.Since(begin).Nanoseconds()))
	}
	return took
}
