// Package gl draws the profiler in the host's OpenGL context and restores the host's GL state.
//
// It works in OpenGL 2.1 to 4.x, core and compatibility profile, and in OpenGL ES 2 and 3. It loads OpenGL by itself,
// and makes its objects on first use. Hosts usually have a package gl of their own, so import it under another name:
//
//	import profgl "example.com/iprof/draw/gl"
//
//	for !window.ShouldClose() {
//		step()
//		render()
//		profgl.Overlay()
//		window.SwapBuffers()
//		iprof.Update()
//	}
//
// DrawGL and DrawGraphGL draw the report and the history graph alone, at any place:
//
//	var report process.Report
//	var series []process.Series
//
//	session := process.Default()
//	session.AppendReport(&report)
//	profgl.DrawGL(&report, 10, 10, 600, 400, nil)
//	series = session.AppendSeries(series[:0], 300)
//	profgl.DrawGraphGL(series, session.View().Age, 10, 600, 2, 4, nil)
//
// Call all functions on the goroutine with the current OpenGL context, which must be locked to its thread. The
// package needs cgo. Built without cgo, every function returns an error that says so.
package gl
