package auto

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/iprof/auto/internal/samples"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/platform"
)

const (
	sampleRate = 100    // samples a second of processor time
	mostPlaces = 10_000 // distinct samples kept
	recordHead = 3      // words of a record before its stack: length, time, count
)

// The first reading of the profile is at readFirst of processor time. The next one is at three times that of the last,
// but at most readMost later, because the runtime has room for only some 1,000 deep stacks. Readings are rare because
// each one allocates that buffer, 1 MB, again.
const (
	readFirst = 250 * time.Millisecond
	readMost  = 8 * time.Second
)

// Sample is a place where the CPU profiler found the program.
type Sample = sampled.Sample

// Foreign stands in Notes.Outside in place of a package for code of other languages.
const Foreign = sampled.Foreign

// lines holds the samples so far. The goroutine of keep and finish read the profile in turn.
var lines struct {
	sync.Mutex
	on, begun bool
	module    string
	due       time.Duration // processor time at the next reading of the profile
	places    map[Sample]int
	stack     []sampled.Line // reused
	all       int            // samples
	outside   map[string]int // of these, by package: see Notes.Outside
	lost      bool
	measuring int  // samples in the profiler, called by functions with a zone
	yielded   bool // the program profiles itself
}

// HasLines reports whether this package reads the CPU profile on a system. Some systems are excluded because it was not
// tested there.
func HasLines(system string) bool { return system != "windows" && system != "darwin" }

// beginLines starts the CPU profiler if the settings ask for lines.
func beginLines(s Settings) {
	if !s.Lines || !HasLines(runtime.GOOS) {
		return
	}
	lines.on = true
	lines.due = readFirst
	lines.places = map[Sample]int{}
	lines.module = s.Module
	lines.outside = map[string]int{}
	startSamples()
}

// mostNoted is the greatest number of bytes to allocate for noting samples. It is less than a program's buffer of 1 MB.
// mostStarted is the same for the runtime's start of the profiler, without its buffer.
const (
	mostNoted   = 1<<20 - 1
	mostStarted = 64 << 10
)

func startSamples() {
	defer measure.LeaveOutHeap(mostStarted)()
	measure.TookHeap(samples.Buffer, samples.BufferObjects)
	samples.Start(sampleRate)
}

// readLines reads the samples since the last reading, if it is due. At the end it stops the CPU profiler.
func readLines(end bool) {
	lines.Lock()
	defer lines.Unlock()
	if end || platform.CPUTime() >= lines.due {
		readSamples(end)
	}
}

// readLinesNow reads the samples since the last reading.
func readLinesNow() {
	lines.Lock()
	defer lines.Unlock()
	readSamples(false)
}

// readSamples reads the samples, with the lock.
func readSamples(end bool) {
	if !lines.on {
		return
	}
	lines.begun = false
	stopSamples()
	if lines.on = !end; lines.on {
		cpu := platform.CPUTime()
		lines.due = cpu + min(max(2*cpu, readFirst), readMost)
		startSamples()
	}
}

// YieldProfile ends the CPU profiler for good, because the program starts a CPU profile of its own. Any goroutine may
// call it.
func YieldProfile() {
	lines.Lock()
	defer lines.Unlock()
	if lines.on {
		measure.LeaveOut(true)
		defer measure.LeaveOut(false)
		readSamples(true)
		lines.yielded = true
	}
}

func stopSamples() {
	defer measure.LeaveOutHeap(mostNoted)()
	all := sampled.FunctionsOf(append([]gather.ZoneInfo{{}}, zonesFrom(1)...))
	samples.Stop(func(records []uint64) { addRecords(records, all) })
}

// addRecords adds the samples of some records. The first record of a profile has the rate.
func addRecords(records []uint64, all sampled.Functions) {
	for len(records) > recordHead-1 && records[0] >= recordHead && records[0] <= uint64(len(records)) {
		r := records[:records[0]]
		records = records[len(r):]
		if !lines.begun {
			lines.begun = true
			continue
		}
		if count := int(r[2]); count > 0 {
			lines.all += count
			addSample(r[recordHead:], count, all)
		} else {
			lines.lost = true
		}
	}
}

