package sampledump

import "example.com/iprof/process/report"

// verdict returns a verdict with all fields, for a frame in which a zone took longer than usual.
func verdict(index uint64, time, excess float64, zone report.ZoneID, path int32, name, caller string) report.Verdict {
	return report.Verdict{Index: index, Frames: 1, Over: true, Time: time, Usual: time - excess, Excess: excess,
		Budget: 1000. / 60,
		Causes: []report.Cause{
			{Kind: report.CauseLonger, Zone: zone, Path: path, Name: name, Callers: []string{caller},
				Time: excess + 1.25, Usual: 1.25, Spread: 0.2, Excess: excess, Count: 12, Often: 12},
			{Kind: report.CauseCollector, Zone: zone, Path: path, Name: name, Callers: []string{caller},
				Time: 0.4 * excess, Excess: 0.4 * excess},
		}}
}

// explain gives each frame over budget a verdict that blames the zone with a name.
func explain(d *report.Dump, name string) {
	for i := range d.FrameTrees {
		t := &d.FrameTrees[i]
		f := d.History[int(t.Index-d.History[0].Index)]
		for at := range t.Nodes {
			if n := &t.Nodes[at]; f.Over && d.Zones[n.Zone].Name == name {
				caller := d.Zones[t.Nodes[n.Parent].Zone].Name
				t.Verdict = verdict(t.Index, float64(f.Length), spike/1000, n.Zone, n.Path, name, caller)
				d.Verdict = t.Verdict
			}
		}
	}
}
