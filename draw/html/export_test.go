package html

// What tests compare with packages of the standard library, and the limits of the page.
var (
	ColorsOf  = colorsOf
	SHA256Of  = sha256Of
	Graphed   = mostGraphs
	Frames    = mostFrames
	Lines     = mostLines
	Marks     = mostMarks
	SlowCalls = mostSlowCalls
)

// Hash is the policy's expression for a text, and Script the page's script.
func Hash(s string) string    { return string(hash(markup(s))) }
func Script() string          { return string(scriptJS) }
func Style() string           { return string(makeStyle()) }
func Visible(s string) string { return string(esc(s)) }
