package ask_test

import (
	"testing"

	"example.com/iprof/cmd/iprof-query/internal/machines"
)

// The p99 of each zone over a million calls.
func BenchmarkP99OfAMillionCalls(b *testing.B) {
	db := opened(b, 4<<30, captured(b, machines.Machine{Number: 10, Version: "1.4", Frames: 1_000_000 / 9}))
	for b.Loop() {
		asked(b, db, "select zone, p99(self_ms), sum(count) from calls group by zone")
	}
}
