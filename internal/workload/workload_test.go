package workload

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// picture runs a workload for some steps and returns what it then shows.
func picture(t *testing.T, name string, seed uint64, steps int) []byte {
	t.Helper()
	w := must.Get(New(name, Options{Seed: seed, Width: 96, Height: 64}))(t)
	defer w.Close()
	for range steps {
		must.Do(t, w.Step(time.Second/60))
	}
	return bytes.Clone(w.Picture().Pix)
}

func TestEqualSeedsDoEqualWork(t *testing.T) {
	for _, name := range []string{"sphereflake", "game", "goroutines"} {
		t.Run(name, func(t *testing.T) {
			one := picture(t, name, 1, 12)
			if !bytes.Equal(one, picture(t, name, 1, 12)) {
				t.Errorf("%s: got two pictures from one seed; want the same", name)
			}
			if bytes.Equal(one, picture(t, name, 2, 12)) {
				t.Errorf("%s: got the same picture from two seeds; want two", name)
			}
		})
	}
}

func TestUnknownNameListsTheKnown(t *testing.T) {
	_, err := New("nonsense", Options{})
	if err == nil || !strings.Contains(err.Error(), "sphereflake, game, goroutines, replay") {
		t.Errorf("got %v; want an error that lists the workloads", err)
	}
}

func TestPipelineDrawsWhatOneGoroutineWould(t *testing.T) {
	p := newPipeline(Options{Seed: 1, Width: 100, Height: 70})
	defer p.Close()
	p.Step(time.Second / 60)
	got := append([]float32(nil), p.levels...)
	clear(p.levels)
	for y := range 70 {
		p.row(tile{p.image.Rect, edge(p.angle)}, y)
	}
	for i := range got {
		if got[i] != p.levels[i] {
			t.Fatalf("pixel %d: got %g; want %g", i, got[i], p.levels[i])
		}
	}
}

func TestClosingAPipelineTwiceDoesNotPanic(t *testing.T) {
	p := newPipeline(Options{})
	p.Close()
	p.Close()
}

func TestReplayWritesFramesItself(t *testing.T) {
	s := process.NewSession()
	w := must.Get(New("replay", Options{Seed: 1, Session: s}))(t)
	for range 3 {
		must.Do(t, w.Step(0))
	}
	if got := s.View().Info().Frames; got != 3 || !w.Replays() || w.Picture() != nil {
		t.Errorf("got %d frames, replays %v, picture %v; want 3, true, none", got, w.Replays(), w.Picture())
	}
}

func TestRaycastStopsAtTheFirstWall(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	w := newWorld(random)
	for range 300 {
		x, y := w.floor(random).centre()
		sin, cos := math.Sincos(random.Float64() * 2 * math.Pi)
		got := w.raycast(x, y, cos, sin, 20)
		want := 0.0
		for want < 20 && !w.solid(x+cos*want, y+sin*want) {
			want += 0.001
		}
		if math.Abs(got.distance-want) > 0.01 && !grazes(w, x+cos*want, y+sin*want) {
			t.Fatalf("raycast from %g,%g along %g,%g: got %g; want %g", x, y, cos, sin, got.distance, want)
		}
	}
}

// grazes reports whether a point is so near a tile's corner that stepping along a ray may miss it.
func grazes(_ *world, x, y float64) bool {
	return math.Abs(x-math.Round(x)) < 0.01 && math.Abs(y-math.Round(y)) < 0.01
}

func TestPathsLeadOverFreeNeighbours(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	w := newWorld(random)
	var p pathfinder
	found := 0
	for range 50 {
		start, goal := w.floor(random), w.floor(random)
		path := p.find(w, start, goal, nil)
		at := start
		for i := len(path) - 1; i >= 0; i-- {
			if math.Abs(float64(path[i].x-at.x))+math.Abs(float64(path[i].y-at.y)) != 1 ||
				w.at(path[i].x, path[i].y) != 0 {
				t.Fatalf("step from %v: got %v; want a free neighbour", at, path[i])
			}
			at = path[i]
		}
		if len(path) > 0 {
			found++
			if at != goal {
				t.Fatalf("end of the path: got %v; want %v", at, goal)
			}
		}
	}
	if found < 40 {
		t.Errorf("paths found: got %d of 50; want nearly all", found)
	}
}

func TestNoWayIsAnEmptyPath(t *testing.T) {
	w := &world{}
	for i := range w.wall {
		w.wall[i] = 1
	}
	w.set(cell{1, 1}, 0)
	w.set(cell{9, 9}, 0)
	var p pathfinder
	if got := p.find(w, cell{1, 1}, cell{9, 9}, nil); len(got) != 0 {
		t.Errorf("path through a wall: got %v; want none", got)
	}
}

func TestRobotsStayOutOfWallsAndExplode(t *testing.T) {
	g := newGame(Options{Seed: 2, Width: 64, Height: 48})
	sparks := 0
	for range explodeEvery + 5 {
		must.Do(t, g.Step(time.Second/60))
		sparks = max(sparks, len(g.sparks))
		for i, r := range g.robots {
			if math.IsNaN(r.x) || g.world.solid(r.x, r.y) {
				t.Fatalf("frame %d, robot %d: got %g,%g in a wall; want it on the floor", g.frame, i, r.x, r.y)
			}
		}
	}
	if sparks != sparksPerBang {
		t.Errorf("sparks of the explosion: got %d; want %d", sparks, sparksPerBang)
	}
}

func TestMovesEndARadiusBeforeTheWall(t *testing.T) {
	w := &world{}
	w.set(cell{9, 4}, 1)
	g := &game{world: w}
	for _, test := range []struct{ dx, dy, want float64 }{{8, 0, 9 - 4.5 - robotRadius}, {0.5, 0, 0.5}, {-1, 0, -1},
		{0, 0.25, 0.25}, {0, 0, 0}} {
		t.Run(fmt.Sprint(test.dx), func(t *testing.T) {
			if got := g.free(4.5, 4.5, test.dx, test.dy); math.Abs(got-test.want) > 1e-9 {
				t.Errorf("free(%g, %g): got %g; want %g", test.dx, test.dy, got, test.want)
			}
		})
	}
}

func TestRobotsWalk(t *testing.T) {
	g := newGame(Options{Seed: 2, Width: 64, Height: 48})
	before := append([]robot(nil), g.robots...)
	for range 60 {
		g.Step(time.Second / 60)
	}
	walked := 0
	for i, r := range g.robots {
		if math.Hypot(r.x-before[i].x, r.y-before[i].y) > 0.5 {
			walked++
		}
	}
	if walked < robotCount/2 {
		t.Errorf("robots that moved in a second: got %d; want at least %d", walked, robotCount/2)
	}
}

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
