package main

import (
	"fmt"
	"io"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process/report"
)

// mostListed is the number of rows that a table has without -limit.
const mostListed = 100

// reading is a command that shows what a capture has, as rows by a key: a table, or its own words and JSON for the
// usual key.
type reading struct {
	kind   *tables.Kind
	words  func(w io.Writer, c *opened) error    // nil: a table
	asJSON func(c *opened, f *asjson.File) error // nil: a table
	frames string                                // choice without -frames
	ofZone bool                                  // its first argument is a zone
}

// readingOf returns the command of a name.
func readingOf(name string) *reading {
	switch name {
	case "top":
		return &reading{kind: tables.Top, words: top, asJSON: reported(topReport)}
	case "tree":
		return &reading{kind: tables.Tree, words: tree, asJSON: reported(treeReport)}
	case "graph":
		return &reading{kind: tables.Graph, words: graph, asJSON: reported(graphReport), ofZone: true}
	case "frames":
		return &reading{kind: tables.Frames, words: slowest, asJSON: framesJSON, frames: slowestWords}
	case "verdicts":
		return &reading{kind: tables.Verdicts, words: verdicts, asJSON: verdictsJSON}
	}
	return &reading{kind: tables.Find(name)}
}

// reads returns the command that lists a kind of rows.
func reads(name string) entry {
	r, arguments, more := readingOf(name), ofFile, ""
	if r.ofZone {
		arguments, more = "[flags] ZONE "+ofCapture, graphMore
	}
	return entry{name, r.kind.Words, arguments, more, r.run}
}

// run runs the command.
func (r *reading) run(args []string) int {
	name := r.kind.Name
	f, pick := newFlags(name), selection{limit: mostListed}
	if r.words != nil {
		pick.limit = 0
	}
	pick.addTo(f, r.kind)
	output := f.String("o", "-", "write to `FILE`; - is standard output")
	f.BoolVar(&pick.json, "json", false, "write one JSON object")
	if r.words != nil {
		f.BoolVar(&pick.all, "all", false, "show all frames of a black box's file, not only the one that triggered it")
	}
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if _, byID := pick.ids.OneZone(); r.ofZone && f.NArg() == 2 {
		pick.focus = f.Arg(0)
	} else if r.ofZone && !byID || f.NArg() != 1 {
		return r.usage(f.Args(), *output)
	}
	if _, lane := pick.ids.OneLane(); r.kind == tables.Verdicts && (lane || pick.lane != "") {
		stderr.Println("iprof: verdicts are of whole frames; the nearest that chooses by goroutine is top")
		return 2
	}
	path := f.Arg(f.NArg() - 1)
	return showFile(r.opens(&pick), path, *output, func(w io.Writer, c *opened) error {
		c.HasFrame, c.pick = c.HasFrame && !pick.all && !pick.chosen(), pick
		return r.write(w, c)
	})
}

// usage says how to call the command.
func (r *reading) usage(args []string, output string) int {
	example := "CAPTURE, as: iprof " + r.kind.Name
	switch {
	case r.ofZone:
		example = "ZONE " + example + " physics"
	case len(args) == 2 && output == "-":
		return oneCapture(r.kind.Name, args)
	}
	stderr.Printf("usage: iprof %s [flags] %s game.iprof\n", r.kind.Name, example)
	return 2
}

// oneCapture says how to write one capture to a file, or to compare two.
func oneCapture(name string, args []string) int {
	stderr.Printf("iprof: %s shows one capture; to write it to a file: iprof %[1]s -o %s %s; to compare two: "+
		"iprof diff %[3]s %[2]s\n", name, shownText(args[1]), shownText(args[0]))
	return 2
}

// opens returns how to open the capture: as a whole for the JSON of the tree, twice for tables.
func (r *reading) opens(p *selection) read {
	switch {
	case !r.usual(p):
		return openTwice(p.judges() || r.kind == tables.Frames || r.kind == tables.Graph || r.kind == tables.Verdicts)
	case p.json && r.kind == tables.Tree && !p.rows():
		return open
	}
	return openNewest
}

// usual reports whether the rows are those for which the command has words of its own.
func (r *reading) usual(p *selection) bool {
	return r.words != nil && (p.by == "" || p.by == r.kind.By[0]) && !(r.kind == tables.Frames && p.ofThings())
}

// write writes the rows.
func (r *reading) write(w io.Writer, c *opened) error {
	switch {
	case !r.usual(&c.pick):
		t, err := c.table(r)
		if err != nil {
			return err
		}
		return c.writeTable(w, t)
	case !c.pick.json:
		return r.words(w, c)
	case r.kind == tables.Tree && !c.pick.rows():
		return text.WriteJSON(w, c.Session.Dump(report.DumpOptions{}))
	}
	f := fileOf(c)
	if err := r.asJSON(c, f); err != nil {
		return err
	}
	return asjson.Write(w, f)
}

// table makes the table that the user chose.
func (c *opened) table(r *reading) (*tables.Table, error) {
	p := &c.pick
	choice := &tables.Choice{Kind: r.kind, By: p.by, Zone: p.zone, Lane: p.lane, IDs: p.ids, Sort: p.column,
		Limit: p.limit}
	if r.kind == tables.Verdicts {
		return c.blamed(choice)
	}
	if r.ofZone {
		id, err := c.focus()
		if err != nil {
			return nil, err
		}
		choice.Focus, choice.IDs = id, p.ids.WithoutZone()
	}
	l := report.Lens{Kind: report.LensAll}
	if !c.unjudged { // else the ids choose
		var err error
		if l, err = c.lens(r.frames); err != nil {
			return nil, err
		}
	}
	choice.Takes = c.Takes(l)
	return tables.Read(c.whole, choice)
}

// read is the function by which a command reads a capture: open or openNewest.
type read func(name string) (*opened, error)

func showFile(by read, path, output string, write func(io.Writer, *opened) error) int {
	if err := beforeReading(path, output); err != nil {
		return fail(err)
	}
	c, err := by(path)
	if err != nil {
		return fail(err)
	}
	defer c.close()
	if output == "-" {
		return status(write(stdout, c))
	}
	return status(outfile.Write(output, func(w io.Writer) error { return write(printed.To(w), c) }))
}

// leftOut says in words what a limit has cut.
func leftOut(w io.Writer, things string, shown, left int) (err error) {
	if left > 0 {
		_, err = fmt.Fprintf(w, "%s %d of %d\n", things, shown, shown+left)
	}
	return err
}
