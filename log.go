package iprof

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/hostwriter"
	"example.com/iprof/platform"
)

// logWriter is the writer of LogScope and Exit. SetLog sets it; nil stands for os.Stderr.
var logWriter atomic.Pointer[io.Writer]

// logging keeps the lines of different goroutines apart.
var logging struct {
	sync.Mutex
	by      atomic.Uint64 // the goroutine that is writing a line
	dropped atomic.Int64  // lines that the writer itself logged since the last line
}

// SetLog sets the writer of LogScope and Exit. It starts as os.Stderr; nil discards. Lines are written one at a time. A
// line that the writer itself logs during a Write is dropped. The number of dropped lines follows the next line. A
// writer must not wait for another goroutine that logs. Any goroutine may call SetLog.
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

// LoggedScope is one running measurement of LogScope. It may be copied.
type LoggedScope struct {
	name  string
	begin platform.Ticks
}

// LogScope measures one piece of work. End writes a line with the name, the time in a suitable unit, and the raw ticks.
// It is not a zone and appears in no report. In programs built with the tag iprof_off it writes nothing. Any goroutine
// may call it.
//
//	defer iprof.LogScope("load config").End()
func LogScope(name string) LoggedScope {
	if !Enabled {
		return LoggedScope{}
	}
	return LoggedScope{name, platform.Now()}
}

// End writes the line. Any goroutine may call it. A second call writes another line, with the time since LogScope.
// Control characters in the name are escaped, and the name is cut to 100 characters. The writer's errors and panics are
// dropped, because a log must not stop its program. A broken pipe of os.Stderr is dropped, too.
func (s LoggedScope) End() {
	if !Enabled {
		return
	}
	ticks := max(platform.Now()-s.begin, 0)
	tick := 1000 / platform.TicksPerSecond()
	took := text.Reading(float64(ticks)*tick, tick)
	line := fmt.Sprintf("%s took %s (%d ticks)\n", text.Name(s.name), took, ticks)
	writeLine(line)
}

// writeLine writes one line. It waits for lines of other goroutines.
func writeLine(line string) {
	self := platform.Goroutine()
	if logging.by.Load() == self { // the lock would never be free
		logging.dropped.Add(1)
		return
	}
	logging.Lock()
	defer logging.Unlock()
	logging.by.Store(self)
	defer logging.by.Store(0) // a writer may end the goroutine
	if dropped := logging.dropped.Swap(0); dropped > 0 {
		line += fmt.Sprintf("(%d lines logged by the log's own writer were dropped)\n", dropped)
	}
	_, _ = hostwriter.Write(logTo(), []byte(line))
}
