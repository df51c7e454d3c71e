// Package oracle compares the profiler with one that is as naive as can be. It has tests only.
//
// A random program enters zones on some goroutines, in every way there is, with mistakes. A naive profiler writes down
// each fact: so much time in this stack, one entry of it. A question is answered by going through all facts. The
// profiler gets the same question by its public functions, and must give the same answer: sums and parts of them,
// reports of any view, statistics, numbers, timelines, recordings.
//
// There are two drivers. Under a clock that stands still between steps, goroutines take turns, and answers are exact:
// TestPrograms. On clocks that run, goroutines run freely beside readers, and facts are bounds: TestFreePrograms. The
// settings of both are tables: limits, governor, holds, pace of frames, processors, clocks, readers. IPROF_ORACLE is
// how long each setting runs.
package oracle
