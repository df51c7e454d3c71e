// Package runreport makes the report on a program measured by package auto, from its recording and notes.
package runreport

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"example.com/iprof/auto"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Run holds the measurements of a program's run.
type Run struct {
	Session  *process.Session
	Contents *framefile.Contents
	Notes    auto.Notes
	Dump     *report.Dump  // of the whole run
	Lasted   time.Duration // from the program's start to its end; 0 is not known
	Used     time.Duration // processor time from the program's start to its end; 0 is not known
	Replaced bool          // it ended with a status that no error of Go has

	own  map[report.ZoneID]bool // the profiler's zones
	open openZones
}

// Read reads the recording of a run and the notes beside it. An unfinished recording is no error.
func Read(path string) (*Run, error) { return ReadWith(path, path) }

// ReadWith is like Read, with the notes beside another file.
func ReadWith(path, beside string) (*Run, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := &Run{Session: process.NewSession(), open: openZones{}}
	defer r.Session.AddSink(r.open)()
	r.Session.SetHistoryLimits(framefile.WholeHistory())
	if r.Contents, err = framefile.Load(r.Session, file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.readNotes(beside)
	r.Session.SetSources(func(c *process.Sources) { c.Spawns = func() []report.Spawn { return r.Notes.Spawns } })
	r.Dump = r.Session.Dump(report.DumpOptions{NoFrames: true, AllLanes: true})
	r.usePlainNames()
	r.own = map[report.ZoneID]bool{}
	for id := range r.Dump.Zones {
		if sampled.IsOwn(&r.Dump.Zones[id]) {
			r.own[report.ZoneID(id)] = true
		}
	}
	return r, nil
}

// openZones are the zones that were last open on the main goroutine. It is a sink, as the sums of a file do not say so.
type openZones map[gather.ZoneInfo]bool

// mainLane is the name of the main goroutine's lane.
const mainLane = "main goroutine"

func (o openZones) WriteFrame(f *gather.Frame) error {
	for i := range f.Lanes {
		if f.Lanes[i].Name != mainLane { // without a frame it is asleep in the same zones
			continue
		}
		clear(o)
		for _, n := range f.Lanes[i].Nodes {
			if n.Open {
				o[placeOf(f.Zones[n.Zone])] = true
			}
		}
	}
	return nil
}

// placeOf returns what a zone is in each part of a recording.
func placeOf(z gather.ZoneInfo) gather.ZoneInfo {
	return gather.ZoneInfo{Name: z.Name, File: z.File, Line: z.Line}
}

// readNotes reads the newer of the notes that are whole. Without them the report has less.
func (r *Run) readNotes(path string) {
	for _, end := range auto.NotesEnds {
		var n auto.Notes
		text, err := os.ReadFile(path + end)
		if err == nil && json.Unmarshal(text, &n) == nil && n.After >= r.Notes.After {
			r.Notes = n
		}
	}
}

// HasFrames reports whether the program ended frames of its own. settings tells whether it was set up to.
func (r *Run) HasFrames(settings bool) bool { return settings && r.Contents.Frames > 1 }

// rested reports whether the program rested when it was killed, for longer than all that was measured.
func (r *Run) rested() bool {
	return r.Notes.Rests && !r.Notes.Ended && r.Lasted > 2*r.Dump.RunTime+leastRest
}

const (
	leastRest = 500 * time.Millisecond // a program may need as long to start
	leastUsed = 2 * time.Millisecond   // a rest and the end of a process use less
)

// ended tells in a sentence how much of the run the report covers, if the program was killed.
func (r *Run) ended(w io.Writer, width int) {
	line := "iprof: the program was killed, or ended by an error"
	if r.Replaced {
		line = "iprof: the program executed another one in its place, or ended past Go's exit"
	}
	first, later := duration(r.Dump.RunTime.Seconds()*1000), r.Used-r.Notes.CPU
	switch {
	case r.Notes.Ended:
		return
	case r.Dump.RunTime <= 0:
		line += ", before anything was measured"
	case r.rested() && r.Used > 0 && later < leastUsed:
		line += "; it did hardly anything after its first " + first
	default:
		line += "; the report is of its first " + first
	}
	if r.Dump.RunTime > 0 && r.rested() && later >= leastUsed {
		line += fmt.Sprintf("; later it had the processor for up to %s and entered no function with a zone "+
			"(iprof run -n lists them), or only in its last 0.1 s", duration(later.Seconds()*1000))
	}
	fmt.Fprintln(w, wrap(line, width))
}
