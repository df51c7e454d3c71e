package platform

import "runtime/metrics"

// OthersWait reports whether all goroutines but the caller's wait. It returns false if that is not known: with a Go
// older than 1.26, or if a goroutine is in a system call. Any goroutine may call it; it takes less than a microsecond.
func OthersWait() bool {
	samples := [...]metrics.Sample{{Name: "/sched/goroutines/running:goroutines"},
		{Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/goroutines/not-in-go:goroutines"}}
	metrics.Read(samples[:])
	sum := uint64(0)
	for i := range samples {
		if samples[i].Value.Kind() != metrics.KindUint64 {
			return false
		}
		sum += samples[i].Value.Uint64()
	}
	return sum <= 1
}
