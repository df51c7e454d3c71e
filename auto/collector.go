package auto

import (
	"runtime/metrics"
	"time"
)

// collectorClasses are the runtime's names for the processor time of goroutines that only collect garbage. Assists are
// in zones.
var collectorClasses = [...]string{"/cpu/classes/gc/mark/dedicated:cpu-seconds",
	"/cpu/classes/gc/mark/idle:cpu-seconds", "/cpu/classes/scavenge/background:cpu-seconds"}

// collected returns the processor time of the collector's goroutines, up to its last cycle. Any goroutine may call it.
func collected() (sum time.Duration) {
	var samples [len(collectorClasses)]metrics.Sample
	for i, name := range collectorClasses {
		samples[i].Name = name
	}
	metrics.Read(samples[:])
	for i := range samples {
		if v := samples[i].Value; v.Kind() == metrics.KindFloat64 {
			sum += time.Duration(v.Float64() * float64(time.Second))
		}
	}
	return sum
}
