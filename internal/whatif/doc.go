// Package whatif computes how much shorter frames or calls would be if a part of the program were faster. It plays a
// recorded run again with that part shortened: goroutines work, wait for each other and for processors in the recorded
// order.
//
//	program, err := whatif.Compile(&recording)
//	least, most := program.Gain(whatif.Faster(paths, 0.2)) // ms of a frame
//
// A run is recorded by states of goroutines, from an execution trace, and by the stretches of zones between their
// events. A wait ends when the goroutine that ended it in the recording gets to that point. Two replays give the
// bounds, because a recording does not have everything:
//
//   - A wait whose end is not explained ends at its recorded moment in the one, and takes its recorded time in the
//     other. So does a sleep, which may be of a given length, or last until a given moment.
//   - A goroutine may look at a result that was ready. The recording does not show that it would have waited. In the
//     one, the frame ends after all work that was woken in it and that ended before it.
//
// Timers, the network and a display with its own pace keep their moments in both. Both replays are compared with a
// replay of the unchanged program, so errors of the replay that both have cancel. Fit is how well that one agrees with
// the recording.
package whatif
