// Package totals has the sums since the start of the program, or since the last reset: ticks and entries of each path
// on each lane.
//
// A [Tally] takes each frame as it ends. A frame costs little, because the sums of recent frames are collected by node.
// A [Reading] adds to the sums of a tally those of the frames that the tally does not have yet, lane by lane, without
// changing the tally. Trees, sums of zones and sums of lanes are made from a reading.
package totals
