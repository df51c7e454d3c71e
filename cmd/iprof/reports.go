package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/iprof/auto"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/runreport"
)

// recordingEnd ends the name of a recording without -o. The name begins with the process id.
const recordingEnd = ".iprof"

// reports writes the reports of the ended programs, and saves their muted functions for the next build. It only prints
// errors: the exit status stays the program's.
func (a *arguments) reports() {
	names := []string{a.record}
	if a.record == "" {
		names, _ = filepath.Glob(filepath.Join(a.dir, "*"+recordingEnd))
	}
	slices.Sort(names)
	var out bytes.Buffer
	for _, name := range names {
		if name != a.record && a.isJSON() && strings.Contains(a.report, "%p") {
			out.Reset() // one file per report
		}
		run, err := runreport.Read(name)
		if a.record != "" {
			for _, end := range auto.NotesEnds {
				os.Remove(name + end)
			}
		}
		if err != nil {
			if !os.IsNotExist(err) {
				stderr.Println("iprof: there is no report:", err)
			}
			continue
		}
		if a.record != "" {
			if err := run.Keep(name); err != nil {
				stderr.Println("iprof: the recording has no hot lines, and not what zones waited:", err)
			}
		}
		instrument.Learn(a.learned, run.Notes.Muted, run.Gain())
		if a.report == "none" {
			continue
		}
		a.write(&out, run)
		if strings.Contains(a.report, "%p") {
			process := strings.TrimSuffix(filepath.Base(name), recordingEnd)
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
		o := runreport.Options{Frames: a.hasFrames, Left: a.left}
		if a.report == "-" && isTerminal(os.Stderr) {
			o.Width, o.Color = terminalWidth(os.Stderr), os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		}
		if a.record != "" {
			o.Where = fmt.Sprintf("all frames: %s; iprof serve, top and tree show them", printed.Of(a.record))
		}
		_ = run.Write(out, o)
	}
}

// save writes the report to its file, or to standard error for "-".
func (a *arguments) save(name string, text []byte) {
	if name == "-" {
		os.Stderr.Write(text)
		return
	}
	if err := writeThrough(name, text); err != nil {
		stderr.Println("iprof: the report is not written:", err)
	}
}

// writeThrough writes to a file as the shell's > does: a link, a pipe or a device stays what it is.
func writeThrough(name string, text []byte) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if e := file.Close(); err == nil {
		err = e
	}
	return err
}
