package iprof

// This function lets the compiler inline Begin and End in programs that import only this package. The compiler exports
// the body of a method to a package's importers if the package declares the method or has inlined it. The methods of
// Zone and Scope are declared in package gather. Without the calls below each use would cost one more call, and an
// empty call in builds with iprof_off. The function itself is dropped. See exportBody in Go 1.26's
// cmd/compile/internal/noder/linker.go. TestHotPathInlinesInUsers checks it.
var _ = func(z *Zone, lane *Lane) {
	z.Begin().End()
	z.In(lane).End()
	_ = z.Live()
	for range z.Span {
	}
}
