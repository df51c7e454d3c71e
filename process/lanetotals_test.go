package process_test

import (
	"math"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/totals"
)

// TestLaneTotalsAreThoseOfDump compares the totals of random programs with what a Dump says of them.
func TestLaneTotalsAreThoseOfDump(t *testing.T) {
	var got totals.LaneTotals
	for seed := range uint64(200) {
		p, s := newProgram(seed, 1+int(seed%4), 1+int32(seed%6)), process.NewSession()
		for range 1 + seed%5 {
			for range 40 {
				p.step()
			}
			write(t, s, p.end())
		}
		s.LaneTotals(&got)
		d := s.Dump(report.DumpOptions{NoHistory: true})
		if len(got.Lanes) != len(d.Lanes) || math.Abs(float64(got.Ticks)-d.RunTime.Seconds()*d.TicksPerSecond) > 0.5 {
			t.Fatalf("program %d: got %d lanes, %d ticks; want %d, %v", seed, len(got.Lanes), got.Ticks, len(d.Lanes),
				d.RunTime)
		}
		for i := range d.Lanes {
			compareLane(t, seed, &got.Lanes[i], report.AppendZoneTotals(nil, d.Lanes[i].Nodes))
		}
	}
}

func compareLane(t *testing.T, seed uint64, got *totals.LaneZones, want []report.ZoneTotal) {
	t.Helper()
	zones := map[report.ZoneID]totals.ZoneTime{}
	for _, z := range got.Zones {
		zones[z.Zone] = z
	}
	if len(zones) != len(want) {
		t.Fatalf("program %d, %s: got %d zones; want %d", seed, got.Name, len(zones), len(want))
	}
	for _, w := range want { // a tick is a millisecond
		if z := zones[w.Zone]; math.Abs(float64(z.Hier)-w.Hier) > 1e-6 || float64(z.Count) != w.Count {
			t.Fatalf("program %d, %s, zone %d: got %+v; want %+v", seed, got.Name, w.Zone, z, w)
		}
	}
}

func TestLaneTotalsTellAReset(t *testing.T) {
	s := process.NewSession()
	var before, after totals.LaneTotals
	write(t, s, tree(0, []string{"a"}, "a 5 1\n"))
	s.LaneTotals(&before)
	s.Reset()
	s.LaneTotals(&after)
	if before.Epoch == after.Epoch || len(before.Lanes) != 1 || len(after.Lanes) != 0 {
		t.Errorf("got epochs %d and %d, %d and %d lanes; want two epochs, one lane and none", before.Epoch, after.Epoch,
			len(before.Lanes), len(after.Lanes))
	}
}
