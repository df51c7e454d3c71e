package iprof

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"example.com/iprof/draw/text"
	"example.com/iprof/platform"
)

// logWriter is where LogScope and Exit write; SetLog sets it, nil stands for os.Stderr.
var logWriter atomic.Pointer[io.Writer]

// logging keeps lines apart.
var logging sync.Mutex

// SetLog sets where LogScope and Exit write; os.Stderr at first, nil for nowhere. Lines are written one at a time. Any
// goroutine may call it.
func SetLog(w io.Writer) {
	if w == nil {
		w = io.Discard
	}
	logWriter.Store(&w)
}

func logTo() io.Writer {
	if w := logWriter.Load(); w != nil {
		return *w
	}
	return os.Stderr
}

// LoggedScope is what LogScope returns: one running measurement, two words and a time. Copying it is fine.
type LoggedScope struct {
	name  string
	begin platform.Ticks
}

// LogScope measures once and says so: when End is called it writes one line with the name, the time in the unit that fits,
// and the raw ticks. It is no zone and appears in no report. In programs built with the tag iprof_off it is silent.
//
//	defer iprof.LogScope("load config").End()
func LogScope(name string) LoggedScope {
	if !Enabled {
		return LoggedScope{}
	}
	return LoggedScope{name, platform.Now()}
}

// End writes the line; any goroutine may call it, and it may be called again, for the time up to then. What the terminal
// might take for a command in the name is escaped, and the name cut to 100 characters. A writer's error is dropped: a log
// must not stop its program.
func (s LoggedScope) End() {
	if !Enabled {
		return
	}
	ticks := max(platform.Now()-s.begin, 0)
	took := text.Duration(float64(ticks) / platform.TicksPerSecond() * 1000)
	line := fmt.Sprintf("%s took %s (%d ticks)\n", text.Name(s.name), took, ticks)
	logging.Lock()
	defer logging.Unlock()
	io.WriteString(logTo(), line)
}
