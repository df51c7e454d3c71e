package debug_test

import (
	"math/rand/v2"
	"net"
	"slices"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
)

// BenchmarkHostileClients reports by how many per cent the median frame of a program takes longer while clients send
// random bytes, half a request, a byte a second and headers without an end, and come again when they are sent away.
// Where processors are few, it has their own work in it, too.
func BenchmarkHostileClients(b *testing.B) {
	s, program := played(b)
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(b)
	defer l.Close()
	go (&debug.Server{Session: s}).Serve(l)
	random := make([]byte, 4096)
	for i := range random {
		random[i] = byte(rand.Uint32())
	}
	clients := []func(net.Conn) string{hears(sends(string(random))), hears(sends(read)), hears(drips(read, "X: y\r\n")),
		hears(floods(read, "X: y\r\n"))}
	var alone, pestered []time.Duration
	for b.Loop() {
		alone = frames(b, program, alone)
		stop := pester(l.Addr().String(), clients)
		pestered = frames(b, program, pestered)
		stop()
	}
	slices.Sort(alone)
	slices.Sort(pestered)
	before, after := alone[len(alone)/2].Seconds(), pestered[len(pestered)/2].Seconds()
	b.ReportMetric(100*(after-before)/before, "%-more")
}

// frames appends how long some frames took. Between two the program rests, as a program at 240 Hz does.
func frames(b *testing.B, program *replay.Replay, took []time.Duration) []time.Duration {
	for range 200 {
		begin := time.Now()
		must.Do(b, program.Step())
		took = append(took, time.Since(begin))
		time.Sleep(4 * time.Millisecond)
	}
	return took
}

// pester has clients connect to an address, each again when its connection ends, until stop.
func pester(address string, clients []func(net.Conn) string) (stop func()) {
	over := make(chan struct{})
	var ended []chan struct{}
	for _, client := range clients {
		done := make(chan struct{})
		ended = append(ended, done)
		go func() {
			defer close(done)
			for {
				c, err := net.Dial("tcp", address)
				if err != nil {
					return
				}
				gone := make(chan struct{})
				go func() { client(c); close(gone) }()
				select {
				case <-over:
					c.Close()
					<-gone
					return
				case <-gone:
					c.Close()
				}
			}
		}()
	}
	return func() {
		close(over)
		for _, done := range ended {
			<-done
		}
	}
}
