package process

import (
	"cmp"
	"slices"
	"time"

	"example.com/iprof/gather"
)

// Spawn is a go statement of the program.
type Spawn struct {
	Crowd string   // of its goroutines' lanes, such as "main.serve server.go:42": see Crowd
	Path  []string // names of the zones that are open at the statement, outermost first

	Goroutines uint64 // that it has started
	Paths      int    // how many paths led to it; Path is the most frequent one
}

// Fork has the times of a go statement, in milliseconds. Own and Waited are those of the zone with the statement: on
// its goroutine, with all zones below it.
type Fork struct {
	Spawn
	Own    float64 // outside idle zones
	Waited float64 // in idle zones
	Forked float64 // of the goroutines that the statement made: in zones that are not idle
}

// Forks returns the times of go statements in the lanes of a Dump with AllLanes, in the order of spawns. A statement
// outside zones has no Own and no Waited. What the goroutines of a statement start themselves is not in its Forked.
func Forks(d *Dump, spawns []Spawn) []Fork {
	forks := make([]Fork, len(spawns))
	for i, s := range spawns {
		forks[i].Spawn = s
	}
	for i := range d.Lanes {
		crowd := Crowd(d.Lanes[i].Name)
		for n, s := range spawns {
			forks[n].add(d.Lanes[i].Nodes, d.Zones, &s, crowd != "" && crowd == s.Crowd)
		}
	}
	return forks
}

// add adds the times of a lane. forked says that the statement made its goroutine.
func (f *Fork) add(nodes []TreeNode, zones []gather.ZoneInfo, s *Spawn, forked bool) {
	depth := make([]int, len(nodes)) // how many names of the path the node and those above it are
	for i, n := range nodes {
		if n.Parent < 0 {
			continue
		}
		above := depth[n.Parent]
		depth[i] = above
		switch {
		case above == len(s.Path): // inside
		case above == int(n.Level)-1 && zones[n.Zone].Name == s.Path[above]:
			depth[i]++
		}
		inside := len(s.Path) > 0 && depth[i] == len(s.Path)
		switch {
		case inside && n.Idle:
			f.Waited += n.Self
		case inside:
			f.Own += n.Self
		}
		if forked && !n.Idle {
			f.Forked += n.Self
		}
	}
}

// SetSpawns says what returns the program's go statements, for Dump.Forks: see package auto. The function must not call
// the session. nil, the default, is none. Any goroutine may call SetSpawns, and the session calls the function on any.
func (s *Session) SetSpawns(spawns func() []Spawn) {
	s.change()
	defer s.mu.Unlock()
	s.spawns = spawns
}

// Forks returns the go statements of SetSpawns and their times, those with the most Forked first: as Dump.Forks, but
// without the rest. Any goroutine may call it.
func (s *Session) Forks() []Fork {
	s.lock()
	defer s.mu.Unlock()
	return s.dumped().forks()
}

func (d *dumped) forks() []Fork {
	if d.spawns == nil {
		return nil
	}
	spawns := d.spawns()
	if len(spawns) == 0 {
		return nil
	}
	list := Forks(fillDump(d, DumpOptions{NoHistory: true, AllLanes: true}, time.Now()), spawns)
	slices.SortStableFunc(list, func(a, b Fork) int { return cmp.Compare(b.Forked, a.Forked) })
	return list
}
