package histogram_test

import (
	"fmt"

	"example.com/iprof/internal/measure/histogram"
	"example.com/iprof/platform"
)

func ExampleHistogram() {
	var h histogram.Histogram
	for took := range platform.Ticks(1001) {
		h.Add(took)
	}
	fmt.Println(h.Count, h.Mean(), h.Min(), h.Max())
	fmt.Println(h.Quantile(0.5), h.Quantile(0.99)) // 500 and 990, within 0.8 %
	// Output:
	// 1001 500 0 1003.5
	// 501.5 987.5
}

func ExampleBucketAt() {
	b := histogram.BucketAt(70, 3)
	fmt.Println(b.Low, b.Width, b.Count, b.Index())
	// Output: 70 1 3 70
}
