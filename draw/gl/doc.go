// Package gl draws the profiler in any OpenGL context the host has: 2.1 to 4.x, core and compatibility profile, OpenGL ES 2
// and 3, without disturbing it. It loads OpenGL by itself and makes what it needs on first use. Import it under another
// name, since hosts have a package gl of their own:
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
// The report and the history graph alone, wherever the host wants them:
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
// All functions are for the goroutine with the current OpenGL context, which is locked to its thread. It needs cgo; built
// without it, every function returns an error that says so.
package gl
