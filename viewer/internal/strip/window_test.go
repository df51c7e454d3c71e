package strip

import (
	"math/rand/v2"
	"testing"
)

// Whatever frame is chosen, it is in sight. A frame that was beyond an edge has a tenth of the window between itself
// and that edge. A frame that was in sight moves nothing.
func TestTheWindowFollowsTheFrame(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	var s Strip
	now := s.Wants(1, 0)
	for range 5000 {
		age, before := random.IntN(2000), now
		now = s.Wants(1, age)
		newest, oldest := now.Skip, now.Skip+now.Frames-1
		margin := now.Frames / 10
		switch {
		case age < newest || age > oldest:
			t.Fatalf("age %d: got ages %d to %d; want it in sight", age, newest, oldest)
		case age > 0 && age >= before.Skip && age < before.Skip+before.Frames:
			if now.Skip != before.Skip {
				t.Fatalf("age %d: got the window at %d; want it to stay at %d", age, now.Skip, before.Skip)
			}
		case age > before.Skip && oldest-age != margin:
			t.Fatalf("age %d: got %d frames to the left; want %d", age, oldest-age, margin)
		case age > 0 && age < before.Skip && age-newest != min(margin, age):
			t.Fatalf("age %d: got %d frames to the right; want %d", age, age-newest, min(margin, age))
		}
	}
}
