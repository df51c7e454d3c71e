package ask

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"slices"

	"modernc.org/sqlite"
)

// shares are the functions of one argument, and their percentiles.
var shares = map[string]float64{"p50": 50, "p90": 90, "p95": 95, "p99": 99, "p999": 99.9}

// functions are the aggregates that SQLite lacks: p99(x), and percentile(x, 99). Percentiles are by nearest rank, as in
// all reports.
func (db *DB) functions() map[string]*sqlite.FunctionImpl {
	make1 := func(percent float64) func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
		return func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
			return &quantile{db: db, percent: percent}, nil
		}
	}
	all := map[string]*sqlite.FunctionImpl{
		"percentile": {NArgs: 2, Deterministic: true, MakeAggregate: make1(math.NaN())},
	}
	for name, percent := range shares {
		all[name] = &sqlite.FunctionImpl{NArgs: 1, Deterministic: true, MakeAggregate: make1(percent)}
	}
	return all
}

// quantile collects the values of a group.
type quantile struct {
	db      *DB
	percent float64 // NaN: the second argument says it
	values  []float64
	sorted  bool
}

var errPercent = errors.New("percentile(x, p): p is a number from 0 to 100, the same in all rows")

// Step takes a value. Null does not count.
func (q *quantile) Step(_ *sqlite.FunctionContext, args []driver.Value) error {
	if len(args) == 2 {
		p, ok := number(args[1])
		if !ok || !(p >= 0 && p <= 100) || len(q.values) > 0 && p != q.percent {
			return errPercent
		}
		q.percent = p
	}
	v, ok := number(args[0])
	if !ok {
		return nil
	}
	if len(q.values) == cap(q.values) {
		grown := int64(8 * max(64, cap(q.values)))
		if q.db.held.Add(grown) > q.db.most {
			return errMemory
		}
		q.values = slices.Grow(q.values, int(grown/8))
	}
	q.values, q.sorted = append(q.values, v), false
	return nil
}

// WindowInverse takes a value away.
func (q *quantile) WindowInverse(_ *sqlite.FunctionContext, args []driver.Value) error {
	v, ok := number(args[0])
	if i := slices.Index(q.values, v); ok && i >= 0 {
		q.values = slices.Delete(q.values, i, i+1)
	}
	return nil
}

// WindowValue returns the percentile, null without values.
func (q *quantile) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if len(q.values) == 0 {
		return nil, nil
	}
	if !q.sorted {
		slices.Sort(q.values)
		q.sorted = true
	}
	rank := int(math.Ceil(q.percent/100*float64(len(q.values)) - 1e-9))
	return q.values[max(rank, 1)-1], nil
}

// Final forgets the values.
func (q *quantile) Final(*sqlite.FunctionContext) {
	q.db.held.Add(-int64(8 * cap(q.values)))
	q.values = nil
}

// number returns a value as a number. Texts are none.
func number(v driver.Value) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, !math.IsNaN(v)
	}
	return 0, false
}

var errMemory = fmt.Errorf("out of memory")
