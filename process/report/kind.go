package report

import "strings"

// Kind is the kind of program or file that frames come from. Displays begin with what a user of that kind asks first,
// and leave out numbers that have no meaning there. The zero value is KindGame.
type Kind uint8

// The kinds.
const (
	KindGame    Kind = iota // the program marks frames, so they have a rate and a budget
	KindServer              // it answers requests: routes have calls
	KindCommand             // it runs once, from beginning to end
	KindProfile             // sums of stacks, without an order in time
	KindTrace               // goroutines or threads by time, such as an execution trace of Go
	NumKinds    = iota
)

// String returns the kind's name: "game", "server", "command", "profile" or "trace".
func (k Kind) String() string {
	return [...]string{"game", "server", "command", "profile", "trace"}[min(k, NumKinds-1)]
}

// HasFrames reports whether frames are what the user waits for. Without it, frames are only pieces of the time: they
// have no rate, and none is late.
func (k Kind) HasFrames() bool { return k == KindGame }

// Frame returns the word of displays for a frame: "interval" where frames are only pieces of the time.
func (k Kind) Frame() string {
	if k.HasFrames() {
		return "frame"
	}
	return "interval"
}

// Whole returns the lens on all frames. Where frames are only pieces of the time, all are one run, in sums.
func (k Kind) Whole() Lens { return Lens{Kind: LensAll, Sum: !k.HasFrames()} }

// HasTime reports whether scopes have an order in time.
func (k Kind) HasTime() bool { return k != KindProfile }

// methods are the methods of HTTP, as package iprofhttp names them.
const methods = " GET POST PUT PATCH DELETE HEAD OPTIONS CONNECT TRACE OTHER "

// IsRoute reports whether a zone is named as a route of a server, by a method of HTTP: "GET /orders/{id}".
func IsRoute(name string) bool {
	end := strings.IndexByte(name, ' ') + 1
	return end > 1 && strings.Contains(methods, " "+name[:end]) && strings.IndexByte(name[end:], '/') >= 0
}
