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
// [DrawGL] and [DrawGraphGL] draw the report and the history graph alone, at any place:
//
//	var r report.Report
//	var series []report.Series
//
//	session := process.Default()
//	session.AppendReport(&r)
//	profgl.DrawGL(&r, 10, 10, 600, 400, nil)
//	series = session.AppendSeries(series[:0], 300)
//	profgl.DrawGraphGL(series, session.View().Age, 10, 600, 2, 4, nil)
//
// Zones of this package are zones of the GPU, too. They need nothing but themselves:
//
//	var shadow = profgl.NewZone("shadow pass")
//
//	func drawShadows() {
//		defer shadow.Begin().End() // or: defer profgl.Begin("shadow pass").End()
//		…
//	}
//
// Then there is a lane "GPU" for each context, with the zones "GPU shadow pass" and so on, at the times at which the
// GPU carried them out, in the frame that issued them. The session shows frames some frames late, when the times of the
// GPU are there. Reports name what bounds the frames: "CPU 4.1 · GPU 12.3 ms · GPU-bound". Mark the wait in the
// buffer swap as an idle zone, so that it does not count as work of the CPU. Where there are no timer queries,
// [GPULane] says why; the zones are zones of the CPU then. Hosts with Vulkan, WebGPU or Metal feed a
// [gather.ForeignLane].
//
// Call all functions on the goroutine with the current OpenGL context, which must be locked to its thread. On
// Windows the package needs no cgo. Elsewhere, built without cgo, every function returns an error that says so.
package gl
