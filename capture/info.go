package capture

import (
	"encoding/binary"
	"time"

	"example.com/iprof/platform"
)

// Info describes the program that wrote a capture.
type Info struct {
	Program   string
	GoVersion string
	Machine   string // operating system, architecture and number of processors
	Start     time.Time
	Zero      platform.Ticks // the clock's reading at Start
	Reason    string         // why a BlackBox wrote it, else ""
}

func appendInfo(dst []byte, i *Info) []byte {
	p := appendString(appendString(appendString(nil, i.Program), i.GoVersion), i.Machine)
	p = binary.AppendVarint(p, i.Start.UnixNano())
	p = binary.AppendVarint(p, int64(i.Zero))
	p = appendString(p, i.Reason)
	return appendChunk(dst, chunkInfo, p)
}

func (d *decoder) info() (i Info) {
	i.Program, i.GoVersion, i.Machine = d.string(), d.string(), d.string()
	i.Start = time.Unix(0, d.varint())
	i.Zero = platform.Ticks(d.varint())
	if len(d.rest) > 0 { // since version 1.1
		i.Reason = d.string()
	}
	return i
}
