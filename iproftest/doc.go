// Package iproftest checks the times and counts of zones in tests.
//
//	func TestFrame(t *testing.T) {
//		world := load()
//		iproftest.Run(t, 200, world.Step,
//			iproftest.Budget("physics", iproftest.P99, 2*time.Millisecond),
//			iproftest.Calls("path search", 10),
//			iproftest.Allocs(0),
//			iproftest.Baseline("testdata/step.iprof"))
//	}
//
//	func BenchmarkFrame(b *testing.B) { iproftest.Benchmark(b, load().Step, "physics", "render") }
//
// A failed check names the slowest frame and explains it. [Run] measures the whole program, so tests that use it do not
// run in parallel with others that enter zones. Programs built with the tag iprof_off skip these tests. [NoLeaks] fails
// a test that leaves goroutines behind.
package iproftest
