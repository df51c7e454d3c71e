package governor

import (
	"testing"
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
