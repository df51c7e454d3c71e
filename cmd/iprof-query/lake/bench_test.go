package lake_test

import (
	"testing"

	"example.com/iprof/cmd/iprof-query/internal/machines"
	"example.com/iprof/cmd/iprof-query/lake"
	"example.com/iprof/cmd/iprof-query/tables"
	"example.com/iprof/internal/must"
)

// The calls of a million rows as Parquet, with the time of reading the capture.
func BenchmarkParquetOfAMillionCalls(b *testing.B) {
	path := captured(b, b.TempDir(), machines.Machine{Number: 10, Version: "1.4", Frames: 1_000_000 / 9})
	for b.Loop() {
		var done lake.Result
		o := lake.Options{Folder: b.TempDir(), Tables: []*tables.Table{tables.Find("calls")}}
		must.Do(b, o.Add(path, &done))
		b.ReportMetric(float64(done.Bytes)/float64(done.Rows), "bytes/row")
	}
}
