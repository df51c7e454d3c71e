package framefile

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// Info describes the program that wrote a capture.
type Info struct {
	Program   string
	GoVersion string
	Machine   string // operating system, architecture and number of processors
	Start     time.Time
	Zero      platform.Ticks // the clock's reading at Start
	Reason    string         // reason for which a BlackBox wrote the file, else ""
	HasFrame  bool           // whether Frame is set: in the files of a BlackBox
	Frame     uint64         // gather.Frame.Index of the triggering frame, or of the newest frame before Trigger
	Kind      report.Kind    // of the file, if it was made from another tool's; else KindGame
	LeftOut   uint64         // triggers since the BlackBox's file before that wrote none: see BlackBox.LeftOut
}

// ThisProgram returns the Info of the running program.
func ThisProgram() Info {
	return Info{
		Program: filepath.Base(os.Args[0]), GoVersion: runtime.Version(),
		Machine: fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
		Start:   time.Now(), Zero: platform.Now(),
	}
}

func appendInfo(dst []byte, i *Info) []byte {
	p := appendString(appendString(appendString(nil, i.Program), i.GoVersion), i.Machine)
	p = binary.AppendVarint(p, i.Start.UnixNano())
	p = binary.AppendVarint(p, int64(i.Zero))
	p = appendString(p, i.Reason)
	frame := uint64(0)
	if i.HasFrame {
		frame = i.Frame + 1
	}
	p = binary.AppendUvarint(p, frame)
	p = binary.AppendUvarint(p, i.LeftOut)
	if i.Kind != report.KindGame {
		p = binary.AppendUvarint(p, uint64(i.Kind))
	}
	return appendChunk(dst, chunkInfo, p)
}

func (d *decoder) info() (i Info) {
	i.Program, i.GoVersion, i.Machine = d.string(), d.string(), d.string()
	i.Start = time.Unix(0, d.varint())
	i.Zero = platform.Ticks(d.varint())
	if len(d.rest) > 0 { // since version 1.1
		i.Reason = d.string()
	}
	if len(d.rest) > 0 { // since version 1.2
		frame := d.uvarint()
		i.Frame, i.HasFrame = max(frame, 1)-1, frame > 0
	} else {
		i.Frame, i.HasFrame = frameIn(i.Reason)
	}
	if len(d.rest) > 0 { // since version 1.10
		i.LeftOut = d.uvarint()
	}
	if len(d.rest) > 0 { // only of other tools' files
		i.Kind = kindFrom(d.uvarint())
	}
	return i
}

// kindFrom returns a kind of this version. Of a kind that it does not know, the frames show what they are.
func kindFrom(n uint64) report.Kind {
	if n >= report.NumKinds {
		return report.KindGame
	}
	return report.Kind(n)
}

// frameIn returns the number of the frame that a reason begins with: "frame 7: …".
func frameIn(reason string) (frame uint64, found bool) {
	number, _, _ := strings.Cut(reason, ":")
	number, found = strings.CutPrefix(number, "frame ")
	frame, err := strconv.ParseUint(number, 10, 64)
	return frame, found && err == nil
}
