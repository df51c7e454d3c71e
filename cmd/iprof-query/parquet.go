package main

import (
	"fmt"
	"os"
	"strings"

	"example.com/iprof/cmd/iprof-query/lake"
	"example.com/iprof/cmd/iprof-query/tables"
)

const parquetUsage = `usage: iprof parquet [flags] -out DIR CAPTURE ...
       iprof parquet -join -out DIR

Writes the tables of captures as files of Parquet, in folders that Hive, Spark, Trino, ClickHouse, BigQuery and DuckDB
read: DIR/calls/day=2026-11-29/service=game/version=1.4/NAME.parquet. A capture that is there is not written again.
-join makes large files of the small ones, while nothing reads them.
`

// parquetCommand is the command parquet.
func parquetCommand(args []string) int {
	f := newFlags("parquet", parquetUsage)
	var o lake.Options
	f.StringVar(&o.Folder, "out", "", "write into the folder `DIR`")
	f.StringVar(&o.Service, "service", "", "`NAME` of the service; without it that of a folder service=NAME in the\n"+
		"path of the capture, or the program's name")
	f.StringVar(&o.Version, "version", "", "`NAME` of the version; without it that of a folder version=NAME")
	some := f.String("tables", "", "only these tables: `NAME,...`")
	join := f.Bool("join", false, "join the small files of the folder")
	size := f.Int64("size", 128, "with -join: the size of a joined file, at most, in `MB`")
	rest, code := parse(f, args)
	if code >= 0 {
		return code
	}
	if o.Folder == "" || *join != (len(rest) == 0) || *size < 1 {
		return wrong("parquet: name a folder and captures: iprof parquet -out lake game.iprof; or -join -out lake")
	}
	for name := range strings.SplitSeq(*some, ",") {
		if t := tables.Find(name); t != nil {
			o.Tables = append(o.Tables, t)
		} else if name != "" {
			return wrong(fmt.Sprintf("parquet: there is no table %s; iprof sql -tables lists all", name))
		}
	}
	o.Limits = reading()
	var done lake.Result
	if *join {
		err := o.Join(*size<<20, &done)
		return said(&done, err)
	}
	for _, path := range rest {
		if err := o.Add(path, &done); err != nil {
			return said(&done, err)
		}
	}
	return said(&done, nil)
}

// said says what was written.
func said(done *lake.Result, err error) int {
	if done.Files > 0 || err == nil {
		line := fmt.Sprintf("%d files, %d rows, %d bytes", done.Files, done.Rows, done.Bytes)
		if done.Left > 0 {
			line += fmt.Sprintf("; %d were there, in joined files", done.Left)
		}
		if _, failed := fmt.Fprintln(os.Stdout, line); err == nil {
			err = failed
		}
	}
	return status("parquet", err)
}
