package sampledump

import (
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Arranged returns a session with a baseline and a later frame, in a mode and an arrangement. Its zones are of three
// packages, and one has no known position.
func Arranged(mode report.ReportMode, a report.Arrangement) *process.Session {
	s := process.NewSession()
	w := world.New(s)
	w.Next.Index, w.Next.TicksPerSecond = 41, 1e6
	collide := func(ms float64, times uint32) *world.Part {
		return world.Zone("collide", ms).Times(times).At("example.com/game/world.collide", "/game/world/collide.go", 70)
	}
	shadows := world.Zone("shadows", 1.5, collide(0.2, 9)) // the renderer calls the world
	shadows.Times(4).At("example.com/game/render.(*Scene).shadows", "/game/render/shadow.go", 40)
	draw := world.Zone("draw", 2, shadows).At("example.com/game/render.Draw", "/game/render/draw.go", 10)
	physics := world.Zone("physics", 3, collide(0.7, 30))
	physics.Times(2).At("example.com/game/world.Step", "/game/world/step.go", 7)
	lane := world.Lane("main", draw, physics, world.Zone("\x1b[31mnetwork", 0.4).At("", "/game/net/poll.go", 3),
		world.Zone("somewhere", 0.1).Times(3))
	lane.Ms = 1
	w.Write(lane)
	s.View().Set(report.View{Mode: report.ReportSelfTime, Average: report.AverageInstant})
	s.View().PinBaseline()
	draw.Ms, physics.Ms = draw.Ms+0.6, physics.Ms-0.6
	added := world.Zone("added later", 0.25).At("example.com/game/world.Added", "/game/world/added.go", 1)
	physics.Inner = append(physics.Inner, added)
	w.Write(lane)
	s.View().Set(report.View{Mode: mode, Average: report.AverageInstant, Focus: 4, Arrangement: a})
	return s
}
