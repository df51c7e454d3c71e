package auto

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/iprof/internal/measure"
)

// Variable is the name of the environment variable with the settings as JSON.
const Variable = "IPROF_RUN"

// Settings are the options of a program built by the command iprof. With the zero value the program only measures.
type Settings struct {
	given bool // the environment has the variable, even with invalid settings

	Record string        // file for the frames; %p stands for the process id; "" is none
	Spare  string        // takes the frames once Record cannot be written, and the notes; %p and "" as above
	Keep   bool          // the user asked for the file: it has all frames, however many
	Every  time.Duration // interval between ends of frames; 0: only the program ends frames
	Frames bool          // frames are the program's, or of a length chosen by the user; else they have no budget
	Mute   bool          // mute functions with too large an overhead
	Muted  []string      // functions to mute from the start: file, tab, name
	Lines  bool          // Go's CPU profiler samples the program
	Module string        // path of the program's main module, to tell its functions from those of the standard library
	Listen string        // address that package auto/serve listens on; "" is none
	Token  string        // that auto/serve demands of other machines

	Launcher string // the program that made these settings; it does not measure itself if they reach it

	CPUProfile string // file for the CPU profile, for package auto/cpuprofile; %p and "" as in Record
}

// FileName returns the name of a file of the settings with the process id in place of %p.
func FileName(name string) string { return strings.ReplaceAll(name, "%p", strconv.Itoa(os.Getpid())) }

// settings reads the environment once, and takes the variable away. A value that cannot be parsed counts as empty: a
// program never fails for its profiler.
var settings = sync.OnceValue(func() (s Settings) {
	if text, there := os.LookupEnv(Variable); there {
		measure.LeaveOut(true) // package json may have zones
		defer measure.LeaveOut(false)
		_ = json.Unmarshal([]byte(text), &s)
		s.given = true
		os.Unsetenv(Variable)
	}
	return s
})
