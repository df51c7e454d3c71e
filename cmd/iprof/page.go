package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"example.com/iprof/draw/html"
	"example.com/iprof/internal/chosen"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// page is the command html. It writes a capture as a page, with the chosen frames and rows.
func page(args []string) int {
	f, pick := newFlags("html"), selection{}
	pick.addTo(f, tables.Page)
	output := f.String("o", "-", "write to `FILE`; - is standard output")
	f.BoolVar(&pick.json, "json", false, "describe the written file in a JSON object")
	f.BoolVar(&pick.all, "all", false, "choose no frame of a black box's file")
	full := f.Bool("full", false, "write the whole viewer and the capture in one file, of 5 MB and more")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	switch {
	case pick.json && *output == "-":
		return fail(errNoFile)
	case f.NArg() == 2 && *output == "-":
		return oneCapture("html", f.Args())
	case f.NArg() != 1:
		stderr.Println("usage: iprof html [flags] CAPTURE, as: iprof html game.iprof")
		return 2
	case *full && pick.rows():
		stderr.Println("iprof html: the viewer of -full chooses frames and rows itself: leave the other flags out")
		return 2
	case *full:
		return fullPage(f.Arg(0), *output, pick.json)
	}
	var frames uint64
	code := showFile(open, f.Arg(0), *output, func(w io.Writer, c *opened) error {
		c.pick, frames = pick, c.Frames
		return c.writePage(w)
	})
	if pick.json && code == 0 {
		return status(written{File: *output, Frames: frames}.print(stdout))
	}
	return code
}

// writePage writes a page of what the user chose.
func (c *opened) writePage(w io.Writer) error {
	o := html.Options{Link: c.link}
	if !c.pick.rows() {
		return html.Write(w, c.Session.Dump(report.DumpPage), o)
	}
	v := process.NewView(c.Session)
	of := chosen.View(c.pick.by)
	l, err := c.lens("all")
	if err != nil {
		return err
	}
	if of.Lane, err = c.lane(); err != nil {
		return err
	}
	if zone, one := c.pick.ids.OneZone(); one {
		o.Zone = strconv.Itoa(int(zone))
	}
	of.Filter = report.FilterText(c.pick.zone)
	v.Set(of)
	v.SetLens(l)
	d := chosen.Dump(v, c.Session, report.DumpPage)
	d.Report = chosen.Rows(v, c.Session, c.pick.by)
	if left := c.pick.cut(d.Report); left > 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf("rows %d of %d", c.pick.limit, c.pick.limit+left))
	}
	if n := c.pick.limit; n > 0 && len(d.Totals) > n {
		d.Totals = d.Totals[:n]
	}
	return html.Write(w, d, o)
}

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
