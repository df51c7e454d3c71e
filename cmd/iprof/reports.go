package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/runreport"
)

// recordingEnd ends the name of a recording without -o. The name begins with the process id.
const recordingEnd = ".iprof"

// Statuses of programs in Go that ended by themselves are others.
const (
	crashed  = 2   // by a panic or a fatal error
	bySignal = 128 // and the signal
)

// runFiles are the files of one program's recording.
type runFiles struct {
	path    string // as the program was asked for
	whole   string // the file that has all: the spare one if the other could not be written
	notesOf string // the notes are beside this one
}

// recordings returns the recordings that the ended programs have left.
func (a *arguments) recordings() (all []runFiles) {
	own, _ := filepath.Glob(filepath.Join(a.dir, "*"+recordingEnd))
	slices.Sort(own)
	if a.record == "" {
		for _, name := range own {
			all = append(all, runFiles{name, name, name})
		}
		return all
	}
	r := runFiles{a.record, a.record, a.record}
	if len(own) == 1 {
		r.notesOf = own[0]
		if info, err := os.Stat(own[0]); err == nil && info.Size() > 0 {
			r.whole = own[0]
		}
	}
	return append(all, r)
}

// sayLeaving says that functions lose their zones.
func sayLeaving(functions int) {
	switch functions {
	case 0:
	case 1:
		stderr.Println("iprof: the next start builds the program without 1 zone that costs too much")
	default:
		stderr.Printf("iprof: the next start builds the program without %s that cost too much\n",
			printed.Count(functions, "zone"))
	}
}

// reports writes the reports of the ended programs, and saves their muted functions for the next build. It returns the
// exit status: the program's, and else 1 if something could not be written.
func (a *arguments) reports(code int) int {
	var out bytes.Buffer
	unprofiled := false
	for _, r := range a.recordings() {
		if a.record == "" && a.isJSON() && strings.Contains(a.report, "%p") {
			out.Reset() // one file per report
		}
		run, err := runreport.ReadWith(r.whole, r.notesOf)
		if err != nil {
			if !os.IsNotExist(err) {
				stderr.Println("iprof: there is no report:", a.withCause(err))
			}
			continue
		}
		if name := filepath.Base(r.notesOf); !run.Notes.Ended && name == fmt.Sprint(a.process, recordingEnd) {
			run.Notes.Away = a.away // it could not write this
		}
		run.Lasted, run.Used = a.lasted, a.used
		run.Replaced = a.verb == "run" && code != crashed && code < bySignal
		if a.profile != "" && !run.Notes.Ended {
			stderr.Println("iprof: there is no CPU profile: the program ended before main returned or called os.Exit")
			unprofiled = true
		}
		a.keep(r, run)
		if n := instrument.Learn(a.learned, run.Notes.Muted, run.Gain(), run.Dump.CPU); a.report != "none" {
			sayLeaving(n)
		}
		if a.report == "none" {
			continue
		}
		a.write(&out, run)
		if strings.Contains(a.report, "%p") {
			process := strings.TrimSuffix(filepath.Base(r.path), recordingEnd)
			a.save(strings.ReplaceAll(a.report, "%p", process), out.Bytes())
			out.Reset()
		}
	}
	switch {
	case a.report == "none" || strings.Contains(a.report, "%p"):
	case out.Len() == 0 && a.verb == "test": // no test files, or no test was built
	case out.Len() == 0:
		stderr.Println("iprof: the program left no recording, so there is no report")
	default:
		a.save(a.report, out.Bytes())
	}
	if code == 0 && (a.unwritten || unprofiled) {
		return 1
	}
	return code
}

// keep finishes the file of -o, or says why it ends early. It removes one without a frame, which would stop the next
// start.
func (a *arguments) keep(r runFiles, run *runreport.Run) {
	switch {
	case a.record == "":
	case r.whole == r.path:
		if err := run.Keep(r.path); err != nil {
			a.fails("hot lines and wait times were not saved: %v", err)
		}
	default:
		before, err := runreport.Read(r.path)
		if err != nil || before.Contents.Frames == 0 {
			os.Remove(r.path)
			a.fails("the recording is not written: %s: %s", r.path, run.Notes.Cut)
			return
		}
		a.fails("the recording has only its first %s: %s: %s", printed.Count(before.Contents.Frames, "frame"), r.path,
			run.Notes.Cut)
	}
}

// withCause adds the cause to the error of a recording that is empty or incomplete: the disk has no room for one.
func (a *arguments) withCause(err error) error {
	if full := outfile.HasSpace(a.dir); full != nil {
		a.unwritten = true
		return fmt.Errorf("%w: %w", err, full)
	}
	return err
}

// fails prints that something could not be written.
func (a *arguments) fails(format string, args ...any) {
	a.unwritten = true
	stderr.Printf("iprof: "+format+"\n", args...)
}

func (a *arguments) isJSON() bool { return strings.HasSuffix(a.report, ".json") }

// write writes the report of one program.
func (a *arguments) write(out *bytes.Buffer, run *runreport.Run) {
	if out.Len() > 0 {
		fmt.Fprintln(out)
	}
	switch {
	case a.isJSON():
		_ = run.WriteJSON(out)
	case a.full:
		_ = run.WriteFull(out, a.hasFrames)
	default:
		o := runreport.Options{Frames: a.hasFrames, Left: a.left, Width: runreport.Uncut}
		if a.report == "-" && isTerminal(os.Stderr) {
			o.Width, o.Color = terminalWidth(os.Stderr), os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		}
		if a.record != "" && !a.unwritten {
			o.Where = fmt.Sprintf("all frames: %s; iprof serve, top and tree show them", printed.Of(a.record))
		}
		_ = run.Write(out, o)
	}
}

// save writes the report to its file, or to standard error for "-".
func (a *arguments) save(name string, text []byte) {
	if name == "-" {
		if _, err := os.Stderr.Write(text); err != nil {
			a.unwritten = true
		}
		return
	}
	err := outfile.Write(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		a.fails("the report: %v", err)
	}
}
