package process

import "example.com/iprof/gather"

// mostVariance bounds the variances of frames from elsewhere, in ticks squared. The error of a time is less than all of
// the time.
const mostVariance = 0x1p126

// validExtras reports whether a lane's extras belong to its nodes and are in their order, and whether their variances
// are in range.
func validExtras(l *gather.LaneFrame) bool {
	last := int32(-1)
	for i := range l.Extras {
		x := &l.Extras[i]
		if x.Node <= last || int(x.Node) >= len(l.Nodes) || !(x.Variance >= 0 && x.Variance <= mostVariance) {
			return false
		}
		last = x.Node
	}
	return true
}
