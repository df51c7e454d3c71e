// Package gather measures: it is the hot path that zones in the host's code run through, and Collect, which ends a frame.
//
//	var physics = gather.Zone{Name: "physics"}
//
//	func step() { defer physics.Begin().End() }
//
//	var frame gather.Frame
//	for { step(); gather.Collect(&frame) }
//
// # How it is laid out
//
// A goroutine has a lane: a 64-byte head (platform.Slot) that names its innermost open node and its latest timestamp, and a
// tree of nodes, one for each distinct stack of zones that it ever had open. A node has 128 bytes: one line with its sums, one
// with eight child pointers, chosen by the zone's key. Begin finds the goroutine's slot, reads the clock, and finds the child
// of the innermost node; End goes back to the parent. There is no miss: alternating callers and recursion find their own
// nodes as quickly as anything else.
//
// # How it is read while it runs
//
// A node's time is one signed word, acc: Begin subtracts the time, End adds it. A node is open at most once in its lane and
// time exceeds any sum of durations, so acc < 0 says that it is open, and acc+now is then its time up to now. The reader
// needs no lock, sequence or copy to get a consistent figure from that one word, and the difference of two readings is the
// frame's part, of closed and open nodes alike. Baselines belong to the reader, so a reset does not touch the writers.
//
// By the letter of Go's memory model this is racy: words are written by plain stores of one goroutine and read by atomic loads of
// another. It is bounded by the model's clause on word-sized values: a reader sees some value that was written, and each
// word means something by itself. Real atomic stores would cost as much again as the whole of Begin and End (the fence
// meets the timestamp), and would hide the host's own races from the race detector, which sees no synchronisation in a
// zone today and so still reports them. On 32-bit machines the stores are atomic, since halves of a word mean nothing.
//
// Creating a node, and every repair, takes the lane's mutex: once per node, not per call.
//
// # What else a lane can write down
//
// Events and the durations of single calls need a log. A lane that has one keeps its slot's Last above any time, so Begin and
// End leave their shortest path by the comparison that guards against clocks that step back, and go on from Real: lanes
// without a log pay nothing. A hold is a node like any other, with a subtree of its own, which the reader does not visit; its
// sums move to where they belong when it is decided about.
//
// # The governor
//
// With an overhead limit (SetOverheadLimit), Collect judges what measuring cost on each lane. Where that is above the limit,
// the nodes entered most often for the least time are demoted: a twin of each counts the entries that are not timed, and
// which are timed is drawn at random, in runs. Begin and In go through a variable, which the governor points to its own
// forms while anything is demoted, so that they need not read the clock to find out that they need not read the clock;
// without it they pay nothing. Collect gives the twins their time, by the timed entries, takes it from the zone around them,
// and makes one node of both: see Node.Estimated. Counts and the hierarchical time of what is timed stay exact, and so does
// the sum of all self times.
//
// The estimates are free of what timing itself takes, which is found in place: in a run, blocks of a few timed and of a few
// counted entries take turns, and are compared, as are some that are counted again once and four times; the entries in which the
// processor gets used to either are left out. A whole run is compared with as many entries that are counted before it, so what runs
// take besides is known, too, and told as a part of what counting takes. The zone around is told by what it has between two timed
// entries; what all that misses of the time that passed goes to each by how far it may be off. A zone's time is good where some
// 100,000 of its entries were timed, and not in every frame. Blocks that last very much longer than usual, as the system has taken the
// processor away, speak for no others, unless they do so again and again.
package gather
