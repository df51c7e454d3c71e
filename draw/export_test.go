package draw

// Source is what a panel asks of a session, for tests that feed it by hand.
type Source = source

// NewPanel returns a panel over a test's data.
func NewPanel(s Source) *Panel { return newPanel(s) }

// Spread returns the quantile q of values, how many count, and the bar that the last of them is in.
func Spread(q float64, values ...float32) (quantile float32, frames, bin int) {
	var s spread
	s.take(values)
	return s.quantile(q), len(s.sorted), s.bin(values[len(values)-1])
}

// For the tests of the parts.
var (
	AppendFixed = appendFixed
	AppendCount = appendCount
	AppendBytes = appendBytes
	Window      = window
	RoundUp     = roundUp
)
