package workload

import (
	"image"
	"math"
	"math/rand/v2"
	"time"

	"example.com/iprof"
)

// game is a small game. Robots roam a map of rooms, look for the player, push each other and explode now and then.
// The player walks by itself. The picture is the player's view.
type game struct {
	random  *rand.Rand
	world   *world
	paths   pathfinder
	robots  []robot // robots[0] is the player
	buckets [worldSize * worldSize][]int32
	sparks  []spark
	frame   int
	image   *image.RGBA
	depth   []float64 // per column of the picture
	order   []int32   // sprites, far to near
}

// robot is a moving robot: its position, speed, target and pose.
type robot struct {
	x, y, vx, vy float64
	heading      float64 // radians
	path         []cell  // rest of the way, next tile last
	alert        float64 // seconds for which it still hunts the player
	calm         float64 // seconds for which it ignores the player
	phase        float64 // of its walk
	pose         [bones]joint
}

// spark flies out of an explosion.
type spark struct{ x, y, z, vx, vy, vz, life float64 }

const (
	robotCount    = 320
	robotRadius   = 0.28
	robotSpeed    = 1.6 // tiles a second
	sightRange    = 12.0
	boredRange    = 2.5
	alertTime     = 2.0 // seconds
	calmTime      = 5.0
	explodeEvery  = 180 // frames: the spike to find
	sparksPerBang = 900
)

func newGame(o Options) *game {
	g := &game{random: rand.New(rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15)), image: o.picture(640, 360)}
	g.world = newWorld(g.random)
	g.robots = make([]robot, robotCount)
	for i := range g.robots {
		r := &g.robots[i]
		r.x, r.y = g.world.floor(g.random).centre()
		r.phase = g.random.Float64() * 2 * math.Pi
	}
	g.depth = make([]float64, g.image.Rect.Dx())
	return g
}

func (g *game) Step(dt time.Duration) error {
	defer iprof.Begin("game").End()
	seconds := min(max(dt.Seconds(), 0), 0.05)
	g.think(seconds)
	g.simulate(seconds)
	g.animate(seconds)
	g.render()
	g.frame++
	return nil
}

func (g *game) Picture() *image.RGBA { return g.image }
func (g *game) Replays() bool        { return false }
func (g *game) Close()               {}
