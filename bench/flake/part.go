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

// part is a process that runs one of the governed programs.
type part struct {
	command *exec.Cmd
	orders  io.WriteCloser
	send    *gob.Encoder
	answers *gob.Decoder
}

// span is an order: to trace scan lines.
type span struct{ From, To int }

// start starts this program once more, for one of the governed programs, and waits until it has warmed up: while several do, the
// system takes the processor away from them, and what of that hits a timed entry would be told in frames that count.
func start(program int) (*part, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &part{command: exec.Command(self, append(os.Args[1:len(os.Args):len(os.Args)], "-part", strconv.Itoa(program))...)}
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
	if _, err := p.trace(0, 0); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// trace has scan lines traced, and returns what each took, in nanoseconds.
func (p *part) trace(from, to int) (took []float64, err error) {
	if err := p.send.Encode(span{from, to}); err != nil {
		return nil, fmt.Errorf("a part of the benchmark has ended: %w", err)
	}
	err = p.answers.Decode(&took)
	return took, err
}

// finish returns what its frames say.
func (p *part) finish() (a account, err error) {
	p.orders.Close()
	err = p.answers.Decode(&a)
	return a, err
}

func (p *part) stop() {
	p.orders.Close()
	p.command.Wait()
}

// The frames that the governor is given to act before anything counts.
const warmUp = 40

// serve is what a part does.
func serve(flake *workload.Flake, program int, limit float64) error {
	runtime.LockOSThread()
	it := governed[program]
	if it.limit {
		iprof.SetOverheadLimit(limit)
	}
	for i := range warmUp {
		trace(flake, i*flake.Lines()/warmUp, 8, it.hooks, nil)
	}
	var a account
	orders, answers := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	for {
		var s span
		err := orders.Decode(&s)
		if errors.Is(err, io.EOF) {
			return answers.Encode(a)
		}
		if err == nil {
			err = answers.Encode(trace(flake, s.From, s.To-s.From, it.hooks, &a))
		}
		if err != nil {
			return err
		}
	}
}

// trace traces some lines, and returns what each took, in nanoseconds.
func trace(flake *workload.Flake, y, lines int, hooks workload.Hooks, to *account) (took []float64) {
	var frame gather.Frame
	gather.Collect(&frame)
	for line := y; line < min(y+lines, flake.Lines()); line++ {
		begin := time.Now()
		flake.Line(line, hooks)
		took = append(took, float64(time.Since(begin).Nanoseconds()))
	}
	gather.Collect(&frame)
	if to != nil && hooks == workload.Zones {
		to.add(&frame)
	}
	return took
}
