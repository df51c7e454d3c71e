// Package api has the tests and benchmarks of package iprof that are no examples: how programs end, what zones cost,
// which rows places in the source have, what the log writes.
package api
