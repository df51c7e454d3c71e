package printed_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/iprof/internal/printed"
)

// A text that has room is whole. Another keeps as much of its beginning and its end as has room, in whole characters.
func TestMiddleKeepsBothEnds(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 62))
	of := func(char string) float32 { return float32(1 + len(char)%2) } // é is as narrow as half an a
	widthOf := func(s string) (width float32) {
		for _, r := range s {
			width += of(string(r))
		}
		return width
	}
	for range 2000 {
		s := ""
		for range random.IntN(60) {
			s += string([]rune("abcé日")[random.IntN(5)])
		}
		room, mark := float32(9+random.IntN(60)), float32(1)
		head, tail := printed.Middle(s, room, mark, of)
		if widthOf(s) <= room {
			if head != s || tail != "" {
				t.Fatalf("%q in %v: got %q and %q; want it whole", s, room, head, tail)
			}
			continue
		}
		got := widthOf(head) + mark + widthOf(tail)
		if !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) || head == "" || tail == "" || got > room ||
			got < room-4 || !utf8.ValidString(head+tail) {
			t.Fatalf("%q in %v: got %q and %q of %v; want both ends", s, room, head, tail, got)
		}
	}
}

// Characters without a width do not make a text longer than a terminal line.
func TestMiddleIsBounded(t *testing.T) {
	head, tail := printed.Middle(strings.Repeat("\u0301", 1<<20), 20, 3, func(string) float32 { return 0 })
	if n := len(head) + len(tail); n > 8*20 {
		t.Errorf("got %d bytes; want at most 8 for each cell", n)
	}
}
