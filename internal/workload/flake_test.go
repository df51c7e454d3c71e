package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestFlakeHasTheClassicSize(t *testing.T) {
	for levels, want := range map[int]int{1: 1, 2: 10, 3: 91, 6: 66430} {
		t.Run(fmt.Sprint(levels), func(t *testing.T) {
			if got := flakeSize(levels); got != want {
				t.Errorf("flakeSize(%d): got %d; want %d", levels, got, want)
			}
		})
	}
	if got, want := len(newFlakeScene(4).balls), flakeSize(4); got != want {
		t.Errorf("balls at 4 levels: got %d; want %d", got, want)
	}
}

func TestBoundsHoldWhatGrowsOnABall(t *testing.T) {
	f := newFlakeScene(4)
	for i, b := range f.balls {
		for _, child := range f.balls[i:b.skip] {
			reach := math.Sqrt(child.centre.sub(b.centre).dot(child.centre.sub(b.centre))) + math.Sqrt(child.radius2)
			if reach > b.bound+1e-9 {
				t.Fatalf("ball %d: something on it reaches %g; want at most the bound %g", i, reach, b.bound)
			}
		}
	}
}

// meets lists how far along a ray each ball is met, without bounds.
func meets(f *flake, r ray) (hit int, distance float64) {
	hit, distance = -1, math.Inf(1)
	for i, b := range f.balls {
		to := b.centre.sub(r.from)
		along := to.dot(r.dir)
		if d := b.radius2 - to.dot(to) + along*along; d > 0 && along-math.Sqrt(d) > 0 && along-math.Sqrt(d) < distance {
			hit, distance = i, along-math.Sqrt(d)
		}
	}
	return hit, distance
}

func TestSearchesFindWhatAFullSearchFinds(t *testing.T) {
	f := newFlakeScene(3)
	random := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for i := range 4000 {
		from := vec{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}.unit().scale(2.2 - float64(i%2))
		// every second ray starts among the balls: some of them lie behind it
		aim := vec{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}.scale(0.8)
		r := ray{from, aim.sub(from).unit()}
		want, wantDistance := meets(f, r)
		got, distance := f.nearest(r)
		if got != want || got >= 0 && math.Abs(distance-wantDistance) > 1e-9 {
			t.Fatalf("nearest(%v): got ball %d at %g; want %d at %g", r, got, distance, want, wantDistance)
		}
		if got := f.blocked(r); got != (want >= 0) {
			t.Fatalf("blocked(%v): got %v; want %v", r, got, want >= 0)
		}
		if want >= 0 {
			hits++
		}
	}
	if hits < 1000 || hits > 3800 {
		t.Errorf("rays that hit: got %d of 4000; want a fair share of both", hits)
	}
}

func TestHooksDoNotChangeThePicture(t *testing.T) {
	f := NewFlake(4, 48)
	f.bounces = 1
	f.Run(NoHooks)
	want := f.Checksum()
	for _, h := range []Hooks{Timestamps, Zones} {
		clear(f.image.Pix)
		f.Run(h)
		if got := f.Checksum(); got != want {
			t.Errorf("hooks %d: got checksum %x; want %x", h, got, want)
		}
	}
}

func TestBenchmarkOpensAboutTenMillionZones(t *testing.T) {
	small := NewFlake(6, 64).Zones() // a 256th of the full picture
	if got := small * 256; got < 9_500_000 || got > 11_000_000 {
		t.Errorf("zones at 1,024 pixels, scaled up: got %d; want about 10 million", got)
	}
}
