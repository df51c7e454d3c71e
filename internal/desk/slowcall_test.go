//go:build !iprof_off

package desk_test

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// serving writes a capture of a server whose frame 37 has a slow request, if slow is true.
func serving(t *testing.T, slow bool) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "server.iprof")
	s := process.NewSession()
	s.SetEventDriven(true)
	to := must.Get(os.Create(path))(t)
	r := must.Get(capture.Record(s, capture.RecordOptions{To: to}))(t)
	for i := range 60 {
		at := platform.Ticks(i) * 1000
		f := gather.Frame{Index: uint64(i), Begin: at, End: at + 1000, TicksPerSecond: 1000, EventDriven: true,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "GET /orders"}, {Name: "db.Query"}},
			Lanes: []gather.LaneFrame{{ID: 1, Begin: at, End: at + 1000,
				Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 900}, {ID: 2, Zone: 1, Count: 40, Self: 20},
					{ID: 3, Zone: 2, Parent: 1, Count: 40, Self: 80}}}}}
		if slow && i == 37 {
			f.SlowCalls = []gather.SlowCall{{Zone: 1, Lane: 1, Begin: at + 100, End: at + 160, Usual: 2,
				Parts: []gather.CallPart{{Zone: 2, Count: 1, Time: 57}}}}
		}
		must.Do(t, s.WriteFrame(&f))
	}
	must.Do(t, r.Close())
	must.Do(t, to.Close())
	return path
}

// A capture of a server opens with its slow call drawn. Without one it opens with its routes.
func TestACaptureOfAServerOpensWithItsSlowCall(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, slow := range []bool{true, false} {
		d, woken := window(t, nil)
		d.NewTab("first")
		d.ShowFile(serving(t, slow))
		readAll(d, woken)
		got, q := d.Tab().Session().View().Info().Index, d.Tab().Panel().State()
		if q.Answer != slow || slow && got != 37 {
			t.Errorf("slow %v: got frame %d, drawn %v; want the call of frame 37 drawn, if there is one", slow, got,
				q.Answer)
		}
	}
}
