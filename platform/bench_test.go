package platform

import "testing"

var sink Ticks

//go:noinline
func twoReadings() {
	begin := ticks()
	sink += ticks() - begin
}

// BenchmarkFloor is two readings of the clock with nothing around them: what no profiler can go below.
func BenchmarkFloor(b *testing.B) {
	Now()
	for b.Loop() {
		twoReadings()
	}
}
