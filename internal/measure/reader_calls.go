//go:build !iprof_off

package measure

// reportSlowCalls adds the slow calls to the frame. With move, it removes them from the list.
func reportSlowCalls(f *Frame, move bool) {
	if singly.report != nil {
		singly.report(f, move)
	}
}
