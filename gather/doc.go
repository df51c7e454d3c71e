// Package gather measures the time that a program spends in its zones, frame by frame.
//
// Begin and End are the hot path. [Collect] ends a frame and copies its measurements into a [Frame], which package
// [example.com/iprof/process] analyses.
//
// # Layout
//
// Each goroutine has a lane. A lane has a slot and a tree of nodes. The slot is 64 bytes ([platform.Slot]). It points
// to the innermost open node and holds the latest timestamp. There is one node for each distinct stack of zones that
// the goroutine has had open.
//
// A node is 128 bytes, two cache lines. The first line holds its sums. The second holds eight child pointers; the
// zone's key selects one of them. Children that share a pointer form a chain.
//
// Begin finds the goroutine's slot, reads the clock, and finds the zone's node among the children of the innermost
// node. End returns to the parent. There is no cache of recent nodes that could miss, so a zone costs the same whether
// its callers alternate, recurse or repeat.
//
// Making a node and repairing one take the lane's mutex. Both are rare. A Begin and End of a known node take no lock.
//
// A lane with a log, for events and the durations of single calls, keeps its slot's Last above any time. Begin and End
// compare the time with Last anyway, so lanes without a log pay nothing. A hold ([Zone.Hold]) has a separate subtree.
// The decision moves its sums to the ordinary nodes. DESIGN.md says how Collect reads the nodes while their goroutines
// go on, and docs/governor.md how [SetOverheadLimit] works.
package gather
