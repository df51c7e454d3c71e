package process

// path is a distinct stack of zones in the merged tree of all lanes.
type path struct {
	zone   ZoneID
	parent int32 // path id; -1 for the root
	same   int32 // nearest path above of the same zone, -1 for none
	depth  int32 // number of paths above of the same zone
	first  int32 // child added last, -1 for none
	next   int32 // sibling added before, -1 for none
	level  int32
	idle   bool   // an Idle zone
	birth  uint64 // sequence number of its first frame
}

// tree gives path ids to stacks. A parent has a smaller id than its children.
type tree struct {
	paths  []path
	ids    map[pathKey]int32
	folded uint64 // number of stacks beyond the limit
}

// mostPaths bounds a tree. Package gather bounds the stacks of live lanes, but lanes come and go. It is a variable for
// tests.
var mostPaths = 1 << 20

// pathKey is a step down the tree.
type pathKey struct {
	parent int32
	zone   ZoneID
}

// child finds or makes a path. Beyond the limit it returns the parent, which then counts all that is below. Only for
// recursive zones it looks for a path above of the same zone, because stacks can be deep.
func (t *tree) child(parent int32, zone ZoneID, recursive bool, now uint64) int32 {
	key := pathKey{parent, zone}
	if id, ok := t.ids[key]; ok {
		return id
	}
	if len(t.paths) >= mostPaths && parent >= 0 {
		t.folded++
		return parent
	}
	if t.ids == nil {
		t.ids = make(map[pathKey]int32)
	}
	p := path{zone: zone, parent: parent, same: -1, first: -1, next: -1, birth: now}
	for up := parent; up >= 0 && recursive; up = t.paths[up].parent {
		if t.paths[up].zone == zone {
			p.same, p.depth = up, t.paths[up].depth+1
			break
		}
	}
	if parent >= 0 {
		p.level = t.paths[parent].level + 1
	}
	id := int32(len(t.paths))
	if parent >= 0 {
		p.next, t.paths[parent].first = t.paths[parent].first, id
	}
	t.paths = append(t.paths, p)
	t.ids[key] = id
	return id
}
