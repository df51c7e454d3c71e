// Package growth measures how the cost of the profiler grows with the size of a program: see BenchmarkGrowth and
// BenchmarkWatched. It has no code of its own.
package growth
