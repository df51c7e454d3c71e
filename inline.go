package iprof

// The compiler hands the body of a method on to the importers of this package if the method is declared here or was inlined
// here. Those of Zone and Scope are declared in package gather, which users need not import: without the calls below every
// Begin and End would be one call more, and compiled out they would be empty calls instead of nothing. The function itself is
// dropped. TestHotPathInlinesInUsers notices; looked up in Go 1.26's cmd/compile/internal/noder/linker.go, exportBody.
var _ = func(z *Zone, lane *Lane) {
	z.Begin().End()
	z.In(lane).End()
	for range z.Span {
	}
}
