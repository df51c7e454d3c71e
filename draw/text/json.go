package text

import (
	"io"

	"example.com/iprof/internal/asjson"
	"example.com/iprof/process/report"
)

// WriteJSON writes d as one JSON object, followed by a line feed. The commands of iprof with -json, the report of iprof
// run in a .json file and the page of a program write the same object, each with the fields that it knows. Field names
// are stable and have the unit:
//
//	format, version             "iprof", 2; a reader should refuse another format and a greater version
//	kind                        "game", "server", "command", "profile" or "trace": see report.Kind
//	program, arguments[], time (RFC 3339), go_version, machine
//	complete                    of a capture: it has its end
//	missed_frames               of a stream: frames between the line before and this one
//	frames, calls, run_time_ns, cpu_ns (processor time of the process), ticks_per_second, budget_ns
//	overhead_ns                 and the interval of the true one, if it is known: overhead_low_ns, overhead_high_ns
//	clock                       source ("counter", "go" or "program"), why, and reading_ns, what a reading takes
//	warnings[]
//	disturbed                   frames and of_frames: how many had more than a tenth away
//	verdict, verdicts[]         on the slowest frame; on all late frames: text (the line for people), frame, frames,
//	                            among, of_range, over, working, time_ms, usual_ms, excess_ms, budget_ms, rest_ms,
//	                            causes[]. Of each kind, zone, zone_id, function, file, line, path_id, lane, callers[],
//	                            self, time_ms, usual_ms, spread_ms, excess_ms, taken_ms, taken_certainly, of_ms,
//	                            at_most, count, usual_count, chosen, state (kind, reason, place, waker_lane, by, at),
//	                            pattern (kind "period", "rise", "step" or "turns", every_frames, since_frame,
//	                            low_ms, high_ms, more_often_now). verdicts_left_out: their number. See report.Verdict
//	zones[]                     by zone_id: name, function, file, line, public, idle
//	merged[]                    nodes of the tree of all lanes
//	lanes[]                     id, name, cpu_ns, nodes[]
//	frame_trees[]               frame, nodes[], verdict
//	history[], slowest[]        oldest first; the slowest first, and slowest_left_out is the number of others: frame,
//	                            label, length_ms, busy_ms, blocked_ms, over, gc_cycles, gc_pause_ms, alloc_bytes,
//	                            alloc_objects, heap_live_bytes, heap_cost_ms, memory (off, own, frame or zone),
//	                            has_report, gpu_ms, runnable_ms and locks_ms (waits of all goroutines), away_ms,
//	                            away_at_most
//	marks[]                     oldest first: frame, at_ms since its begin, lane (0: not known), text
//	sections[]                  oldest first: name, from and to (frames), frames, mean_ms, p99_ms, worst_ms,
//	                            worst_frame. sections_dropped is the number of older ones
//	slow_calls[]                oldest first, of slow_calls_seen: text, zone, zone_id, frame, lane, lane_name,
//	                            ended_s_ago, time_ms, usual_ms, said, and parts[], callers first: zone, zone_id,
//	                            level, count, time_ms. See report.SlowCall
//	locks[]                     the longest waits first: name, place (of the wait), waits, time_ms, waiter, waiters
//	                            (goroutines), released_by, released_at, released_ms (of time_ms), longest_ms,
//	                            longest_lane, longest_frame. Those of package sync need an execution trace: with one,
//	                            locks_of_sync is true. See report.Lock
//	go_statements[]             of iprof run: place, path[] (zones, outermost first), paths, goroutines, own_ms,
//	                            forked_ms, waited_ms
//	allocations                 the newest that were traced, each object counted: frames[], start_ms (the program
//	                            stood still), objects, bytes, freed, outside_frames, not_listed, full and
//	  rows[]                    frame, lane, zone, path[] (zones, outermost first), type, objects, bytes, freed,
//	                            uncertain (events were overwritten: zones may be missing)
//	goroutines                  the latest survey, if one was asked for: at, since_s (the first), surveys, took_ms,
//	                            alive, not_listed, by_function, leaks_searched and
//	                            go_statements[], the most alive first: place, alive, at_first, rises, made, ended,
//	                            oldest_s, rested_min, leaked, waits[] (reason, place, count). See report.Goroutines
//	recursion[]                 zone, zone_id, calls[] by depth, the outermost first; the last of 16 has all deeper
//	series[]                    zone, zone_id, self_ms[] by frame of history, null before the zone existed
//	values[]                    numbers of frames: name, kind (heap, count or level), unit (bytes, ms or nothing),
//	                            value, mean, max, total (of a level the latest), per_frame[] with null for none
//	statistics[]                zone, zone_id, frames, self and hier, each with min_ms, mean_ms, max_ms, deviation_ms,
//	                            p50_ms, p90_ms, p99_ms, p999_ms per frame, null if not known; calls has these of
//	                            single calls, with counted and missing
//	report                      title, frame, label, frame_ms, busy_ms, blocked_ms, idle_ms, gpu_ms, bound, sorted_by,
//	                            filter, baseline, marks[], calls[] (zone, zone_id, counted, missing, times as in
//	                            statistics, and bars[], a histogram) and rows[] (rows_left_out is the number of
//	                            those that a limit cut): zone, zone_id, function, file, line, path_id
//	                            (-1: it sums several, or the file has no trees), group (caller, focus, callee or
//	                            package), package, indent, depth, mark (closed or opened), costly, idle,
//	                            open, heat, values (by column: self_ms, hier_ms, count, ...), estimated,
//	                            standard_error_ms, and delta (ms, percent, new, noise) from the baseline
//	table                       of iprof calls, lanes and so on: of (the command), by, sorted_by, frames, notes[],
//	                            rows_left_out and rows[]: id, name, path[] (zones), zone_id, function, file, line,
//	                            text (of the line), place and ended_by (of a wait), lane, lane_id, frame, values
//	run                         of iprof run: ended, headline, profiler_ms and its interval profiler_low_ms to
//	                            profiler_high_ms, waits[] (zone, function, file, line, self_ms, waited_ms,
//	                            waited_error_ms), hottest_lines[] (zone, function, file, line, samples), samples,
//	                            samples_outside_zones by package, muted[] (zone, function, file, line), routes[]
//	                            (route, requests, p50_ms, p99_ms)
//	comparison                  of iprof diff: unit, method, machines, slower, busy_machine[], changes[]: zone,
//	                            function, file, line, caller, before_ms, after_ms, noise_ms, evened, p, verdict
//
// A node has zone_id, path_id (the same number for the same stack in all trees), parent (index into the same nodes, -1
// for a root), level, count, self_ms and hier_ms. It has these fields only if they are not zero or false: lanes_at_once
// (in merged only: hier_ms divided by the run time, if it is more than 1), idle, open, errors, estimated (1 if the time
// of some entries is estimated, 2 if their number is, too), standard_error_ms (of self_ms), left_out and left_out_ms
// (number and time of the nodes below that report.DumpOptions left out), allocs, alloc_bytes, frees, free_bytes, units,
// heap_objects, heap_bytes. A parent precedes its children.
//
// Numbers have every digit and read back equal. A number that is not finite is written as 0. Characters that could
// control a terminal or a page are written as \u escapes, so every reader gets the same string. A text that is not
// UTF-8, or that begins with "base64:", is written as "base64:" followed by its bytes in base64. Errors are the
// writer's. Its memory does not grow with the number of nodes. Any goroutine may call WriteJSON. Its cost is measured
// by BenchmarkWriters.
func WriteJSON(w io.Writer, d *report.Dump) error { return asjson.WriteDump(w, d, nil) }
