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
//	session.View().AppendReport(&r)
//	profgl.DrawGL(&r, 10, 10, 600, 400, nil)
//	series = session.AppendSeries(series[:0], 300)
//	profgl.DrawGraphGL(series, session.View().Age, 10, 600, 2, 4, nil)
//
// Zones of this package are zones of the GPU, too. They need no set-up:
//
//	var shadow = profgl.NewZone("shadow pass")
//
//	func drawShadows() {
//		defer shadow.Begin().End() // or: defer profgl.Begin("shadow pass").End()
//		…
//	}
//
// Each context then has a lane "GPU", with the zones "GPU shadow pass" and so on, at the times at which the GPU
// executed them, in the frame that issued them. The session shows a frame when the times of the GPU have arrived, some
// frames late. Reports name the limit of the frame rate: "CPU 4.1 · GPU 12.3 ms · GPU-bound". Mark the wait in the
// buffer swap as an idle zone, so that it does not count as work of the CPU. Without timer queries the zones are zones
// of the CPU only, and [GPULane] gives the reason. Hosts with Vulkan, WebGPU or Metal feed a [gather.ForeignLane].
//
// Call all functions on the goroutine with the current OpenGL context, which must be locked to its thread. On Windows
// the package needs no cgo. On other systems, every function of a build without cgo returns an error that says so.
package gl
