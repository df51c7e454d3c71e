package viewer_test

import "example.com/iprof/process/report"

// demoSpike is the age of the demo's frame that has a verdict.
const demoSpike = 93

// verdict explains the frame of the spike in physics_solve and broadphase.
func (d *demo) verdict() report.Verdict {
	f := d.memory[d.at()]
	usual := d.memory[d.at()-1]
	v := report.Verdict{Index: f.Index, Frames: 1, Over: f.Over, Time: float64(f.Length), Usual: float64(usual.Length),
		Excess: float64(f.Length - usual.Length), Budget: d.budget.Seconds() * 1000}
	for _, c := range []struct{ name, caller string }{{"physics_solve", "simulate"}, {"broadphase", "physics_solve"}} {
		at := d.find(c.name)
		now, before := float64(d.zones[at].self[d.at()]), float64(d.zones[at].self[d.at()-1])
		v.Causes = append(v.Causes, report.Cause{Kind: report.CauseLonger, Zone: report.ZoneID(at), Path: int32(at),
			Name: d.nameOf(report.ZoneID(at)), Callers: []string{d.nameOf(report.ZoneID(d.find(c.caller)))},
			Self: c.name == "physics_solve", Time: now, Usual: before, Excess: now - before,
			Count: d.zones[at].count, Often: d.zones[at].count})
	}
	return v
}
