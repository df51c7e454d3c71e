package history

import (
	"slices"
	"testing"

	"example.com/iprof/process/report"
)

func TestEqualBucketsBecomeOne(t *testing.T) {
	b := []report.CallBucket{{Low: 2, High: 3, Count: 5}, {Low: 1, High: 2, Count: 1}, {Low: 2, High: 3, Count: 4},
		{Low: 7, High: 8, Count: 2}, {Low: 1, High: 2, Count: 1}}
	want := []report.CallBucket{{Low: 1, High: 2, Count: 2}, {Low: 2, High: 3, Count: 9}, {Low: 7, High: 8, Count: 2}}
	if n := Merged(b); !slices.Equal(b[:n], want) {
		t.Errorf("got %v; want %v", b[:n], want)
	}
}
