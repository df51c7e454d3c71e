package growth

import (
	"runtime"
	"sync"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
)

func parked(n int) time.Duration { return asleep(n, false) }

func open(n int) time.Duration { return asleep(n, true) }

// asleep starts goroutines that enter a zone once and then sleep, maybe inside it.
func asleep(n int, inside bool) time.Duration {
	zones := zonesOf(2)
	var begun sync.WaitGroup
	begun.Add(n)
	for range n {
		go func() {
			scope := zones[0].Begin()
			if !inside {
				scope.End()
			}
			begun.Done()
			select {}
		}()
	}
	begun.Wait()
	return medianOf(30, func() { zones[1].Begin().End() }, iprof.Update)
}

// crew is a number of goroutines that enter a zone once a frame.
type crew struct {
	turn []chan bool
	done sync.WaitGroup
}

func newCrew(n int, zone *iprof.Zone) *crew {
	c := new(crew)
	for range n {
		turn := make(chan bool, 1)
		c.turn = append(c.turn, turn)
		go func() {
			for range turn {
				zone.Begin().End()
				c.done.Done()
			}
		}()
	}
	return c
}

func (c *crew) work() {
	c.done.Add(len(c.turn))
	for _, turn := range c.turn {
		turn <- true
	}
	c.done.Wait()
}

func active(n int) time.Duration {
	c := newCrew(n, &zonesOf(1)[0])
	c.work()
	return medianOf(30, c.work, iprof.Update)
}

// slowFrame is the dearest Update where frames are slower than the budget, and more so each time. The goroutines have
// been there for some frames within it.
func slowFrame(n int) (dearest time.Duration) {
	runtime.LockOSThread()
	c := newCrew(n, &zonesOf(1)[0])
	gather.SetEvents(64)
	iprof.SetFrameBudget(time.Hour)
	for range 20 {
		c.work()
		iprof.Update()
	}
	iprof.SetFrameBudget(time.Millisecond)
	for i := range 10 {
		c.work()
		time.Sleep(time.Duration(i+1) * 3 * time.Millisecond)
		begin := worked()
		iprof.Update()
		dearest = max(dearest, worked()-begin)
	}
	return dearest
}

// started is Update where goroutines start at once, enter three zones and end.
func started(n int) time.Duration {
	zones := zonesOf(3)
	var done sync.WaitGroup
	begin := func() {
		open := make(chan bool)
		done.Add(n)
		for range n {
			go func() {
				<-open
				a := zones[0].Begin()
				b := zones[1].Begin()
				zones[2].Begin().End()
				b.End()
				a.End()
				done.Done()
			}()
		}
		close(open)
		done.Wait()
		runtime.Gosched()
	}
	begin()
	return medianOf(30, begin, iprof.Update)
}
