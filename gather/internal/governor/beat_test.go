package governor

import "testing"

func TestBeatsGoOnUntilTheyAreEnded(t *testing.T) {
	var b Beat
	beats := make(chan bool)
	b.Set(func() { beats <- true })
	for range 3 {
		<-beats
	}
	other := make(chan bool)
	b.Set(func() { other <- true })
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
