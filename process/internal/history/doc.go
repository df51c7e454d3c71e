// Package history keeps the measurements frame by frame: a ring buffer of frames with the records of their lanes, the
// paths of the merged call tree, series of times and numbers by frame, averages, statistics, the durations of single
// calls, states of lanes, and the slowest frames. It makes no report. Package process locks it and feeds it.
package history
