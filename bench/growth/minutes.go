package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"example.com/iprof"
	"example.com/iprof/debug"
)

// The program of -minutes: a game and a server in one, watched by everybody at once.
const (
	wholeZones  = 1000
	wholeParked = 10_000
	framesEach  = 60 // a second
)

// whole runs a program with a viewer, a poller and a recorder, and prints the cost of Update: time, which other
// programs lengthen, and processor time.
func whole(minutes float64) {
	runtime.LockOSThread()
	zones := zonesOf(wholeZones + 1)
	park(wholeParked, &zones[wholeZones])
	folder, err := os.MkdirTemp("", "growth")
	if err != nil {
		fail(err)
	}
	defer os.RemoveAll(folder)
	recorder, err := iprof.Record(filepath.Join(folder, "whole.iprof"))
	if err != nil {
		fail(err)
	}
	address := serve()
	var seen reading
	go seen.follow(address + "live")
	go seen.poll(address + "report")
	var times, busy []time.Duration
	end := time.Now().Add(time.Duration(minutes * float64(time.Minute)))
	for next := time.Now(); next.Before(end); {
		game(zones[:wholeZones])
		next = next.Add(time.Second / framesEach)
		time.Sleep(time.Until(next))
		begin, before := time.Now(), worked()
		iprof.Update()
		times, busy = append(times, time.Since(begin)), append(busy, worked()-before)
	}
	if err := recorder.Close(); err != nil {
		fail(err)
	}
	fmt.Println("| Update | median | 99 of 100 | longest | longest after 1,000 |\n|---|---|---|---|---|")
	spread("time", times)
	spread("processor time", busy)
	seen.print(len(times), recorder.Dropped())
}

// park starts goroutines that enter a zone once and then sleep.
func park(n int, zone *iprof.Zone) {
	var begun sync.WaitGroup
	begun.Add(n)
	for range n {
		go func() {
			zone.Begin().End()
			begun.Done()
			select {}
		}()
	}
	begun.Wait()
}

// serve serves the pages of the profiler, and returns where.
func serve() (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail(err)
	}
	go func() { fail(http.Serve(l, debug.Handler())) }()
	return fmt.Sprintf("http://%v/debug/iprof/", l.Addr())
}

// reading counts the reads of the viewer and the poller.
type reading struct {
	sync.Mutex
	streamed int64
	reports  int
	failed   error
}

// follow reads the live stream, as a viewer does.
func (r *reading) follow(address string) {
	answer, err := http.Get(address)
	if err != nil {
		r.fail(err)
		return
	}
	buffer := make([]byte, 64<<10)
	for {
		n, err := answer.Body.Read(buffer)
		r.Lock()
		r.streamed += int64(n)
		r.Unlock()
		if err != nil {
			r.fail(err)
			return
		}
	}
}

// poll asks for the report twice a second.
func (r *reading) poll(address string) {
	for range time.Tick(time.Second / 2) {
		answer, err := http.Get(address)
		if err != nil {
			r.fail(err)
			return
		}
		_, err = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			r.fail(fmt.Errorf("report: %s, %w", answer.Status, err))
			return
		}
		r.Lock()
		r.reports++
		r.Unlock()
	}
}

func (r *reading) fail(err error) {
	r.Lock()
	defer r.Unlock()
	r.failed = err
}

func (r *reading) print(frames int, dropped uint64) {
	r.Lock()
	defer r.Unlock()
	fmt.Printf("\n%d frames, %d dropped by the recorder, %d reports, %.1f MB streamed\n", frames, dropped, r.reports,
		float64(r.streamed)/1e6)
	if r.failed != nil {
		fail(r.failed)
	}
}

// spread prints a line about times.
func spread(name string, of []time.Duration) {
	late := slices.Max(of[min(1000, len(of)-1):])
	slices.Sort(of)
	fmt.Printf("| %s | %v | %v | %v | %v |\n", name, of[len(of)/2], of[len(of)*99/100], of[len(of)-1], late)
}
