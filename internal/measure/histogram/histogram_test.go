package histogram

import (
	"testing"
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

func TestEveryDurationHasItsBucket(t *testing.T) {
	was := Bucket{Low: -1, Width: 1}
	for o := range octaveCount {
		for step := range octaveSteps {
			b := bucketAt(o, step, 1)
			lowO, lowStep := bucketOf(b.Low)
			highO, highStep := bucketOf(b.Low + (b.Width - 1))
			if b.Low != was.Low+was.Width || lowO != o || lowStep != step || highO != o || highStep != step {
				t.Fatalf("bucket %d/%d: got %+v after %+v; want one that follows", o, step, b, was)
			}
			if at := BucketAt(b.Index(), 1); at != b || b.Index() != o*octaveSteps+step {
				t.Fatalf("bucket %d/%d has index %d: got %+v from it; want %+v", o, step, b.Index(), at, b)
			}
			was = b
		}
	}
	if got := was.Low + (was.Width - 1); got != platform.MaxTicks {
		t.Errorf("end of the last: got %d; want %d", got, platform.MaxTicks)
	}
	if BucketAt(-1, 1) != BucketAt(0, 1) || BucketAt(NumBuckets, 1) != BucketAt(NumBuckets-1, 1) {
		t.Error("an index out of range: got another bucket than the nearest")
	}
	if (&Histogram{}).Mean() != 0 || (&Histogram{}).Max() != 0 || (&Histogram{}).Deviation() != 0 {
		t.Error("empty: got a figure; want 0")
	}
}

// What is reserved for it is at least its size, and Free gives it all back.
func TestTheMemoryOfALiveIsCounted(t *testing.T) {
	before := budget.Held(budget.Calls)
	if !Reserve() {
		t.Fatal("got no memory for a Live")
	}
	var l Live
	size := int64(unsafe.Sizeof(l))
	if got := budget.Held(budget.Calls) - before; got < size || got > 2*size {
		t.Errorf("got %d bytes reserved; want at least %d, and no more than twice as many", got, size)
	}
	l.Free()
	if got := budget.Held(budget.Calls); got != before {
		t.Errorf("got %d bytes held at the end; want %d as before", got, before)
	}
}
