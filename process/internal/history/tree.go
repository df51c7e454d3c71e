package history

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Same returns the path of this tree with the same zones as a path of another tree, or -1.
func (t *Tree) Same(other *Tree, path int32) int32 {
	if path < 0 || int(path) >= len(other.Paths) {
		return -1
	}
	p := &other.Paths[path]
	above := int32(-1)
	if p.Parent >= 0 {
		if above = t.Same(other, p.Parent); above < 0 {
			return -1
		}
	}
	if at, ok := t.IDs[PathKey{above, p.Zone}]; ok {
		return at
	}
	return -1
}

// Path is a distinct stack of zones in the merged tree of all lanes.
type Path struct {
	_      [0]func() // not comparable: the code of == would be in each program
	Zone   report.ZoneID
	Parent int32 // path id; -1 for the root
	Same   int32 // nearest ancestor of the same zone, or -1
	Depth  int32 // number of ancestors of the same zone
	First  int32 // child added last, or -1
	Next   int32 // sibling added before, or -1
	Level  int32
	Idle   bool   // an Idle zone
	Block  bool   // idle, but its time counts against the frame budget: see Tree.SetIdle
	Birth  uint64 // sequence number of its first frame
}

// Tree gives path ids to stacks. A parent has a smaller id than its children.
type Tree struct {
	Paths  []Path
	IDs    map[PathKey]int32
	Folded uint64 // number of stacks beyond the limit
	blocks bool   // some path has Block
}

// Blocks reports whether a zone is blocked by something else than the program's choice. In an event-driven program, a
// waiting zone directly below the root waits for events and is not blocked.
func Blocks(z *gather.ZoneInfo, top, driven bool) bool {
	return z.Idle && z.Blocked && !(top && driven)
}

// SetIdle stores whether a path is idle, and whether it is blocked. An event-driven program has an idle root.
func (t *Tree) SetIdle(path int32, zones []gather.ZoneInfo) (idle bool) {
	p := &t.Paths[path]
	z := &zones[p.Zone]
	p.Idle, p.Block = z.Idle, Blocks(z, p.Parent == 0, zones[0].Idle)
	t.blocks = t.blocks || p.Block
	return p.Idle
}

// MaxPaths bounds a tree. Package gather bounds the stacks of live lanes, but lanes come and go. It is a variable for
// tests.
var MaxPaths = 1 << 20

// PathKey is a step down the tree.
type PathKey struct {
	Parent int32
	Zone   report.ZoneID
}

// Child finds or makes a path. Beyond the limit it returns the parent, which then counts everything below. It searches
// an ancestor of the same zone only for recursive zones, because stacks can be deep.
func (t *Tree) Child(parent int32, zone report.ZoneID, recursive bool, now uint64) int32 {
	key := PathKey{parent, zone}
	if id, ok := t.IDs[key]; ok {
		return id
	}
	if len(t.Paths) >= MaxPaths && parent >= 0 {
		t.Folded++
		return parent
	}
	if t.IDs == nil {
		t.IDs = make(map[PathKey]int32)
	}
	if parent < 0 {
		now = 0 // the root is in every frame, also before the first lane
	}
	p := Path{Zone: zone, Parent: parent, Same: -1, First: -1, Next: -1, Birth: now}
	for up := parent; up >= 0 && recursive; up = t.Paths[up].Parent {
		if t.Paths[up].Zone == zone {
			p.Same, p.Depth = up, t.Paths[up].Depth+1
			break
		}
	}
	if parent >= 0 {
		p.Level = t.Paths[parent].Level + 1
	}
	id := int32(len(t.Paths))
	if parent >= 0 {
		p.Next, t.Paths[parent].First = t.Paths[parent].First, id
	}
	t.Paths = append(t.Paths, p)
	t.IDs[key] = id
	return id
}
