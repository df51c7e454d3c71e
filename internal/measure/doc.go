// Package measure measures the time that a program spends in its zones, frame by frame.
//
// Begin and End are the hot path. [Collect] ends a frame and copies its measurements into a [Frame], which package
// [example.com/iprof/process] analyses.
//
// # Parts
//
// The part of a file is the word before its first underscore. A part refers to itself and to the parts before it:
//
//   - frame: what a frame holds, and limits.
//   - lane: what the running goroutine writes. It finds its lane, and enters, leaves, makes and repairs nodes.
//   - census: what happens to lanes between frames. They are registered, parked, merged, ended and given up.
//   - reader: it reads the lanes, estimates times and makes frames. It keeps its own baselines. The governor decides
//     here.
//   - the files of no part: the functions that programs call, settings, marks, counters and foreign lanes.
//
// A lane calls the census only where a goroutine has no lane yet, or has another's. The census calls the reader through
// hooks. The census speaks to a lane through these methods:
//
//   - its goroutine: isNobodys, isVacant, lastUsed, recordName
//   - open nodes: at, catchUp, closeAll
//   - nodes: after, find, give, giveIDsBack, mustVisit, node, partner, plant, unreported, unsettle, unsettleAll
//   - parking: leaveOut, poke, rearm, stayAwake, wake
//   - settings and logs: appendEvents, applySettings, forgetKnown, freeLog, pokeStale
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
// The decision moves its sums to the ordinary nodes. docs/governor.md says how [SetOverheadLimit] works.
//
// # Reading while it runs
//
// Collect reads the nodes while their goroutines go on. A node's time is one signed word, acc. Begin subtracts the
// current time from it, and End adds it. A node is open at most once in its lane, and the current time is larger than
// any sum of durations. So a negative acc means that the node is open, and acc+now is then its time until now. The
// reader needs no lock and no copy to get a consistent value.
//
// The frame's share is the difference of two readings, for closed and for open nodes alike. The reader keeps the
// earlier reading (base), so a new frame or a reset does not touch the goroutines.
//
// A frame that ends in one set of frames ends a piece of the frames of all: see [Set]. The sets add pieces up, so there
// is one baseline.
//
// A goroutine may be preempted after it reads the clock and before it stores the result. The reader makes sure that no
// such reading is earlier than the time up to which it has reported the lane: see upTo. Package
// [example.com/iprof/internal/oracle] compares frames with the goroutines' own records.
//
// # Memory model
//
// A lane's goroutine stores its words plainly, and Update loads them atomically. Strictly by the Go memory model, this
// is a race. The model's clause on word-sized values bounds it: a load sees one whole value that was stored, and each
// word is meaningful on its own. 32-bit machines store atomically. The hot path is marked go:norace and orders nothing
// between goroutines, so the race detector still reports the host's own races.
//
// Atomic stores would double the cost of Begin and End, because the store's fence waits for the clock reading. They
// would also hide races of the host from the race detector.
package measure
