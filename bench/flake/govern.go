package main

import "example.com/iprof/gather"

// block is the number of scan lines in a frame, some five milliseconds: other load of the machine rarely changes within
// that time.
const block = 4

// account has the sums of a program's frames, in seconds.
type account struct {
	Zones  map[string]zoneAccount
	Cost   float64 // cost of measuring, by the profiler's estimate
	Length float64
}

// zoneAccount is a zone's part of it.
type zoneAccount struct {
	Entries  uint64
	Self     float64
	Cost     float64 // the part for measuring, by the profiler's estimate
	Variance float64
}

// governedTimes is the second round.
type governedTimes struct {
	programs [len(limited)]governedProgram
	limit    float64
}

// governedProgram has the times of one program without zones and with them, and its accounts, by run and by line or
// frame.
type governedProgram struct {
	times    times
	accounts [][]account
}

// limited chooses the programs of the second round that are governed. Two are. The other two have every entry timed,
// which shows how far two measurements of the same zone differ. Each program is a process of its own, as a governor
// that is switched off and on begins anew. Each also traces every line without zones, on the same machine and with
// the same place of its memory.
var limited = [...]bool{true, true, false, false}

// govern starts new processes for each run: the place of its memory makes the zones of a process some per cent slower
// or faster for its whole life.
func govern(lines, runs int, limit float64) (*governedTimes, error) {
	g := &governedTimes{limit: limit}
	for p := range g.programs {
		g.programs[p] = governedProgram{times{make([][]float64, runs), make([][]float64, runs)},
			make([][]account, runs)}
	}
	for run := range runs {
		if err := g.measure(lines, run); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// measure makes the programs trace blocks in turn, so that disturbances hit all of them alike.
func (g *governedTimes) measure(lines, run int) error {
	var parts [len(limited)]*part
	for p := range parts {
		it, err := start(p)
		if err != nil {
			return err
		}
		defer it.stop()
		parts[p] = it
	}
	for y := 0; y < lines; y += block {
		for turn := range parts {
			p := (turn + run + y/block) % len(parts)
			t, err := parts[p].trace(span{y, min(y+block, lines)})
			if err != nil {
				return err
			}
			g.programs[p].add(run, &t)
		}
	}
	return nil
}

func (p *governedProgram) add(run int, t *traced) {
	p.times[0][run] = append(p.times[0][run], t.Plain...)
	p.times[1][run] = append(p.times[1][run], t.Zones...)
	p.accounts[run] = append(p.accounts[run], t.Account)
}

// join adds the sums of another frame.
func (a *account) join(b *account) {
	for name, more := range b.Zones {
		a.update(name, func(z *zoneAccount) {
			z.Entries += more.Entries
			z.Self += more.Self
			z.Cost += more.Cost
			z.Variance += more.Variance
		})
	}
	a.Cost += b.Cost
	a.Length += b.Length
}

func (a *account) update(zone string, change func(*zoneAccount)) {
	if a.Zones == nil {
		a.Zones = map[string]zoneAccount{}
	}
	z := a.Zones[zone]
	change(&z)
	a.Zones[zone] = z
}

// add adds a frame.
func (a *account) add(f *gather.Frame) {
	const fraction = 1024 // of a tick, that costs are in
	seconds := 1 / f.TicksPerSecond
	inside := float64(f.InsideCost) / max(float64(f.ScopeCost), 1)
	for _, lane := range f.Lanes {
		scope, count := f.CostsOn(&lane)
		entries := 0.0
		for _, n := range lane.Nodes {
			entries += float64(n.Count)
		}
		untimed := float64(lane.Untimed) / max(entries, 1)
		timing, counting := (1-untimed)*float64(scope)/fraction, untimed*float64(count)/fraction
		own, around := (timing+counting)*inside, (timing+counting)*(1-inside)
		for i, n := range lane.Nodes {
			count := float64(n.Count) * seconds
			a.update(f.Zones[n.Zone].Name, func(z *zoneAccount) {
				z.Entries += uint64(n.Count)
				z.Self += float64(n.Self) * seconds
				z.Variance += lane.Extra(i).Variance * seconds * seconds
				z.Cost += count * own
			})
			if n.Parent >= 0 {
				a.update(f.Zones[lane.Nodes[n.Parent].Zone].Name, func(z *zoneAccount) { z.Cost += count * around })
			}
		}
		a.Cost += entries * (timing + counting) * seconds
		a.Length += float64(lane.End-lane.Begin) * seconds
	}
}
