package main

import (
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"sync"

	"example.com/iprof"
)

// names are the programs in the order of their lines.
var names = []string{"goroutines", "two names", "requests", "http", "frames"}

var programs = map[string]func(){
	"goroutines": func() { goroutines(1_000_000, func() { zone(&job, func() { work(100) }) }) },
	"two names": func() {
		goroutines(1_000_000, func() { named("outer", func() { named("inner", func() { work(100) }) }) })
	},
	"requests": func() { goroutines(100_000, request) },
	"http":     serve,
	"frames":   frames,
}

var job, step, parse, query, render iprof.Zone

var sink sync.Map

// work takes some nanoseconds a round.
func work(rounds int) {
	x := 1.5
	for range rounds {
		x = math.Sqrt(x + 2)
	}
	if x == 0 {
		sink.Store(0, x)
	}
}

func zone(z *iprof.Zone, do func()) {
	if *zones {
		defer z.Begin().End()
	}
	do()
}

func named(name string, do func()) {
	if *zones {
		defer iprof.Begin(name).End()
	}
	do()
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

// request is what a server does: some zones of some microseconds.
func request() {
	zone(&job, func() {
		zone(&parse, func() { work(200) })
		for range 5 {
			zone(&query, func() { work(100); zone(&step, func() { work(50) }) })
		}
		zone(&render, func() { work(500) })
	})
}

// serve is a server whose requests each have a goroutine of their own.
func serve() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		request()
		_, _ = io.WriteString(w, "done")
	}))
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 3_000 {
		if r, err := client.Get(server.URL); err == nil {
			_, _ = io.Copy(io.Discard, r.Body)
			_ = r.Body.Close()
		}
	}
}

// frames is a game: one goroutine, the same zones in each frame.
func frames() {
	for range 300 {
		for range 200 {
			request()
		}
		if *zones {
			iprof.Update()
		}
	}
}
