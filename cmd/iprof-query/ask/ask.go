// Package ask answers questions in SQL about captures. SQLite runs the queries over tables that read slices of Go: no
// row is copied into it. Queries can only read the tables.
//
//	db, err := ask.Open(set, 1<<30)
//	if err != nil {
//		return err
//	}
//	defer db.Close()
//	err = db.Ask(ctx, "select zone, p99(self_ms) from calls group by zone", answer)
package ask

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"modernc.org/libc"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"example.com/iprof/cmd/iprof-query/tables"
)

// DB has the tables of a set. One goroutine at a time may use it.
type DB struct {
	pool *sql.DB
	conn *sql.Conn
	set  *tables.Set
	used map[*tables.Table]bool // by the statements that were compiled
	most int64                  // bytes that a query may take
	held atomic.Int64           // bytes in aggregates
}

// Answer takes the result of a query.
type Answer interface {
	Columns(names []string) error // comes first
	Row(values []any) error       // each is nil, an int64, a float64, a string or a []byte; valid until it returns
}

// Open makes the tables of a set. A query may take about memory bytes; the limit of SQLite's own part is that of the
// process. Rows that the set gets later are in the tables, too.
func Open(set *tables.Set, memory int64) (*DB, error) {
	if err := countMemory(); err != nil {
		return nil, err
	}
	db := &DB{set: set, used: map[*tables.Table]bool{}, most: memory}
	own := &sqlite.Driver{}
	for _, t := range tables.All {
		if err := own.RegisterModule(t.Name, module{db, t}); err != nil {
			return nil, err
		}
	}
	for name, f := range db.functions() {
		if err := own.RegisterFunction(name, f); err != nil {
			return nil, err
		}
	}
	db.pool = sql.OpenDB(connector{own})
	db.pool.SetMaxOpenConns(1)
	var err error
	if db.conn, err = db.pool.Conn(context.Background()); err == nil {
		err = db.prepare()
	}
	if err != nil {
		db.pool.Close()
		return nil, err
	}
	return db, nil
}

// countMemory makes SQLite count its memory, without which it heeds no limit. The driver's build does not.
var countMemory = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	on := libc.NewVaList(int32(1))
	defer libc.Xfree(tls, on)
	if code := sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_MEMSTATUS, on); code != sqlite3.SQLITE_OK {
		return fmt.Errorf("SQLite cannot count its memory: code %d", code)
	}
	return nil
})

// connector opens a database in memory.
type connector struct{ own *sqlite.Driver }

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.own.Open(":memory:") }
func (c connector) Driver() driver.Driver                        { return c.own }

// prepare makes the tables, then allows only reading.
func (db *DB) prepare() error {
	statements := []string{"pragma temp_store = memory", fmt.Sprintf("pragma hard_heap_limit = %d", db.most)}
	for _, t := range tables.All {
		statements = append(statements, fmt.Sprintf("create virtual table %s using %[1]s", t.Name))
	}
	for _, s := range statements {
		if _, err := db.conn.ExecContext(context.Background(), s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return db.conn.Raw(func(c any) error { return c.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(authorize) })
}

// readable are the pragmas that only read.
var readable = map[string]bool{"table_info": true, "table_xinfo": true, "table_list": true, "function_list": true}

// refused are functions that reach beyond the tables.
var refused = map[string]bool{"load_extension": true, "fts3_tokenizer": true, "readfile": true, "writefile": true,
	"edit": true}

// authorize allows what reads the tables, and nothing else.
func authorize(action sqlite.AuthorizerActionCode, first, second, _, _ string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthRecursive:
		return sqlite.AuthorizerOK
	case sqlite.AuthFunction:
		if !refused[strings.ToLower(second)] {
			return sqlite.AuthorizerOK
		}
	case sqlite.AuthPragma:
		if readable[strings.ToLower(first)] {
			return sqlite.AuthorizerOK
		}
	}
	return sqlite.AuthorizerDeny
}

// Close ends the use of the tables.
func (db *DB) Close() error {
	db.conn.Close()
	return db.pool.Close()
}

// Needs returns the tables that a query reads. It compiles the query, so its error is that of a query that cannot run.
func (db *DB) Needs(ctx context.Context, query string) (needed []*tables.Table, err error) {
	clear(db.used)
	if err := db.run(ctx, "explain "+query, nothing{}); err != nil {
		return nil, err
	}
	for _, t := range tables.All {
		if db.used[t] {
			needed = append(needed, t)
		}
	}
	return needed, nil
}

// nothing takes no answer.
type nothing struct{}

func (nothing) Columns([]string) error { return nil }
func (nothing) Row([]any) error        { return nil }

// Ask runs a query. Its error names the next step, or is that of the answer or of the context.
func (db *DB) Ask(ctx context.Context, query string, answer Answer) error {
	return db.run(ctx, query, answer)
}

func (db *DB) run(ctx context.Context, query string, answer Answer) error {
	if strings.TrimSpace(strings.TrimPrefix(query, "explain ")) == "" {
		return errors.New("the query is empty; iprof sql -tables has one for each table")
	}
	db.held.Store(0)
	rows, err := db.conn.QueryContext(ctx, query)
	if err != nil {
		return db.explained(ctx, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err == nil {
		err = answer.Columns(names)
	}
	if err != nil {
		return err
	}
	values, places := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		places[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return err
		}
		if err := answer.Row(values); err != nil {
			return err
		}
	}
	return db.explained(ctx, rows.Err())
}
