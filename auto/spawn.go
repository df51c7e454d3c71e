package auto

import (
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/quiet"
	"example.com/iprof/process/report"
)

// Spawn is a go statement of the program. The zero value is ready to use.
type Spawn struct {
	count atomic.Uint64 // executions
	site  *spawnSite
}

// spawnSite is the go statements of one line: lanes do not tell them apart.
type spawnSite struct {
	crowd  string // of its goroutines' lanes: see report.Crowd
	spawns []*Spawn
	paths  []*spawnPath // at most mostPaths
}

// spawnPath is the zones that were open at a go statement.
type spawnPath struct {
	zones []string // outermost first
	count int      // executions that were noted
}

const (
	notedAll   = 64 // the first executions of a go statement, each of which is noted
	notedLater = 64 // of later ones, one in this many is noted: a note takes a microsecond
	mostPaths  = 32 // paths that are kept for a line
)

// spawns has the lines with go statements that were executed. Its mutex guards all that they have but for counts.
var spawns struct {
	quiet.Mutex
	list []*spawnSite
}

// Note counts an execution of the go statement behind the call, and keeps which zones are open. Any goroutine may call
// it. It is not inlined: in the program's own packages the race detector would see the count, and take all goroutines
// that run through one go statement as ordered.
//
//go:noinline
func (s *Spawn) Note() {
	if n := s.count.Add(1); n <= notedAll || n%notedLater == 0 {
		s.note()
	}
}

func (s *Spawn) note() {
	_, zones := measure.Underway()
	spawns.Lock()
	defer spawns.Unlock()
	if s.site == nil {
		s.site = siteOf(crowdOf(callerOfNote))
		s.site.spawns = append(s.site.spawns, s)
	}
	s.site.note(zones)
}

// note counts an execution with these zones open. The mutex is held.
func (s *spawnSite) note(zones []string) {
	for _, p := range s.paths {
		if p.has(zones) {
			p.count++
			return
		}
	}
	if len(s.paths) < mostPaths {
		s.paths = append(s.paths, &spawnPath{zones: zones, count: 1})
	}
}

// has reports whether the path has these zones.
func (p *spawnPath) has(zones []string) bool {
	if len(p.zones) != len(zones) {
		return false
	}
	for i := range zones {
		if p.zones[i] != zones[i] {
			return false
		}
	}
	return true
}

// siteOf returns the site of a crowd. The mutex is held.
func siteOf(crowd string) *spawnSite {
	for _, s := range spawns.list {
		if s.crowd == crowd {
			return s
		}
	}
	s := &spawnSite{crowd: crowd}
	spawns.list = append(spawns.list, s)
	return s
}

// callerOfNote is the number of frames of the stack between crowdOf and the function with the go statement.
const callerOfNote = 3

// crowdOf returns the name by which lanes say which go statement made them.
func crowdOf(skip int) string {
	pc, file, line, _ := runtime.Caller(skip)
	function := runtime.FuncForPC(pc).Name()
	function = function[strings.LastIndexByte(function, '/')+1:]
	return function + " " + filepath.Base(file) + ":" + strconv.Itoa(line) // fmt has locks
}

// main returns the path that was noted most often.
func (s *spawnSite) main() []string {
	var best *spawnPath
	for _, p := range s.paths {
		if best == nil || p.count > best.count || p.count == best.count && slices.Compare(p.zones, best.zones) < 0 {
			best = p
		}
	}
	return best.zones
}

// goroutines returns how many goroutines were started.
func (s *spawnSite) goroutines() (n uint64) {
	for _, one := range s.spawns {
		n += one.count.Load()
	}
	return n
}

// spawned returns the go statements that were executed.
func spawned() []report.Spawn {
	spawns.Lock()
	defer spawns.Unlock()
	list := make([]report.Spawn, len(spawns.list))
	for i, s := range spawns.list {
		list[i] = report.Spawn{Crowd: s.crowd, Path: s.main(), Goroutines: s.goroutines(), Paths: len(s.paths)}
	}
	return list
}
