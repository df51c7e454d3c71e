package auto

import (
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
	all := zonedFunctions()
	samples.Stop(func(records []uint64) { addRecords(records, all) })
}

// zoned is a function with a zone.
type zoned struct {
	measured bool // not muted
	line     int  // of the zone's beginning
}

// zonedFunctions returns the functions with a zone.
func zonedFunctions() map[string]zoned {
	all := map[string]zoned{}
	for id, z := range zonesFrom(1) {
		if !z.Idle { // a wait's zone has the name of the function around it
			all[z.Function] = zoned{!measure.Muted(gather.ZoneID(id + 1)), z.Line}
		}
	}
	delete(all, "")
	return all
}

// addRecords adds the samples of some records. The first record of a profile has the rate.
func addRecords(records []uint64, all map[string]zoned) {
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
func addSample(stack []uint64, count int, all map[string]zoned) {
	counters := make([]uintptr, len(stack))
	for i, pc := range stack {
		counters[i] = uintptr(pc)
	}
	var s, leaf Sample
	own := false
	outermost := "runtime"
	for frames := runtime.CallersFrames(counters); ; {
		f, more := frames.Next()
		if f.Function != "" && leaf.Function == "" {
			leaf = Sample{Function: f.Function, File: f.File, Line: f.Line}
		}
		if s.Function == "" && s.Zone == "" && strings.HasPrefix(f.Function, ownFunctions) {
			own = true // the program's function called the profiler, as at the beginning of a zone
		}
		if s.Function == "" && s.Zone == "" && isProgram(f.Function) && !strings.HasSuffix(f.File, callsOfC) {
			s = Sample{Function: f.Function, File: f.File, Line: f.Line}
		}
		if p := packageOf(f.Function); f.Function == "runtime._ExternalCode" {
			outermost = Foreign
		} else if p != "" && p != "runtime" {
			outermost = p
		}
		switch z, has := all[f.Function]; {
		case !has || f.Function == s.Zone:
		case s.Zone != "" && z.measured:
			s.Around, more = f.Function, false
		case s.Zone == "":
			if s.Zone = f.Function; s.Function == "" {
				s = Sample{Zone: f.Function, Function: leaf.Function, File: leaf.File, Line: leaf.Line}
			}
			if s.Function == s.Zone && s.Line == z.line {
				s.Line = 0 // the call itself, and what the zone has added to it
			}
		}
		if !more {
			break
		}
	}
	if own && s.Zone != "" {
		lines.measuring += count
		return
	}
	if s.Zone == "" && !strings.HasPrefix(outermost+"/", ownFunctions) {
		lines.outside[outermost] += count
	}
	if strings.HasPrefix(s.Function, ownFunctions) || s.Zone == "" && s.Function == "" {
		return
	}
	if len(lines.places) < mostPlaces || lines.places[s] > 0 {
		lines.places[s] += count
	} else {
		lines.lost = true
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

// isProgram reports whether a function belongs to the program or its dependencies, not to the standard library or the
// profiler.
func isProgram(function string) bool {
	if strings.HasPrefix(function, ownFunctions) {
		return false
	}
	first, _, _ := strings.Cut(function, "/")
	path, _, _ := strings.Cut(function, ".")
	return strings.Contains(first, ".") && first != function || path == "main" ||
		lines.module != "" && (strings.HasPrefix(function, lines.module+".") ||
			strings.HasPrefix(function, lines.module+"/"))
}

// packageOf returns the import path of a function's package.
func packageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	dot := max(strings.IndexByte(function[slash:], '.'), 0)
	return function[:slash+dot]
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
