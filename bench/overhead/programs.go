package main

import (
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"example.com/iprof"
	"example.com/iprof/internal/workload"
)

// names are the programs in the order of their lines.
var names = []string{"flake", "game", "tick", "compiler", "server", "goroutines", "two names", "requests", "new stacks"}

var programs = map[string]func(){
	"flake":      flake,
	"game":       game,
	"tick":       tick,
	"compiler":   compile,
	"server":     serve,
	"goroutines": func() { goroutines(1_000_000, twoZones) },
	"two names":  func() { goroutines(1_000_000, twoNames) },
	"requests":   func() { goroutines(100_000, func() { request(1) }) },
	"new stacks": func() { goroutines(300, func() { keep(tree(0)) }) },
}

var job, step, parse, query, render iprof.Zone

// flake is a ray tracer that ends a frame at each eighth line.
func flake() {
	f, hooks := workload.NewFlake(6, 256), workload.NoHooks
	if iprof.Enabled {
		hooks = workload.Zones
	}
	for y := range f.Lines() {
		if f.Line(y, hooks); y%8 == 7 {
			iprof.Update()
		}
	}
}

// game is a small game on one goroutine.
func game() {
	w, err := workload.New("game", workload.Options{Seed: 1, Width: 320, Height: 180})
	if err != nil {
		panic(err)
	}
	defer w.Close()
	for range 60 {
		if w.Step(time.Second/60) != nil {
			return
		}
		iprof.Update()
	}
}

// tick is a game whose frames are work for eight goroutines.
func tick() {
	const workers = 8
	var start [workers]chan uint64
	var done sync.WaitGroup
	for i := range start {
		start[i] = make(chan uint64)
		go func() {
			for x := range start[i] {
				for range 20 {
					x = request(x)
				}
				done.Done()
			}
		}()
	}
	for frame := range 500 {
		done.Add(workers)
		for i := range start {
			start[i] <- uint64(frame + i)
		}
		done.Wait()
		iprof.Update()
	}
	for i := range start {
		close(start[i])
	}
}

// work takes about a nanosecond a round. Each round needs the result of the one before.
func work(x uint64, rounds int) uint64 {
	for range rounds {
		x = x*0x9E3779B97F4A7C15 ^ x>>29
	}
	return x
}

func in(z *iprof.Zone, x uint64, rounds int) uint64 {
	defer z.Begin().End()
	return work(x, rounds)
}

var sink sync.Map

func keep(x uint64) {
	if x == 0 {
		sink.Store(x, x)
	}
}

func twoZones() {
	defer job.Begin().End()
	keep(in(&step, 1, 300))
}

func twoNames() {
	defer iprof.Begin("outer").End()
	keep(inner(1))
}

var branches [511]iprof.Zone

// tree enters 511 stacks, each once. On a new goroutine all of them are new.
func tree(at int) (x uint64) {
	if at >= len(branches) {
		return 1
	}
	defer branches[at].Begin().End()
	return work(1, 100) + tree(2*at+1) + tree(2*at+2)
}

func inner(x uint64) uint64 {
	defer iprof.Begin("inner").End()
	return work(x, 300)
}

// goroutines runs a function on n goroutines, a hundred of which wait for each other.
func goroutines(n int, do func()) {
	for range n / 100 {
		var wait sync.WaitGroup
		for range 100 {
			wait.Go(do)
		}
		wait.Wait()
	}
}

// request is the work of a server: some zones of some microseconds.
func request(x uint64) uint64 {
	defer job.Begin().End()
	x = in(&parse, x, 400)
	for range 5 {
		x = ask(x)
	}
	return in(&render, x, 1000)
}

func ask(x uint64) uint64 {
	defer query.Begin().End()
	return in(&step, work(x, 200), 200)
}

// serve is a server that has a goroutine for each request.
func serve() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		done := make(chan uint64)
		go func() { done <- page(1) }()
		keep(<-done)
		_, _ = io.WriteString(w, "done")
	})}
	go server.Serve(listener)
	defer server.Close()
	for range 5_000 {
		if r, err := http.Get("http://" + listener.Addr().String()); err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
			_ = r.Body.Close()
		}
	}
}

func page(x uint64) uint64 {
	defer iprof.Begin("page").End()
	for range 10 {
		x = request(x)
	}
	return x
}
