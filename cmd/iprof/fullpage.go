package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process"
)

// fullPage writes the viewer for the browser with a capture in one page. The page opens without a server.
func fullPage(name, output string, say bool) int {
	if err := beforeReading(name, output); err != nil {
		return fail(err)
	}
	file, _, err := importer.Open(name, importer.Frames{Limits: limits, Sample: sample})
	if err == nil && set != "" {
		file, err = ofSet(name, file)
	}
	if err != nil {
		return fail(err)
	}
	defer file.Close()
	frames := 1 // enough to know that it is a capture
	if say {
		frames = math.MaxInt32
	}
	contents, _, err := framefile.LoadNewest(process.NewSession(), file, frames)
	if err != nil {
		return fail(fmt.Errorf("%s: %w", name, err))
	}
	build, err := viewerBuilder(func(string) {})
	if err != nil {
		return fail(fmt.Errorf("%w; without -full the page needs no viewer", err))
	}
	viewer, err := build(context.Background())
	if err != nil {
		return fail(err)
	}
	write := func(w io.Writer) error {
		if p, is := w.(*printed.Writer); is {
			w = p.Output() // package web makes the texts safe
		}
		b := bufio.NewWriterSize(w, 1<<16)
		err := viewer.Write(b, importer.Name(name), io.NewSectionReader(file, 0, math.MaxInt64))
		if err == nil {
			err = b.Flush()
		}
		return err
	}
	if output == "-" {
		return status(write(stdout))
	}
	if err := outfile.Write(output, write); err != nil || !say {
		return status(err)
	}
	return status(written{File: output, Frames: contents.Frames}.print(stdout))
}
