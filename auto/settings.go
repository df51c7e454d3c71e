package auto

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Variable is the name of the environment variable that has the settings as JSON.
const Variable = "IPROF_RUN"

// Settings are the options of a program built by the command iprof. With the zero value the program only measures.
type Settings struct {
	Report string        // file for the report; %p stands for the process id, "-" is standard error, "" is none
	Spare  string        // file for the report so far, which the end of the program removes; %p and "" as in Report
	Every  time.Duration // interval between ends of frames; 0: only the program ends frames
	Frames bool          // the program or Every ends frames
	Mute   bool          // functions with too large an overhead are muted
	Learn  string        // file for the names of muted functions; "" is none
	Record string        // file for the frames, for package auto/record; %p and "" as in Report
	Listen string        // address that package auto/serve listens on; "" is none
	Token  string        // what other machines have to show to auto/serve

	CPUProfile string // file for the CPU profile, for package auto/cpuprofile; %p and "" as in Report
}

// FileName returns the name of a file of the settings with the process id in place of %p.
func FileName(name string) string { return strings.ReplaceAll(name, "%p", strconv.Itoa(os.Getpid())) }

// isJSON reports whether the report is JSON.
func (s Settings) isJSON() bool { return strings.HasSuffix(s.Report, ".json") }

// settings reads the environment once. A value that cannot be parsed counts as empty: a program never fails for its
// profiler.
var settings = sync.OnceValue(func() (s Settings) {
	_ = json.Unmarshal([]byte(os.Getenv(Variable)), &s)
	return s
})
