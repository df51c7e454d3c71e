package budget

import "testing"

// The oracle is the sum of what was added.
func TestRoomIsTheLimitLessWhatIsHeld(t *testing.T) {
	defer SetLimit(Default)
	if Limit() != Default || Total() != 0 {
		t.Fatalf("got a limit of %d, %d held; want %d, 0", Limit(), Total(), Default)
	}
	SetLimit(1000)
	held := int64(0)
	for i, bytes := range []int64{300, 200, -100, 350, 250} {
		was, fits := Refused(), held+bytes <= 1000
		if got := Fits(bytes); got != fits || Refused()-was != map[bool]uint64{true: 0, false: 1}[fits] {
			t.Errorf("%d: fits: got %t, %d refused; want %t", i, got, Refused()-was, fits)
		}
		kind := Kind(i % int(kinds))
		before := Held(kind)
		held += bytes
		ever, times := Taken()
		if got := Add(kind, bytes); got != before+bytes || Held(kind) != got || Total() != held {
			t.Errorf("%d: got %d of the kind, %d in all; want %d, %d", i, got, Total(), before+bytes, held)
		}
		now, objects := Taken()
		if grown := int64(now - ever); grown != max(bytes, 0) || objects-times != uint64(min(grown, 1)) {
			t.Errorf("%d: got %d bytes and %d objects more; want what is not freed", i, grown, objects-times)
		}
		if HasSpare() != (held <= 1125) || IsScarce() != (held > 750) {
			t.Errorf("%d held: got spare %t, scarce %t", held, HasSpare(), IsScarce())
		}
		defer Add(kind, -bytes)
	}
	if !HasRoom(0) || HasRoom(1) {
		t.Errorf("%d of 1000 held: got room %t for 0, %t for 1; want true, false", held, HasRoom(0), HasRoom(1))
	}
}
