// Package totals has the sums since the start of the program, or since the last reset: ticks and entries of each path
// on each lane.
//
// A [Tally] takes each frame as it ends. Its seats have the sums of recent frames by node, so that a frame costs
// little. What reads the sums adds those of the seats to the lanes first. Trees are made of the lanes on demand. Where
// there is nothing but an unfinished frame, its lanes are packed, and trees are made of them in little memory.
package totals
