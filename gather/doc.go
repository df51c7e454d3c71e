// Package gather measures the time that a program spends in its zones, frame by frame.
//
//	package main
//
//	import (
//		"fmt"
//
//		"example.com/iprof/gather"
//	)
//
//	var physics = gather.Zone{Name: "physics"}
//
//	func step() { defer physics.Begin().End() }
//
//	func main() {
//		var frame gather.Frame
//		for range 3 {
//			step()
//			gather.Collect(&frame)
//			for _, n := range frame.Lanes[0].Nodes {
//				fmt.Println(frame.Zones[n.Zone].Name, n.Count, n.Self)
//			}
//		}
//	}
//
// Begin and End are the hot path. Collect ends a frame and copies its measurements into a Frame, which package process
// analyses.
//
// # Layout
//
// Each goroutine has a lane. A lane has a slot and a tree of nodes. The slot is 64 bytes (platform.Slot). It points to
// the innermost open node and holds the latest timestamp. There is one node for each distinct stack of zones that the
// goroutine has had open.
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
// # Reading while it runs
//
// Collect reads the nodes while their goroutines go on. A node's time is one signed word, acc. Begin subtracts the
// current time from it, and End adds it. A node is open at most once in its lane, and the current time is larger than
// any sum of durations. So a negative acc means that the node is open, and acc+now is then its time until now. The
// reader needs no lock and no copy to get a consistent value.
//
// The frame's share is the difference of two readings, for closed and for open nodes alike. The reader keeps the
// earlier reading (see seen), so a new frame or a reset does not touch the goroutines.
//
// A goroutine may be preempted after it reads the clock and before it stores the result. The reader makes sure that no
// such reading is earlier than the time up to which it has reported the lane: see upTo. TestSoakRecorder compares
// frames with the goroutines' own records.
//
// # Memory model
//
// One goroutine writes a word with plain stores; the reader uses atomic loads. By the letter of Go's memory model that
// is a data race. The model still guarantees that a reader of a single word sees some value that was written, and each
// word here has a meaning by itself. On 32-bit machines a word takes two stores, so there the stores are atomic.
//
// Atomic stores everywhere would cost as much again as Begin and End together, because the store's fence waits for the
// clock reading. They would also hide races of the host from the race detector, which sees no synchronisation in a
// zone today.
//
// # Logs and holds
//
// Events, and the durations of single calls, need a log. A lane with a log keeps its slot's Last above any time. Begin
// and End compare the time with Last anyway, to detect a clock that runs backwards. The comparison fails, and they take
// a longer path that writes the log. Lanes without a log pay nothing.
//
// A hold (Zone.Hold) has a node and a subtree of its own, which the reader does not visit. When the hold is decided,
// their sums move to the ordinary nodes.
//
// # The governor
//
// SetOverheadLimit bounds the share of time that measuring takes. On a lane above the limit the governor demotes the
// nodes with the most entries for the least time: their entries are all counted, but only random bursts of them are
// timed. It estimates their time from the bursts, with a standard error, and takes that time from the zone around them;
// see governor_policy.go.
package gather
