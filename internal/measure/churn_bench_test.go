package measure_test

import (
	"testing"

	"example.com/iprof/internal/measure"
)

// BenchmarkFirstEntry times the first entry of a new goroutine, which inherits the lane of an ended one. The time
// includes starting the goroutine: compare with zones=0.
func BenchmarkFirstEntry(b *testing.B) {
	run := func(name string, body func()) {
		b.Run(name, func(b *testing.B) {
			done := make(chan bool)
			b.ReportAllocs()
			for b.Loop() {
				go func() { body(); done <- true }()
				<-done
			}
		})
	}
	run("zones=0", func() {})
	run("zones=1", paired)
}

// BenchmarkChurn times a lane's life: Register, three zones, Close. Lanes of one name share a record.
func BenchmarkChurn(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		lane := measure.Register("churn")
		nested()
		lane.Close()
	}
}
