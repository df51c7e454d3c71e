package process

import (
	"math/rand"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Lanes come and go, each with other stacks: nothing is lost beyond the limit, and memory stays bounded. After Reset
// there is room for others.
func TestStacksBeyondTheLimitCountInWhatIsAroundThem(t *testing.T) {
	defer func(was int) { history.MaxPaths = was }(history.MaxPaths)
	history.MaxPaths = 50
	s, r := NewSession(), rand.New(rand.NewSource(1))
	f := gather.Frame{TicksPerSecond: 1000, Zones: make([]gather.ZoneInfo, 9)}
	var self int64
	var count uint64
	for i := range 100 {
		l := gather.LaneFrame{ID: report.LaneID(i + 1), Updater: true, Nodes: []gather.Node{{Parent: -1, Self: 1}}}
		for j := range int32(8) {
			l.Nodes = append(l.Nodes, gather.Node{ID: gather.NodeID(j + 1), Zone: 1 + report.ZoneID(r.Int31n(8)),
				Parent: r.Int31n(j + 1), Self: 10, Count: 2})
		}
		f.Lanes = []gather.LaneFrame{l}
		f.Begin, f.End = f.End, f.End+81
		must.Do(t, s.WriteFrame(&f))
		self, count = self+81, count+16
	}
	var gotSelf, gotCount float64
	for _, n := range s.AppendTotals(nil) {
		gotSelf, gotCount = gotSelf+n.Self, gotCount+n.Count
	}
	if gotSelf != float64(self) || gotCount != float64(count) || len(s.store.Tree.Paths) != history.MaxPaths {
		t.Errorf("got %v ms, %v entries, %d paths; want %d, %d, %d", gotSelf, gotCount, len(s.store.Tree.Paths), self,
			count, history.MaxPaths)
	}
	var shown report.Report
	s.View().AppendReport(&shown)
	if all := strings.Join(shown.Warnings, "\n"); !strings.Contains(all, "distinct stacks") {
		t.Errorf("warnings: got %q; want one about stacks", all)
	}
	s.Reset()
	f.Lanes[0].Nodes = []gather.Node{{Parent: -1, Self: 1}, {ID: 1, Zone: 8, Self: 9, Count: 3}}
	f.Begin, f.End = f.End, f.End+10
	must.Do(t, s.WriteFrame(&f))
	if got := s.AppendTotals(nil); len(got) != 2 || got[1].Self != 9 || got[1].Count != 3 {
		t.Errorf("after Reset: got %+v; want the new stack alone, 9 ms in 3 entries", got)
	}
	if s.View().AppendReport(&shown); len(shown.Warnings) > 0 {
		t.Errorf("after Reset: got the warnings %q; want none", shown.Warnings)
	}
}