// addSample adds a sample with the program counters of its stack.
func addSample(counters []uint64, count int, all sampled.Functions) {
	lines.stack = appendStack(lines.stack[:0], counters)
	stack := lines.stack
	level, zone := all.Find(stack)
	inside := stack[:min(level+1, len(stack))]
	at := slices.IndexFunc(inside, isProgram)
	switch {
	case zone > 0 && slices.ContainsFunc(inside[:cmp.Or(at+1, len(inside))], isOurs):
		lines.measuring += count // the program's function called the profiler, as at the beginning of a zone
		return
	case zone == 0:
		addOutside(stack, count)
		if at < 0 {
			return
		}
	}
	line := sampled.Innermost(inside, isProgram)
	s := Sample{Function: line.Function, File: line.File, Line: line.Line}
	if zone > 0 {
		s.Zone = stack[level].Function
		s.Around = measuredAround(stack[level+1:], s.Zone, all)
		if s.Function == s.Zone && s.Line == all.Zones[zone].Line {
			s.Line = 0 // the call itself, and what the zone has added to it
		}
	}
	if len(lines.places) < mostPlaces || lines.places[s] > 0 {
		lines.places[s] += count
	} else {
		lines.lost = true
	}
}

// appendStack appends the lines of a stack, innermost first.
func appendStack(stack []sampled.Line, counters []uint64) []sampled.Line {
	list := make([]uintptr, len(counters))
	for i, pc := range counters {
		list[i] = uintptr(pc)
	}
	for frames, more := runtime.CallersFrames(list), true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function != "" {
			stack = append(stack, sampled.Line{Function: f.Function, File: f.File, Line: f.Line})
		}
	}
	return stack
}

// measuredAround returns the innermost other function with a zone that is not muted.
func measuredAround(stack []sampled.Line, inner string, all sampled.Functions) string {
	for {
		level, zone := all.Find(stack)
		if zone == 0 {
			return ""
		}
		if name := stack[level].Function; name != inner && !measure.Muted(zone) {
			return name
		}
		stack = stack[level+1:]
	}
}

// addOutside adds a sample in no function with a zone, by its outermost package.
func addOutside(stack []sampled.Line, count int) {
	outermost := "runtime"
	for i := range stack {
		z := gather.ZoneInfo{Function: stack[i].Function}
		if p := z.Package(); z.Function == "runtime._ExternalCode" {
			outermost = Foreign
		} else if p != z.Function && p != "runtime" { // C's functions have no package
			outermost = p
		}
	}
	if !strings.HasPrefix(outermost+"/", ownFunctions) {
		lines.outside[outermost] += count
	}
}

// callsOfC ends the name of a file that cgo makes. Its lines are in no source: they are calls from the one above.
const callsOfC = "_cgo_gotypes.go"

// ownFunctions begins the names of this module's functions, wherever the command has put it.
var ownFunctions = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name, _, _ := strings.Cut(runtime.FuncForPC(pc).Name(), "/auto.")
	return name + "/"
}()

// isOurs reports whether a line is the profiler's.
func isOurs(l sampled.Line) bool { return strings.HasPrefix(l.Function, ownFunctions) }

// isProgram reports whether a line belongs to the program or its dependencies, not to the standard library or the
// profiler.
func isProgram(l sampled.Line) bool {
	if isOurs(l) || strings.HasSuffix(l.File, callsOfC) {
		return false
	}
	first, _, _ := strings.Cut(l.Function, "/")
	path, _, _ := strings.Cut(l.Function, ".")
	return strings.Contains(first, ".") && first != l.Function || path == "main" ||
		lines.module != "" && (strings.HasPrefix(l.Function, lines.module+".") ||
			strings.HasPrefix(l.Function, lines.module+"/"))
}

// linesSoFar sets the notes' fields on the samples so far.
func linesSoFar(n *Notes) {
	lines.Lock()
	defer lines.Unlock()
	n.Samples = slices.Collect(maps.Keys(lines.places))
	for i := range n.Samples {
		n.Samples[i].Count = lines.places[n.Samples[i]]
	}
	n.Measuring = lines.measuring
	n.Sampled = lines.all
	n.Outside = maps.Clone(lines.outside)
	n.Lost = lines.lost
	n.Yielded = lines.yielded
}
