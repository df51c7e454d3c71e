package measure_test

import (
	"strconv"
	"testing"

	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// BenchmarkCollectMuted times a frame of a lane whose zones are all entered 20 times in it, 30 of them beside each
// other, and Collect alone. A limit acts only on zones that are entered more often.
func BenchmarkCollectMuted(b *testing.B) {
	const number = 3000
	for _, how := range []string{"timed", "muted", "governed"} {
		b.Run("zones="+how, func(b *testing.B) {
			measure.SetLimits(measure.Limits{Zones: 8 * number, NodesPerLane: 8 * number})
			zones := make([]*measure.Zone, number)
			for i := range zones {
				zones[i] = &measure.Zone{Name: "muted " + how + strconv.Itoa(i)}
				if zones[i].Begin().End(); how == "muted" {
					zones[i].SetMuted(true)
				}
			}
			entries := 20
			if how == "governed" {
				entries = 500
				measure.SetOverheadLimit(0.01)
				defer measure.SetOverheadLimit(0)
			}
			lane := measure.Register("muted " + how)
			defer lane.Close()
			enter := func() {
				for i := 0; i < number; i += 30 {
					group := zones[i].Begin()
					for _, z := range zones[i+1 : i+30] {
						for range entries {
							z.Begin().End()
						}
					}
					group.End()
				}
			}
			var f measure.Frame
			for range 100 {
				enter()
				measure.Collect(&f)
			}
			var spent, least platform.Ticks = 0, platform.MaxTicks
			for b.Loop() {
				enter()
				begin := platform.Now()
				measure.Collect(&f)
				took := platform.Now() - begin
				spent, least = spent+took, min(least, took)
			}
			perZone := 1e9 / platform.TicksPerSecond() / number
			b.ReportMetric(float64(spent)*perZone/float64(b.N), "ns/zone")
			b.ReportMetric(float64(least)*perZone, "least-ns/zone")
			for _, z := range zones {
				z.SetMuted(false)
			}
		})
	}
}
