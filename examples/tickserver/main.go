// Command tickserver profiles a game server without a window. A frame is a tick; the wait for the next one is outside
// of it. The tree of the run says why a tick was late. With -hitches, a black box keeps the frames around late ticks.
//
//	go run ./examples/tickserver -ticks 200 -hitches late
package main

import (
	"flag"
	"log"
	"math"
	"os"
	"time"

	"example.com/iprof"
	"example.com/iprof/capture"
)

func main() {
	ticks := flag.Int("ticks", 100, "end after so many ticks")
	every := flag.Duration("every", 50*time.Millisecond, "time from one tick to the next")
	hitches := flag.String("hitches", "", "the `folder` of the black box")
	flag.Parse()
	iprof.SetFrameBudget(*every / 2)
	if *hitches != "" {
		box, err := capture.NewBlackBox(iprof.Default(), capture.BlackBoxOptions{Dir: *hitches})
		if err != nil {
			log.Fatal(err)
		}
		defer box.Close()
	}
	clock := time.NewTicker(*every)
	defer clock.Stop()
	w := world{units: make([]unit, 2000)}
	for i := range *ticks {
		<-clock.C
		w.tick(i)
	}
	if err := iprof.WriteTree(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

type world struct{ units []unit }

type unit struct{ x, y, angle float64 }

// tick is a frame.
func (w *world) tick(i int) {
	iprof.BeginFrame("tick")
	defer iprof.EndFrame()
	w.move()
	if i%40 == 39 {
		w.save() // takes longer than a tick
	}
	iprof.Value("units", len(w.units))
}

func (w *world) move() {
	defer iprof.Begin("move").End()
	for i := range w.units {
		u := &w.units[i]
		u.x, u.y, u.angle = u.x+math.Cos(u.angle), u.y+math.Sin(u.angle), u.angle+0.1
	}
}

func (w *world) save() {
	defer iprof.Begin("save").End()
	for range 200 {
		w.move()
	}
}
