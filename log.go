package iprof

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"example.com/iprof/platform"
)

// log is where LogScope, LogEvery and Exit write; SetLog sets it.
var log = struct {
	sync.Mutex
	w io.Writer
}{w: os.Stderr}

// SetLog sets where LogScope writes; os.Stderr at first, nil for nowhere. Any goroutine may call it.
func SetLog(w io.Writer) {
	log.Lock()
	defer log.Unlock()
	if w == nil {
		w = io.Discard
	}
	log.w = w
}

// LoggedScope is what LogScope returns.
type LoggedScope struct {
	name  string
	begin platform.Ticks
}

// LogScope measures once and says so: when End is called it writes one line with the name, the time in the unit that fits,
// and the raw ticks. It is no zone and appears in no report.
//
//	defer iprof.LogScope("load config").End()
func LogScope(name string) LoggedScope { return LoggedScope{name, platform.Now()} }

// End writes the line. A writer's error is dropped: a log must not stop its program.
func (s LoggedScope) End() {
	ticks := platform.Now() - s.begin
	took := time.Duration(float64(ticks) / platform.TicksPerSecond() * 1e9)
	log.Lock()
	defer log.Unlock()
	fmt.Fprintf(log.w, "%s took %s (%d ticks)\n", printable(s.name), took, ticks)
}

// printable makes a name harmless to a terminal: whatever is not a printable character is escaped.
func printable(name string) string {
	quoted := strconv.Quote(name)
	return quoted[1 : len(quoted)-1]
}
