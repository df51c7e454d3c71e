package viewer_test

import (
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// solveText is the function of the zone physics_solve. Its second line is that of the zone.
const solveText = `func (w *World) solve(dt float64) {
	defer zoneSolve.Begin().End()
	for step := range w.steps(dt) {
		w.findPairs(step)
		if w.contacts > mostContacts {
			w.findPairs(step.half())
		}
	}
	for _, b := range w.bodies {
		if b.awake() { // the others rest, and nothing that touches them has moved in this frame or before
			b.join(w.split)
		}
	}
	w.split(w.joined)
	w.settle()
}`

// elsewhere gives the zones inside physics_solve places in other functions. Nothing there calls that of ccd.
func (d *demo) elsewhere(zone report.ZoneID, z gather.ZoneInfo) gather.ZoneInfo {
	switch d.zones[zone].name {
	case "physics_solve":
		z.Function, z.File, z.Line = "voxel/sim.(*World).solve", "/game/engine/world.go", 88
	case "broadphase":
		z.Function = "voxel/sim.(*World).findPairs"
	case "islands":
		z.Function, z.File = "voxel/sim.(*World).split", "/game/engine/islands.go"
	case "ccd":
		z.Function, z.File = "voxel/sim.(*Sweep).continuous", "/game/engine/sweep.go"
	}
	return z
}

// source has the function of the zone physics_solve.
func (d *demo) source(zone gather.ZoneInfo) *report.Code {
	if zone.Name != "physics_solve" {
		return &report.Code{Why: "not here"}
	}
	return &report.Code{Function: "solve", First: 87, Lines: strings.Split(solveText, "\n"),
		Calls: []report.CodeCall{{Line: 89, Function: "steps"}, {Line: 90, Function: "findPairs"},
			{Line: 92, Function: "findPairs"}, {Line: 96, Function: "awake"}, {Line: 97, Function: "join"},
			{Line: 100, Function: "split"}, {Line: 101, Function: "settle"}}}
}

// hotLines has samples of the zone physics_solve.
func (d *demo) hotLines() *report.HotLines {
	world := func(line, samples int, text string) report.HotLine {
		return report.HotLine{Function: "voxel/sim.(*World).solve", File: "/game/engine/world.go", Line: line,
			Samples: samples, Text: text}
	}
	return &report.HotLines{Zone: report.ZoneID(d.find("physics_solve")), Samples: 412, Others: 1200, Outside: 180,
		Lines: []report.HotLine{world(96, 171, "if b.awake() { // the others rest, and nothing"),
			{Function: "voxel/sim.(*Body).awake", File: "/game/engine/body.go", Line: 31, Samples: 90,
				Text: "return b.energy > least && b.distance(camera) < far"},
			{Function: "runtime.mapaccess1_fast64", File: "/go/src/runtime/map.go", Line: 12, Samples: 83},
			world(89, 40, "for step := range w.steps(dt) {"), world(95, 28, "for _, b := range w.bodies {")},
		Functions: []report.HotFunction{{Function: "voxel/sim.(*World).solve", Samples: 239},
			{Function: "voxel/sim.(*Body).awake", Samples: 90}, {Function: "runtime.mapaccess1_fast64", Samples: 83}}}
}

// rowNamed returns the row of a zone, 0 if there is none.
func rowNamed(d *demo, zone string) int {
	var r report.Report
	d.AppendReport(&r)
	for i := range r.Records {
		if r.Records[i].Zone == report.ZoneID(d.find(zone)) {
			return i
		}
	}
	return 0
}
