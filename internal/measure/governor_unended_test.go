//go:build !iprof_off

package measure

import (
	"testing"
	"time"

	"example.com/iprof/platform"
)

var unended = [2]Zone{{Name: "unended 0"}, {Name: "unended 1"}}

// TestLimitActsWithoutFrames has a program whose first frame never ends. Most of its entries are to be counted only,
// and none lost.
func TestLimitActsWithoutFrames(t *testing.T) {
	useRealGovernor(t)
	const rounds, entries = 30, 3_000
	var f Frame
	Collect(&f)
	for range rounds {
		for i := range entries {
			func() {
				defer unended[0].Begin().End()
				unended[i%2].Begin().End()
			}()
		}
		governFrame()
	}
	Collect(&f)
	var sum, untimed uint64
	for _, l := range f.Lanes {
		untimed += l.Untimed
		for i, n := range l.Nodes {
			if z := f.Zones[n.Zone].Name; z == unended[0].Name || z == unended[1].Name {
				sum += uint64(n.Count) + uint64(l.Extra(i).More)<<32
			}
		}
	}
	if want := uint64(2 * rounds * entries); sum != want || untimed < want/2 {
		t.Errorf("got %d entries, %d of them counted only; want %d, most of them counted only", sum, untimed, want)
	}
}

// TestTheLimitRestsWhileAllWait waits until the governor's beats rest, and then enters a zone.
func TestTheLimitRestsWhileAllWait(t *testing.T) {
	useRealGovernor(t)
	if !knowsWaits() {
		t.Skip("this Go does not tell how many goroutines run")
	}
	unended[0].Begin().End()
	for end := time.Now().Add(5 * time.Minute); !beat.Resting() && time.Now().Before(end); {
		time.Sleep(37 * time.Millisecond)
	}
	if !beat.Resting() {
		t.Fatal("got beats for five minutes in which all goroutines waited; want rest")
	}
	unended[0].Begin().End()
	if beat.Resting() {
		t.Error("got rest after an entry; want beats")
	}
}

// knowsWaits reports whether OthersWait can know that all others wait.
func knowsWaits() bool {
	for range 1000 {
		if platform.OthersWait() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}
