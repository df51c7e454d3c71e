package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"example.com/iprof/cmd/iprof-query/ask"
	"example.com/iprof/cmd/iprof-query/tables"
	"example.com/iprof/internal/budget"
)

// sqlArguments are the arguments of the tool sql.
type sqlArguments struct {
	Capture string `json:"capture,omitempty" jsonschema:"path of the capture; without it, the one asked last"`
	Base    string `json:"base,omitempty" jsonschema:"path of a second capture; the column file tells them apart"`
	Query   string `json:"query,omitempty" jsonschema:"begins with select or with; without it, the tables are listed"`
	Limit   int    `json:"limit,omitempty" jsonschema:"at most so many rows"`
}

// sqlHead is the head of an answer of sql.
type sqlHead struct {
	Columns []named `json:"column_names"`
}

// tableRow is a table that a query may read.
type tableRow struct {
	Table   string `json:"table"`
	Has     string `json:"has"`
	Columns string `json:"columns"`
}

func (s *Server) sqlTool(ctx context.Context, in *sqlArguments) (*answer, error) {
	if in.Query == "" {
		return listTables(), nil
	}
	set := new(tables.Set)
	db, err := ask.Open(set, s.limits.Memory)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	needed, err := db.Needs(ctx, in.Query)
	if err != nil {
		return nil, fromTables(err)
	}
	files := []string{in.Capture}
	if in.Base != "" {
		files = append(files, in.Base)
	}
	for _, name := range files {
		if err := s.read(set, name, needed); err != nil {
			return nil, err
		}
	}
	a := &answer{next: []string{"texts are in 'quotes'; ids as in other tools: zone_id 17 is z17, frame 140 is f140"}}
	a.head = &sqlHead{}
	if err := db.Ask(ctx, in.Query, &rowsOf{a: a, most: in.Limit}); err != nil {
		return nil, fromTables(err)
	}
	return a, nil
}

// fromTables names the next step of an agent in an error, in place of that in a shell.
func fromTables(err error) error {
	return errors.New(strings.ReplaceAll(err.Error(), "iprof sql -tables", "sql without a query"))
}

// read reads a capture into tables.
func (s *Server) read(set *tables.Set, name string, needed []*tables.Table) error {
	if name == "" {
		if len(s.open) == 0 {
			return errNoCapture
		}
		name = s.open[len(s.open)-1].name
	}
	file, name, err := s.folders.file(name)
	if err != nil {
		return err
	}
	most := 8 * s.limits.Memory
	over := watchHeap(most, file)
	err = set.ReadFile(file, name, tables.Limits{Limits: s.limits}, slices.Concat([]*tables.Table{}, needed))
	if over() {
		return &budget.Error{Excess: fmt.Sprintf("the tables of the query take more than %d MB; list and top read no "+
			"table, and that of frames is small", most>>20), Limit: fmt.Sprintf("memory=%dMB", s.limits.Memory>>19)}
	}
	return explained(err)
}

// watchHeap closes a file that is being read once the heap has grown by more than so many bytes. The function over ends
// the watch, and reports whether it has.
func watchHeap(most int64, file *os.File) (over func() bool) {
	begin, exceeded := heapBytes(), atomic.Bool{}
	look := func() {
		if heapBytes()-begin > most {
			exceeded.Store(true)
			file.Close()
		}
	}
	ended, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for each := time.NewTicker(heapEach); ; {
			select {
			case <-each.C:
				look()
			case <-ended:
				each.Stop()
				return
			}
		}
	}()
	return func() bool {
		close(ended)
		<-done
		look()
		return exceeded.Load()
	}
}

// heapEach is how often the heap is looked at.
const heapEach = 20 * time.Millisecond

// heapBytes returns the bytes of objects on the heap.
func heapBytes() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// rowsOf takes the rows of a query into an answer.
type rowsOf struct {
	a    *answer
	most int // 0: as many as there is room for
	size int // bytes of the rows so far, at least
}

// Columns takes the names of the columns.
func (r *rowsOf) Columns(names []string) error {
	head := r.a.head.(*sqlHead)
	for _, n := range names {
		head.Columns = append(head.Columns, named(n))
	}
	return nil
}

// Row takes a row, or only counts it if there is no room for it.
func (r *rowsOf) Row(values []any) error {
	r.a.all++
	if r.size > mostAnswer || r.most > 0 && len(r.a.rows) == r.most {
		return nil
	}
	row := make([]any, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case string:
			row[i] = quoted(v)
		case []byte:
			row[i] = quoted(string(v))
		case float64:
			row[i] = number(v)
		default:
			row[i] = v
		}
		r.size += 2
	}
	r.a.rows = append(r.a.rows, row)
	return nil
}

// listTables answers with the tables.
func listTables() *answer {
	a := &answer{head: &listHead{"tables of SQLite, with the aggregates p50, p90, p95, p99, p999, percentile(x, 99)"},
		next: []string{fmt.Sprintf("sql with a query, such as: %s", tables.Find("calls").Query)}}
	for _, t := range tables.All {
		row := tableRow{Table: t.Name, Has: t.Words}
		var names []string
		for i := range t.Columns {
			names = append(names, t.Columns[i].Name)
		}
		row.Columns = strings.Join(names, " ")
		a.rows = append(a.rows, row)
	}
	return a
}
