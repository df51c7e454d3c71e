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
