// Package totals has the sums since the start of the program, or since the last reset: ticks and entries of each path
// on each lane.
//
// A [Tally] takes each frame as it ends. Its seats have the sums of recent frames by node, so that a frame costs
// little. Before a read, the sums of the seats are added to the lanes. Trees are made from the lanes on demand. If
// there is only an unfinished frame, its lanes are packed, and trees are made from them in little memory.
package totals
