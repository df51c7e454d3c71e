//go:build !iprof_off

package gather

import "testing"

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
