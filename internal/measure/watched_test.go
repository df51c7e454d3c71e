//go:build !iprof_off

package measure

import "testing"

// A goroutine that is no part of the program ends frames without a lane of its own.
func TestWatchedFrames(t *testing.T) {
	c := useFakeClock(t)
	SetWatched(true)
	t.Cleanup(func() { SetWatched(false) })
	s := whole.Begin()
	c.advance(10)
	var f Frame
	own, done := OwnLane(), make(chan int)
	go func() {
		Collect(&f)
		c.advance(5)
		Collect(&f)
		close(done)
	}()
	<-done
	s.End()
	if len(f.Lanes) != 1 || f.Lanes[0].ID != own || f.Lanes[0].Updater {
		t.Errorf("got %+v; want the lane of the test alone, which is not the main goroutine's", f.Lanes)
	}
}

// What a goroutine that is left out enters is measured nowhere, and is not counted as missing either.
func TestLeaveOut(t *testing.T) {
	c := useFakeClock(t)
	var f Frame
	Collect(&f)
	missing, done := f.Dropped, make(chan int)
	go func() {
		LeaveOut(true)
		defer LeaveOut(false)
		s := whole.Begin()
		c.advance(5)
		s.End()
		defer sited("left out").End()
		close(done)
	}()
	<-done
	Collect(&f)
	for i := range f.Lanes {
		for _, n := range f.Lanes[i].Nodes {
			if n.Zone != 0 {
				t.Errorf("lane %q has %+v", f.Lanes[i].Name, n)
			}
		}
	}
	if f.Dropped != missing {
		t.Errorf("%+v is missing; want %+v", f.Dropped, missing)
	}
}
