// Package api has the tests and benchmarks of package iprof that are no examples: ends of programs, cost of zones, rows
// of places in the source, lines of the log.
package api
