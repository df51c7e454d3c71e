package process

import (
	"slices"
	"testing"
)

func TestEqualBucketsBecomeOne(t *testing.T) {
	b := []CallBucket{{2, 3, 5}, {1, 2, 1}, {2, 3, 4}, {7, 8, 2}, {1, 2, 1}}
	want := []CallBucket{{1, 2, 2}, {2, 3, 9}, {7, 8, 2}}
	if n := merged(b); !slices.Equal(b[:n], want) {
		t.Errorf("got %v; want %v", b[:n], want)
	}
}
