//go:build cgo && !iprof_off

package gl

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/egltest"
	"example.com/iprof/internal/measure"
	host "github.com/go-gl/gl/v3.3-core/gl"
)

// BenchmarkGPUZone compares a zone of the GPU with the two glQueryCounter in it. Each 100 of them are a frame whose
// times are awaited outside the measurement.
func BenchmarkGPUZone(b *testing.B) {
	zone := NewZone("bench")
	ids := new([2]uint32)
	for name, do := range map[string]func(){
		"glQueryCounter": func() {
			queryCounter(ids[0], glTimestamp)
			queryCounter(ids[1], glTimestamp)
		},
		"zone": func() {
			defer zone.Begin().End()
		},
	} {
		b.Run(name, func(b *testing.B) {
			timers.list, timers.made = nil, 0
			egltest.Open(b, egltest.Core, 64, 48)
			if _, err := GPULane(); err != nil {
				b.Skip(err)
			}
			genQueries(ids)
			do()
			frame := new(gather.Frame)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				if do(); i%100 == 99 {
					b.StopTimer()
					host.Finish()
					gather.Collect(frame)
					measure.Complete(frame, true)
					b.StartTimer()
				}
			}
		})
	}
}
