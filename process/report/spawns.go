package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/iprof/gather"
)

// Crowd returns the go statement in a lane's name: "main.serve server.go:42" for "main.serve server.go:42 #7", for
// "main.serve server.go:42 (ended)" and for "main.serve server.go:42 (parked)". It returns "" for other names.
func Crowd(lane string) string {
	for _, end := range mergedEnds {
		if crowd, all := strings.CutSuffix(lane, end); all {
			return crowd
		}
	}
	at := strings.LastIndex(lane, " #")
	if at < 0 {
		return ""
	}
	if _, err := strconv.ParseUint(lane[at+2:], 10, 64); err != nil {
		return ""
	}
	return lane[:at]
}

// NamePattern returns a lane's name with a star for each part that differs between like names: "worker *" for
// "worker 17", "conn *.*.*.*:*" for an address, "job *" for "job 3fa9c0". A part is the end of a word from its first
// digit on, or the whole word if it is a hexadecimal number of at least four digits.
func NamePattern(lane string) string {
	if strings.IndexFunc(lane, unicode.IsDigit) < 0 {
		return lane
	}
	var b strings.Builder
	for len(lane) > 0 {
		word := strings.IndexFunc(lane, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if word < 0 {
			word = len(lane)
		}
		at := strings.IndexFunc(lane[:word], unicode.IsDigit)
		switch {
		case at < 0:
			b.WriteString(lane[:word])
		case word < 4 || strings.Trim(lane[:word], "0123456789abcdefABCDEF") != "":
			b.WriteString(lane[:at])
			fallthrough
		default:
			b.WriteByte('*')
		}
		lane = lane[word:]
		_, size := utf8.DecodeRuneInString(lane)
		b.WriteString(lane[:size])
		lane = lane[size:]
	}
	return b.String()
}

// Merged reports whether a lane's name is that of a lane that stands for several goroutines, such as
// "main.serve server.go:42 (ended)" or "(unmeasured goroutines)".
func Merged(lane string) bool {
	for _, end := range mergedEnds {
		if strings.HasSuffix(lane, end) {
			return true
		}
	}
	return strings.HasSuffix(lane, " goroutines)")
}

// mergedEnds are the ends of the names of lanes that stand for several goroutines of a go statement. Older captures
// have "(asleep)".
var mergedEnds = [...]string{" (ended)", " (parked)", " (asleep)"}

// Spawn is a go statement of the program.
type Spawn struct {
	Crowd string   // of its goroutines' lanes, such as "main.serve server.go:42": see Crowd
	Path  []string // names of the zones that are open at the statement, outermost first

	Goroutines uint64 // number of goroutines that it has started
	Paths      int    // number of paths that led to it; Path is the most frequent one
}

// SpawnTimes has the times of a go statement, in milliseconds. Own and Waited are times of the zone with the statement,
// on the goroutine that executes it, with all zones below.
type SpawnTimes struct {
	Spawn
	Own     float64 // outside idle zones
	Waited  float64 // in idle zones
	Spawned float64 // time of the statement's goroutines in zones that are not idle
}

// TimesOfSpawns returns the times of go statements in the lanes of a Dump with AllLanes, in the order of spawns. A
// statement outside zones has no Own and no Waited. Spawned leaves out goroutines that the statement's goroutines
// start.
func TimesOfSpawns(d *Dump, spawns []Spawn) []SpawnTimes {
	times := make([]SpawnTimes, len(spawns))
	for i, s := range spawns {
		times[i].Spawn = s
	}
	for i := range d.Lanes {
		crowd := Crowd(d.Lanes[i].Name)
		for n, s := range spawns {
			times[n].add(d.Lanes[i].Nodes, d.Zones, &s, crowd != "" && crowd == s.Crowd)
		}
	}
	return times
}

// add adds the times of a lane. spawned is true if the statement made the lane's goroutine.
func (f *SpawnTimes) add(nodes []TreeNode, zones []gather.ZoneInfo, s *Spawn, spawned bool) {
	depth := make([]int, len(nodes)) // number of names of the path that the node and its ancestors match
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
		if spawned && !n.Idle {
			f.Spawned += n.Self
		}
	}
}
