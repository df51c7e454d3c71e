package main

import "example.com/iprof/internal/asjson"

// comparison returns the difference for JSON. Profiles have no frames, so their noise is not known.
func (d *difference) comparison() *asjson.Comparison {
	out := &asjson.Comparison{Unit: unitFrame, Slower: d.Slower, Busy: d.Busy,
		Changes: []asjson.Change{}}
	switch d.profiles {
	case "":
	case profileNames:
		out.Unit = unitSecond
	default:
		out.Unit = "ms"
	}
	for i := range d.Changes {
		c := &d.Changes[i]
		change := changeOf(c.Name, c.Before, c.After, c.Verdict)
		change.Site, change.Caller = asjson.SiteOf(c.Info), asjson.Text(c.Caller)
		if d.profiles == "" {
			change.Noise = &c.Noise
		}
		out.Changes = append(out.Changes, change)
	}
	return out
}

// comparison returns the difference for JSON.
func (d *fleetDifference) comparison() *asjson.Comparison {
	out := &asjson.Comparison{Unit: d.Unit, Method: d.Method, Machines: &d.Machines, Slower: d.Slower,
		Changes: []asjson.Change{}}
	for i := range d.Changes {
		c := &d.Changes[i]
		change := changeOf(c.Name, c.Before, c.After, c.Verdict)
		change.Evened, change.Chance = c.Evened, &c.Chance
		out.Changes = append(out.Changes, change)
	}
	return out
}

func changeOf(name string, before, after float64, verdict string) asjson.Change {
	return asjson.Change{Zone: asjson.Text(name), Before: before, After: after, Verdict: verdict}
}
