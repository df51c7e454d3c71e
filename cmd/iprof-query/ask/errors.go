package ask

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"example.com/iprof/cmd/iprof-query/tables"
	"example.com/iprof/internal/budget"
	"example.com/iprof/process/report"
)

// What SQLite says of a query, without its own code.
var (
	said       = regexp.MustCompile(`^(?:SQL logic error: |[a-z ]+: )?(.*?) \(\d+\)$`)
	noTable    = regexp.MustCompile(`no such table: (.*)$`)
	noColumn   = regexp.MustCompile(`no such column: (.*)$`)
	noFunction = regexp.MustCompile(`no such function: (.*)$`)
)

// explained returns the error of a query with the next step.
func (db *DB) explained(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &budget.Error{Excess: "the query takes too long", Limit: "time=1h"}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	text := err.Error()
	if m := said.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	switch {
	case strings.Contains(text, "out of memory") || strings.Contains(text, "too big"):
		return &budget.Error{Excess: fmt.Sprintf("the query takes more than %d MB of memory", db.most>>20),
			Limit: fmt.Sprintf("memory=%dMB", 4*db.most>>20)}
	case strings.Contains(text, "not authorized") || strings.Contains(text, "prohibited"):
		return fmt.Errorf("%s: a query can only read the tables; begin it with select or with", text)
	}
	if m := noTable.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("there is no table %s%s; iprof sql -tables lists all", m[1], nearest(m[1], tableNames()))
	}
	if m := noColumn.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("there is no column %s%s; iprof sql -tables lists all", m[1], db.nearColumn(m[1]))
	}
	if m := noFunction.FindStringSubmatch(text); m != nil {
		return fmt.Errorf("there is no function %s%s; iprof sql -tables lists ours", m[1],
			nearest(m[1], functionNames))
	}
	return errors.New(text)
}

var functionNames = []string{"percentile", "p50", "p90", "p95", "p99", "p999", "count", "sum", "avg", "max", "min"}

// nearest returns "; the nearest is NAME", or "".
func nearest(typed string, names []string) string {
	if near := report.Nearest(strings.ToLower(typed), names); near != "" {
		return "; the nearest is " + near
	}
	return ""
}

func tableNames() (names []string) {
	for _, t := range tables.All {
		names = append(names, t.Name)
	}
	return names
}

// nearColumn names the nearest column of all tables, and where it is: of equal ones that of the first table.
func (db *DB) nearColumn(typed string) string {
	of, name, qualified := strings.Cut(typed, ".")
	if !qualified {
		of, name = "", typed
	}
	var names, has []string
	for _, t := range tables.All {
		for _, c := range t.Columns {
			if of == "" || of == t.Name || tables.Find(of) == nil {
				names = append(names, c.Name)
			}
			if c.Name == name {
				has = append(has, t.Name)
			}
		}
	}
	if near := nearest(name, names); near != "" && len(has) == 0 {
		return near
	}
	if len(has) > 0 {
		return "; it is in " + strings.Join(has, ", ")
	}
	return ""
}
