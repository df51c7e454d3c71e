package report

import (
	"strings"

	"example.com/iprof/gather"
)

// ZoneID identifies a zone: see [gather.ZoneID].
type ZoneID = gather.ZoneID

// LaneID identifies a lane: see [gather.LaneID]. In a View, 0 means all lanes merged.
type LaneID = gather.LaneID

// ShortName returns the short name of a zone that is named after its function: the type and the function, without
// package, pointer and parentheses, as in BlockRender.drawChunks. For other zones it returns "". The screen and the
// page show short names; colours and tips show the package. Any goroutine may call it.
func ShortName(z *gather.ZoneInfo) string {
	in := z.Function[strings.LastIndexByte(z.Function, '/')+1:]
	dot := strings.IndexByte(in, '.')
	if dot < 0 || z.Name != in && z.Name != z.Function {
		return ""
	}
	return strings.NewReplacer("(*", "", "(", "", ")", "", "[...]", "").Replace(in[dot+1:])
}
