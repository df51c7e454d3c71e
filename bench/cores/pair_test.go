package main

import (
	"math"
	"testing"
)

func TestOnlyOverlappingBurstsCount(t *testing.T) {
	p := &pair{}
	p.alone = [2][]burst{{{0, 120}, {0, 100}}, {{0, 110}}}
	p.beside = [2][]burst{
		{{0, 90}, {0, 300}, {500, 650}, {900, 1100}, {2000, 2110}},
		{{90, 180}, {150, 250}, {505, 640}, {900, 1105}, {2050, 2150}},
	} // one after the other; beside a burst put aside; two good pairs; half beside
	r := result{alone: math.Inf(1), beside: math.Inf(1)}
	r.add(p)
	if want := (result{100, 135, 4, 10}); r != want {
		t.Errorf("got %+v; want %+v", r, want)
	}
}

func TestBothGoroutinesDoEveryRound(t *testing.T) {
	for _, b := range bodies {
		p := &pair{once: b.once}
		done := make(chan bool)
		for me := range 2 {
			go func() { p.run(me, 20); done <- true }()
		}
		<-done
		<-done
		for me := range 2 {
			if len(p.alone[me]) != 20 || len(p.beside[me]) != 20 {
				t.Errorf("%s: got %d bursts alone, %d beside; want 20 of each",
					b.name, len(p.alone[me]), len(p.beside[me]))
			}
		}
	}
}
