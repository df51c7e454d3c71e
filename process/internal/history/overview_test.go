package history

import (
	"testing"

	"example.com/iprof/gather"
)

// BenchmarkOverview is what the overview of the whole run adds to an Update: of a frame on time, and of a late one.
func BenchmarkOverview(b *testing.B) {
	for name, over := range map[string]bool{"late=no": false, "late=yes": true} {
		b.Run(name, func(b *testing.B) {
			var o Overview
			var p Frame
			p.Over = over
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p.Seq, p.Index, p.Busy = uint64(i), uint64(i), float32(i%97)
				o.Take(&p, &gather.SectionInfo{})
			}
		})
	}
}
