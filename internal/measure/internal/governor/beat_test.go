package governor

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestBeatsGoOnUntilTheyAreEnded(t *testing.T) {
	var b Beat
	beats := make(chan bool)
	b.Set(func() bool { beats <- true; return false })
	for range 3 {
		<-beats
	}
	other := make(chan bool)
	b.Set(func() bool { other <- true; return false })
	for range 2 {
		select {
		case <-beats: // one that had begun
		case <-other:
		}
	}
	b.Set(nil)
	if b.isOn(2) {
		t.Error("after Set(nil): got a turn that is on; want none")
	}
}

func TestBeatsRestUntilTheyAreWoken(t *testing.T) {
	var b Beat
	beats := make(chan bool)
	b.Set(func() bool {
		b.Rest()
		beats <- true
		return true
	})
	for range 3 {
		<-beats
		select {
		case <-beats:
			t.Fatal("got a beat at rest; want none")
		case <-time.After(3 * beatEvery):
		}
		if !b.Resting() {
			t.Fatal("got beats that go on; want rest")
		}
		b.Wake()
	}
	b.Set(nil)
	b.Wake()
	if b.Resting() {
		t.Error("after Set(nil): got rest; want none")
	}
}

// Beats go on soon after a call that something interrupted, and rarely while each call is slow.
func TestBeatsAfterSlowCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const slow = 10 * time.Second
		var b Beat
		took := []time.Duration{slow, 0, 0, slow, slow, 0}
		var done atomic.Int32
		b.Set(func() bool {
			n := int(done.Add(1))
			time.Sleep(took[n-1])
			return n == len(took)
		})
		time.Sleep(3*slow + 6*beatEvery)
		synctest.Wait()
		if calls := done.Load(); calls != 5 {
			t.Errorf("got %d calls; want 5, of which one was slow alone", calls)
		}
		time.Sleep(beatShare*slow + beatEvery)
		synctest.Wait()
		if calls := done.Load(); calls != 6 {
			t.Errorf("after two slow calls: got %d calls in all; want 6", calls)
		}
		b.Set(nil)
	})
}
