package iprof

import (
	"fmt"
	"os"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/hostwriter"
	"example.com/iprof/platform"
)

// LoggedScope is one running measurement of LogScope. It may be copied.
type LoggedScope struct {
	name  string
	begin platform.Ticks
}

// LogScope measures one piece of work. End writes a line with the name, the time in a suitable unit, and the raw ticks.
// It is not a zone and appears in no report. In programs built with the tag iprof_off it writes nothing. Any goroutine
// may call it. Lines go to os.Stderr, each by one Write.
//
//	defer iprof.LogScope("load config").End()
func LogScope(name string) LoggedScope {
	if !Enabled {
		return LoggedScope{}
	}
	return LoggedScope{name, platform.Now()}
}

// End writes the line. Any goroutine may call it. A second call writes another line, with the time since LogScope.
// Control characters in the name are escaped, and the name is cut to 100 characters. Errors of os.Stderr are dropped,
// because a log must not stop its program. So is a broken pipe.
func (s LoggedScope) End() {
	if !Enabled {
		return
	}
	ticks := max(platform.Now()-s.begin, 0)
	tick := 1000 / platform.TicksPerSecond()
	took := text.Reading(float64(ticks)*tick, tick)
	_, _ = hostwriter.Write(os.Stderr, fmt.Appendf(nil, "%s took %s (%d ticks)\n", text.Name(s.name), took, ticks))
}
