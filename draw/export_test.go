package draw

// Source is what a panel asks of a session, for tests that feed it by hand.
type Source = source

// NewPanel returns a panel over a test's data.
func NewPanel(s Source) *Panel { return newPanel(s) }

// For the tests of the parts.
var (
	AppendFixed = appendFixed
	AppendCount = appendCount
	AppendBytes = appendBytes
	Window      = window
	RoundUp     = roundUp
)
