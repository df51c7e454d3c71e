package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"example.com/iprof/cmd/iprof-query/ask"
	"example.com/iprof/cmd/iprof-query/tables"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/progress"
)

const sqlUsage = `usage: iprof sql [flags] CAPTURE ... QUERY

Prints the rows that a query in SQL finds in captures:

  iprof sql game.iprof "select zone, self_ms from zones order by self_ms desc limit 5"
  iprof sql -csv before.iprof after.iprof "select file, p99(judged_ms) from frames group by file"

iprof sql -tables lists the tables and their columns. SQL is that of SQLite, with the aggregates p50, p90, p95, p99,
p999 and percentile(x, 99). A query can only read the tables.
`

// sqlCommand is the command sql.
func sqlCommand(args []string) int {
	f := newFlags("sql", sqlUsage)
	asJSON := f.Bool("json", false, "write one JSON object")
	asCSV := f.Bool("csv", false, "write comma-separated values")
	file := f.String("query", "", "read the query from `FILE`; all arguments are captures")
	list := f.Bool("tables", false, "list the tables, their columns and a query of each")
	rest, code := parse(f, args)
	if code >= 0 {
		return code
	}
	if *list {
		return status("sql", describe(os.Stdout))
	}
	if *file != "" {
		text, err := os.ReadFile(*file)
		if err != nil {
			return status("sql", err)
		}
		rest = append(rest, string(text))
	}
	if len(rest) < 2 || *asJSON && *asCSV {
		return wrong(`sql: name captures, then a query: iprof sql game.iprof "select * from captures"`)
	}
	w := ask.NewText(os.Stdout)
	switch {
	case *asJSON:
		w = ask.NewJSON(os.Stdout)
	case *asCSV:
		w = ask.NewCSV(os.Stdout)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, limits.Time)
	defer cancel()
	query := rest[len(rest)-1]
	return status("sql", answer(ctx, rest[:len(rest)-1], query, w))
}

// answer runs a query on captures. It reads of them only what the query needs.
func answer(ctx context.Context, captures []string, query string, w ask.Writer) error {
	set := new(tables.Set)
	db, err := ask.Open(set, limits.Memory)
	if err != nil {
		return err
	}
	defer db.Close()
	needed, err := db.Needs(ctx, query)
	if err != nil {
		if _, noFile := os.Stat(query); noFile == nil {
			err = errors.New("the last argument is the query; got a file")
		}
		return err
	}
	for _, name := range captures {
		if err := set.Read(name, reading(), append(needed, none...)); err != nil {
			return err
		}
	}
	if err := db.Ask(ctx, query, w); err != nil {
		return err
	}
	return w.Close()
}

// none is a list of tables that is not nil: nil are all tables.
var none = []*tables.Table{}

// reading are the limits of reading a file.
func reading() tables.Limits {
	return tables.Limits{Limits: limits, Progress: progress.Terminal("iprof")}
}

// describe lists the tables.
func describe(w io.Writer) error {
	for i, t := range tables.All {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s\n", t.Name, t.Words)
		for _, c := range t.Columns {
			if c.Hidden {
				continue
			}
			fmt.Fprintf(w, "  %-18s %-8v %s\n", c.Name, c.Kind, c.Words)
		}
		if _, err := fmt.Fprintf(w, "  iprof sql CAPTURE %q\n", t.Query); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\nEach table has the columns %s, too: those of folders in the path of the "+
		"capture, as in\n"+
		"day=2026-11-29/service=game/version=1.4/game.iprof. * leaves them out.\n", strings.Join(tables.Folders, ", "))
	return err
}

// limits is what a file and a query may cost.
var limits = budget.Usual

// help prints the usage of the command.
var help func()

// newFlags returns the flags of a command.
func newFlags(name, usage string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Var(&limits, "limits", budget.Words)
	f.Usage = func() {} // else a wrong flag prints it
	help = func() {
		fmt.Print(usage, "\n")
		f.SetOutput(os.Stdout)
		f.PrintDefaults()
		f.SetOutput(io.Discard)
	}
	return f
}

// naming makes parse print the names of the flags, and end.
var naming bool

// parse parses flags, which may stand before and behind the other arguments. A code of 0 or more ends the command.
func parse(f *flag.FlagSet, args []string) (rest []string, code int) {
	if naming {
		f.VisitAll(func(l *flag.Flag) { fmt.Println(l.Name) })
		return nil, 0
	}
	for len(args) > 0 {
		err := f.Parse(args)
		switch {
		case errors.Is(err, flag.ErrHelp):
			help()
			return nil, 0
		case err != nil:
			return nil, wrong(fmt.Sprintf("%s: %v; iprof %[1]s -h lists the flags", f.Name(), err))
		}
		if passed := len(args) - f.NArg(); passed > 0 && args[passed-1] == "--" {
			return append(rest, f.Args()...), -1
		}
		if args = f.Args(); len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return rest, -1
}

// wrong says what is wrong with a command line.
func wrong(text string) int {
	fmt.Fprintln(stderr, "iprof", text)
	return 2
}

// status prints an error, and returns the status of the command.
func status(name string, err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "iprof %s: %v\n", name, strings.TrimSpace(err.Error()))
	return 1
}
