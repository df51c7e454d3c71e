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
}

func appendInfo(dst []byte, i *Info) []byte {
	p := appendString(appendString(appendString(nil, i.Program), i.GoVersion), i.Machine)
	p = binary.AppendVarint(p, i.Start.UnixNano())
	p = binary.AppendVarint(p, int64(i.Zero))
	return appendChunk(dst, chunkInfo, p)
}

func (d *decoder) info() (i Info) {
	i.Program, i.GoVersion, i.Machine = d.string(), d.string(), d.string()
	i.Start = time.Unix(0, d.varint())
	i.Zero = platform.Ticks(d.varint())
	return i
}
