package process

import (
	"slices"
	"testing"
)

func TestEqualBucketsBecomeOne(t *testing.T) {
	b := []CallBucket{{Low: 2, High: 3, Count: 5}, {Low: 1, High: 2, Count: 1}, {Low: 2, High: 3, Count: 4},
		{Low: 7, High: 8, Count: 2}, {Low: 1, High: 2, Count: 1}}
	want := []CallBucket{{Low: 1, High: 2, Count: 2}, {Low: 2, High: 3, Count: 9}, {Low: 7, High: 8, Count: 2}}
	if n := merged(b); !slices.Equal(b[:n], want) {
		t.Errorf("got %v; want %v", b[:n], want)
	}
}
